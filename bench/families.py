"""Families of planar mechanisms with a growing number of loops, in the neutral text format of bench/robot.hpp.
The first three are those of bench/growth.cpp.

Links are thin rods of 1 m and 1 kg, pinned along z; gravity 9.81 along -y. Each file has two states at the same
position: one in motion, with velocities that satisfy the loops exactly, and one at rest. Bodies are in depth-first
order.
"""
import dataclasses
import math
import typing

import robots

identity = [1, 0, 0, 0, 1, 0, 0, 0, 1]
y_along_z = [1, 0, 0, 0, 0, -1, 0, 1, 0]  # a loop's pin is about the y axis of its frame
cosine, sine = 0.5, math.sqrt(0.75)
along_x, along_y, skew = [0, 0, 0, 1 / 12, 0, 1 / 12], [1 / 12, 0, 0, 0, 0, 1 / 12], [1 / 12, 0, 0, 1 / 12, 0, 1 / 12]


class Pinned:
    """Pinned links, collected one by one."""

    def __init__(self):
        self.bodies, self.loops, self.q, self.v = [], [], [], []

    def link(self, parent, at, com, inertia, q, v):
        numbers = [0, 0, 1, *identity, *at, 0, 1, *com, 0, *inertia]
        self.bodies.append(f"body {parent} R " + " ".join(f"{x:.17g}" for x in numbers))
        self.q.append(q), self.v.append(v)
        return len(self.bodies) - 1

    def pin(self, body, at, other, there):
        numbers = [*y_along_z, *at, 0, *y_along_z, *there, 0]
        self.loops.append(f"loop {body} {other} 2 " + " ".join(f"{x:.17g}" for x in numbers))

    def write(self, folder, name):
        n, zero = len(self.bodies), [0.0] * len(self.bodies)
        head = [f"model {name} {n} {len(self.loops)} {n - 1} 0 -9.81 0", *self.bodies, *self.loops]
        return robots.write(folder / f"{name}.txt", head, [(self.q, self.v, zero, zero), (self.q, zero, zero, zero)])


def parallelograms(folder, k, in_a_row):
    """k parallelograms at 60 degrees; each on ground, or on the coupler of the one before it."""
    made, base, top = Pinned(), -1, [cosine, sine]
    half = [0.5 * cosine, 0.5 * sine]
    for i in range(k):
        x, speed = 0.0 if in_a_row else 2.0 * i, 0.5 * math.cos(i)
        rocker = made.link(base, [x + 1, 0], half, skew, 0, speed)
        crank = made.link(base, [x, 0], half, skew, 0, speed)
        coupler = made.link(crank, top, [0.5, 0], skew, 0, -speed)
        made.pin(coupler, [1, 0], rocker, top)
        base = coupler if in_a_row else -1
    return made.write(folder, f"{'row' if in_a_row else 'side_by_side'}{k}")


def ladder(folder, k):
    """k + 1 cranks on the ground, k couplers between neighbors; 0.7 rad from the upright."""
    made, angle, speed = Pinned(), -0.7, -1.0
    for i in range(k + 1):
        crank = made.link(-1, [i, 0], [0, 0.5], along_y, angle, speed)
        if i > 0:
            made.pin(coupler, [1, 0], crank, [0, 1])
        if i < k:
            coupler = made.link(crank, [0, 1], [0.5, 0], along_x, -angle, -speed)
    return made.write(folder, f"ladder{k}")


def lattice(folder, n):
    """n rows of n squares: n + 1 vertical chains hang from the ground, horizontal links join neighbors. Each row
    can shear."""
    made = Pinned()
    angles = [0.3 + 0.1 * math.sin(j) for j in range(n)]
    speeds = [0.5 * math.cos(j) for j in range(n)]
    chains, bars = [], {}
    for i in range(n + 1):
        chain, base = [], -1
        for j in range(n):
            q, v = (angles[j] - angles[j - 1], speeds[j] - speeds[j - 1]) if j else (angles[0], speeds[0])
            base = made.link(base, [0, -1] if j else [i, 0], [0, -0.5], along_y, q, v)
            chain.append(base)
        chains.append(chain)
        for j in reversed(range(n)) if i < n else ():  # depth first
            bars[i, j] = made.link(chain[j], [0, -1], [0.5, 0], along_x, -angles[j], -speeds[j])
    for (i, j), bar in bars.items():
        made.pin(bar, [1, 0], chains[i + 1][j], [0, -1])
    return made.write(folder, f"lattice{n}")


@dataclasses.dataclass
class Family:
    name: str
    short: str
    write: typing.Callable  # (folder, size) -> file
    sizes: list  # of write
    loops: typing.Callable = staticmethod(lambda size: size)  # by size


doublings = [2**k for k in range(3, 13)]
families = [
    Family("four-bars in a row, each on the coupler of the one before", "row",
           lambda folder, k: parallelograms(folder, k, True), doublings),
    Family("four-bars side by side on the ground", "side-by-side",
           lambda folder, k: parallelograms(folder, k, False), doublings),
    Family("ladder: cranks on the ground, couplers between neighbors", "ladder", ladder, doublings),
    Family("lattice of N x N squares, hung from the ground", "lattice", lattice, [3, 4, 6, 8, 11, 16, 23, 32, 45, 64],
           lambda n: n * n),
]
