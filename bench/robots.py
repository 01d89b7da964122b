"""Robots in the neutral text format of bench/robot.hpp: reader, generators, and small displacements."""
import dataclasses
import math
import pathlib
import random

import numpy

numbers_of_a_body = 3 + 9 + 3 + 1 + 3 + 6
numbers_of_a_loop = 2 * (9 + 3)


class RobotError(Exception):
    """An error in a robot's file, with file and line."""


@dataclasses.dataclass
class Loop:
    """A frame of one body coincides with a frame of another: all of it (6 rows), its origin (3), or its origin
    in the plane across its y axis (2)."""
    body: int
    other: int
    rows: int
    R: numpy.ndarray  # the frame in the body's
    p: numpy.ndarray
    R_other: numpy.ndarray
    p_other: numpy.ndarray


@dataclasses.dataclass
class Robot:
    path: pathlib.Path
    name: str
    parents: list
    kinds: list  # R, P or F, as in bench/robot.hpp
    axes: numpy.ndarray  # bodies x 3
    rotations: numpy.ndarray  # bodies x 3 x 3, of the joint's frame in the parent's
    positions: numpy.ndarray  # bodies x 3
    masses: numpy.ndarray
    coms: numpy.ndarray  # bodies x 3
    inertias: numpy.ndarray  # bodies x 6: xx xy xz yy yz zz about the center of mass
    gravity: numpy.ndarray
    end_effector: int
    loops: list  # of Loop
    head: list  # the lines before the states, unchanged
    states: list  # of (q, v, a, tau)
    reference: dict  # inverse, forward, trace, jacobian_norm of state 0; empty: none

    @property
    def is_floating(self):
        return self.kinds[:1] == ["F"]

    @property
    def has_loops(self):
        return bool(self.loops)

    @property
    def nv(self):
        return len(self.parents) + (5 if self.is_floating else 0)

    @property
    def is_chain(self):
        return not self.is_floating and self.parents == list(range(-1, len(self.parents) - 1))

    @property
    def kind(self):
        """Name in the goals and the anchors: humanoid, chain64, arm7_panda, arm7_random, coop2, fourbar."""
        if self.has_loops:
            return "fourbar" if self.nv == 3 else f"coop{self.nv // 7}" if self.nv in (14, 28) else "loops"
        if self.is_floating:
            return "humanoid"
        if self.is_chain and self.nv == 7:
            return "arm7_panda" if numpy.all(numpy.sort(abs(self.axes)) == [0, 0, 1]) else "arm7_random"
        return f"chain{self.nv}" if self.is_chain else "tree"


def read(path):
    lines = path.read_text().splitlines()

    def words(number, opening, count):
        if number >= len(lines):
            raise RobotError(f"{path}:{number + 1}: the file ends where a line '{opening}' should be")
        found = lines[number].split()
        if opening and found[:1] != [opening]:
            raise RobotError(f"{path}:{number + 1}: the line should begin with '{opening}'")
        if count is not None and len(found) != count:
            raise RobotError(f"{path}:{number + 1}: the line has {len(found)} words, it should have {count}")
        return found

    def numbers(number, texts):
        try:
            return numpy.array(texts, float)
        except ValueError as mistake:
            raise RobotError(f"{path}:{number + 1}: {mistake}") from None

    _, name, *counts = words(0, "model", 8)
    n, loop_count, end_effector = (int(x) for x in numbers(0, counts[:3]))
    parents, bodies, kinds, loops = [], [], [], []
    for i in range(n):
        _, parent, kind, *rest = words(1 + i, "body", 3 + numbers_of_a_body)
        parents.append(int(numbers(1 + i, [parent])[0]))
        bodies.append(numbers(1 + i, rest))
        kinds.append(kind)
    for k in range(1 + n, 1 + n + loop_count):
        read = numbers(k, words(k, "loop", 4 + numbers_of_a_loop)[1:])
        R, p, R_other, p_other = numpy.split(read[3:], [9, 12, 21])
        loops.append(Loop(*map(int, read[:3]), R.reshape(3, 3), p, R_other.reshape(3, 3), p_other))
    at = 1 + n + loop_count
    is_floating = kinds[:1] == ["F"]
    count = int(numbers(at, words(at, "states", 2)[1:])[0])
    nq, nv = n + 6 * is_floating, n + 5 * is_floating
    states = []
    for k in range(at + 1, at + 1 + count):
        states.append(numpy.split(numbers(k, words(k, "", nq + 3 * nv)), [nq, nq + nv, nq + 2 * nv]))
    if not n or not states:
        raise RobotError(f"{path}:1: a robot has at least one body and one state")
    reference = {}
    if at + 1 + count < len(lines):
        k = at + 1 + count
        output = numbers(k, words(k, "ref", None)[1:])
        reference = dict(trace=output[2], jacobian_norm=output[3], inverse=output[4:4 + nv], forward=output[4 + nv:4 + 2 * nv])
        if loops and output[1]:
            reference["closed"] = output[4 + 2 * nv:4 + 3 * nv]
    table = numpy.array(bodies)
    return Robot(path, name, parents, kinds, table[:, :3], table[:, 3:12].reshape(n, 3, 3), table[:, 12:15],
                 table[:, 15], table[:, 16:19], table[:, 19:25], numbers(0, counts[3:]), end_effector, loops,
                 lines[:at], states, reference)


def line_of(state):
    return " ".join(f"{x:.17g}" for part in state for x in part)


def write(path, head, states):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*head, f"states {len(states)}", *map(line_of, states)]) + "\n")
    return path


def random_rotation(rng):
    w, x, y, z = unit([rng.gauss(0, 1) for _ in range(4)])
    return [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
            2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
            2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]


def unit(x):
    length = math.sqrt(sum(k * k for k in x))
    return [k / length for k in x]


def random_body(rng, parent, axis=None, is_free=False, rotation=None):
    """The line of a body: a random link."""
    oblique = unit([rng.gauss(0, 1) for _ in range(3)])
    com = [rng.uniform(-0.1, 0.1) for _ in range(3)]
    # a rotated box would make no difference: the cost depends on the count of numbers only
    inertia = [rng.uniform(0.015, 0.025), rng.uniform(-0.002, 0.002), rng.uniform(-0.002, 0.002),
               rng.uniform(0.015, 0.025), rng.uniform(-0.002, 0.002), rng.uniform(0.015, 0.025)]
    rotation = rotation or random_rotation(rng)
    position = [rng.uniform(-0.05, 0.05), rng.uniform(-0.05, 0.05), rng.uniform(0.1, 0.3)]
    if is_free:
        axis, rotation, position = [0, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0]
    numbers = [*(axis or oblique), *rotation, *position, rng.uniform(0.5, 4), *com, *inertia]
    return f"body {parent} {'F' if is_free else 'R'} " + " ".join(f"{x:.17g}" for x in numbers)


def generate(folder, name, parents, is_floating=False, has_random_axes=True):
    """A robot of random links and states, reproducible."""
    rng = random.Random(name)
    n = len(parents)
    head = [f"model {name} {n} 0 {n - 1} 0 0 -9.81"]
    for i, parent in enumerate(parents):
        axis = None if has_random_axes else rng.choice(([1, 0, 0], [0, 1, 0], [0, 0, 1]))
        head.append(random_body(rng, parent, axis, is_floating and i == 0))
    states = []
    for _ in range(max(2, min(64, 16384 // n))):
        base = [rng.uniform(-1, 1) for _ in range(3)] + unit([rng.gauss(0, 1) for _ in range(4)])
        nv = n + 5 * is_floating
        q = (base if is_floating else []) + [rng.uniform(-3, 3) for _ in range(n - is_floating)]
        states.append([q, *([rng.uniform(-size, size) for _ in range(nv)] for size in (1, 1, 10))])
    return write(folder / f"{name}.txt", head, states)


def close(folder, head, rng, pairs, rows):
    """The robot of these lines with loops between pairs of bodies, which are closed in its single random
    state."""
    name, n = head[0].split()[1], len(head) - 1
    q, v, a, tau = ([rng.uniform(-size, size) for _ in range(n)] for size in (3, 1, 1, 10))
    tree = read(write(folder / f"{name}_open.txt", head, [[q, v, a, tau]]))
    conditions, loops = [], []
    for body, other in pairs:
        (R1, p1, J1), (R2, p2, J2) = (frame_and_jacobian(dataclasses.replace(tree, end_effector=i))
                                      for i in (body, other))
        hook = numpy.array([0.1, 0.0, 0.2])  # on the first body
        there = R2.T @ (p1 + R1 @ hook - p2)
        loops.append(f"loop {body} {other} {rows} " + " ".join(
            f"{x:.17g}" for x in [1, 0, 0, 0, 1, 0, 0, 0, 1, *hook, *(R2.T @ R1).flatten(), *there]))
        moved_there = [J[:3] - numpy.cross(p1 + R1 @ hook - p, J[3:], axisb=0, axisc=0) for p, J in ((p1, J1), (p2, J2))]
        conditions += [moved_there[0] - moved_there[1]] + ([J1[3:] - J2[3:]] if rows == 6 else [])
    J = numpy.vstack(conditions)
    v = numpy.array(v) - numpy.linalg.pinv(J, rcond=1e-10) @ J @ v
    head = [head[0].replace(f" {n} 0 ", f" {n} {len(loops)} ", 1), *head[1:], *loops]
    tree.path.unlink()
    return write(folder / f"{name}.txt", head, [[q, list(v), a, tau]])


def cooperating(folder, arms):
    """Arms with seven joints on one object, which is the last link of the first arm."""
    rng = random.Random(f"coop{arms}")
    head = [f"model random_coop{arms} {7 * arms} 0 6 0 0 -9.81"]
    head += [random_body(rng, -1 if i % 7 == 0 else i - 1) for i in range(7 * arms)]
    return close(folder, head, rng, [(6, 7 * arm + 6) for arm in range(1, arms)], 6)


def four_bar(folder):
    """A four-bar with all pins along y."""
    rng = random.Random("fourbar")
    head = ["model random_fourbar 3 0 1 0 0 -9.81"]
    head += [random_body(rng, parent, [0, 1, 0], rotation=[1, 0, 0, 0, 1, 0, 0, 0, 1]) for parent in (-1, 0, -1)]
    return close(folder, head, rng, [(1, 2)], 2)


def four_bars(folder, n):
    """A chain of four-bars, each on the rocker of the previous one."""
    rng = random.Random(f"fourbars{n}")
    head, base, pairs = [f"model random_fourbars{n} {3 * n} 0 {3 * n - 1} 0 0 -9.81"], -1, []
    for k in range(n):
        parents = (base, 3 * k, base)
        head += [random_body(rng, parent, [0, 1, 0], rotation=[1, 0, 0, 0, 1, 0, 0, 0, 1]) for parent in parents]
        pairs.append((3 * k + 1, 3 * k + 2))
        base = 3 * k + 2
    return close(folder, head, rng, pairs, 2)


def chain(folder, n):
    return generate(folder, f"random_chain{n}", list(range(-1, n - 1)), has_random_axes=False)


def arm(folder):
    return generate(folder, "random_arm7", list(range(-1, 6)))


def humanoid(folder):
    """A free pelvis, two legs of 6, a torso of 2 with a head of 2 and two arms of 8: nv = 38."""
    parents = [-1]

    def limb(root, length):
        for _ in range(length):
            parents.append(root)
            root = len(parents) - 1
        return root

    limb(0, 6), limb(0, 6)
    torso = limb(0, 2)
    limb(torso, 8), limb(torso, 8), limb(torso, 2)
    return generate(folder, "random_humanoid", parents, is_floating=True, has_random_axes=False)


def moved(robot, q, step):
    """q displaced by a step in the degrees of freedom: a free base translates and rotates in its own axes."""
    if not robot.is_floating:
        return q + step
    base, turn = q[:7], step[3:6]
    angle = numpy.linalg.norm(turn)
    x, y, z = turn * (0.5 * numpy.sinc(angle / (2 * numpy.pi)))
    w = math.cos(angle / 2)
    a, b, c, d = base[6], *base[3:6]
    turned = [a * x + b * w + c * z - d * y, a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w,
              a * w - b * x - c * y - d * z]
    shift = rotation_of(base[3:7]) @ step[:3]  # to first order in the rotation; enough for two-sided differences
    return numpy.concatenate([base[:3] + shift, turned, q[7:] + step[6:]])


def rotation_of(quaternion):
    x, y, z, w = quaternion
    return numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def jacobian(robot):
    """[linear; angular] Jacobian of the end effector in world axes, state 0, from the file alone."""
    return frame_and_jacobian(robot)[2]


def frame_and_jacobian(robot):
    q = robot.states[0][0]
    joints = q[7:] if robot.is_floating else q
    path, i = [], robot.end_effector
    while i >= 0:
        path.append(i)
        i = robot.parents[i]
    R, p, columns = numpy.eye(3), numpy.zeros(3), []
    for i in reversed(path):
        p, R = p + R @ robot.positions[i], R @ robot.rotations[i]
        if robot.is_floating and i == 0:
            p, R = p + R @ q[:3], R @ rotation_of(q[3:7])
            columns += [(k, R[:, k], p, False) for k in range(3)] + [(3 + k, R[:, k], p, True) for k in range(3)]
            continue
        axis = robot.axes[i] / numpy.linalg.norm(robot.axes[i])
        columns.append((i + 5 * robot.is_floating, R @ axis, p, robot.kinds[i] == "R"))
        angle = joints[i - robot.is_floating]
        if robot.kinds[i] == "P":
            p = p + R @ axis * angle
            continue
        K = numpy.cross(numpy.eye(3), axis)  # K x = axis x x
        R = R @ (numpy.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K)
    J = numpy.zeros((6, robot.nv))
    for k, axis, origin, turns in columns:
        J[:3, k] = numpy.cross(axis, p - origin) if turns else axis
        J[3:, k] = axis if turns else 0
    return R, p, J
