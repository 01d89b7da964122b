"""Rank, mobility and accelerations of a mechanism in maximal coordinates.

Unknowns: six velocities of each body (omega and the velocity of its origin, in world axes), then the coordinates of
compound joints. G V = 0 are the velocity rows. Accelerations by the null-space form of the constrained equations
M A + G^T lambda = f, G A = -G' V: A = A_p + N u with N^T M N u = N^T (f - M A_p), which holds for redundant rows too."""
from .arithmetic import (HALF, IDENTITY, ONE, PI, ZERO, Decimal, Jet, apply, cross, dot, minus, multiply, plus,
                         quaternion_rotation, rotation, rotation_by, times, transpose)
from .elements import Combination, Element, Joint, Motion, Weld, same_rotation
from .linear import RowSpace, inner, solve_symmetric

ASSEMBLED = Decimal("1e-50")
STEP_THRESHOLD = Decimal("1e-9")  # pivots below are not used in a Newton step: rows that depend on others near the solution


class NotAssembled(Exception):
    pass


class NotUnique(Exception):
    pass


class Motions:
    """The motion of every body and compound coordinate, at one instant."""

    def __init__(self, bodies, auxiliaries):
        self.bodies, self.auxiliaries = bodies, auxiliaries
        self.ground = Motion(IDENTITY, [ZERO] * 3)

    def __call__(self, body):
        return self.ground if body == "ground" else self.bodies[body]

    def auxiliary(self, index):
        return self.auxiliaries[index]


class GivenPose(Element):
    """The start of a free or spherical joint: a quaternion, and of a free joint a place."""

    def __init__(self, joint, values):
        self.name, self.joint, self.bodies = joint.name, joint, joint.bodies
        self.R, self.p = quaternion_rotation(values[:4]), values[4:]

    def rows(self, motions):
        F = self.joint.F
        wanted = [F.direction(motions, column) for column in transpose(self.R)]
        rows = same_rotation(wanted, self.joint.M.axes(motions))
        if self.p:
            rows += minus(self.joint._gap(motions), F.direction(motions, self.p))
        return rows


class Analysis:
    def __init__(self, mechanism, guess=None, efforts=None, accelerations=None):
        """`guess`: body -> (rotation matrix, position); without it, joints stand as the file says or at zero."""
        self.mechanism = mechanism
        self.size = 6 * len(mechanism.bodies) + mechanism.auxiliaries
        self.start = {name: 6 * k for k, name in enumerate(mechanism.bodies)}
        self.efforts = efforts or {}
        for row in mechanism.driven:
            row.acceleration = (accelerations or {}).get(row.coordinate.name, ZERO) if row.drive == "motion" else ZERO
        self.poses = guess or self._walk()
        self.auxiliaries = self._first_auxiliaries()
        self.V = [ZERO] * self.size
        self._assemble()
        self._find_velocities()
        self.space = RowSpace(self.G, self.size)

    # results
    @property
    def rows(self):
        return len(self.G)

    @property
    def rank(self):
        return self.space.rank

    @property
    def mobility(self):
        return self.size - self.rank

    @property
    def redundant(self):
        return self.rows - self.rank

    # motions
    def motions(self, V=None, A=None):
        bodies, zero = {}, [ZERO] * self.size
        V, A = V or zero, A or zero
        for name, k in self.start.items():
            bodies[name] = Motion(*self.poses[name], V[k:k + 3], V[k + 3:k + 6], A[k:k + 3], A[k + 3:k + 6])
        first = 6 * len(self.start)
        return Motions(bodies, [Jet(q, V[first + i], A[first + i]) for i, q in enumerate(self.auxiliaries)])

    def _auxiliary_indices(self, element):
        if isinstance(element, Joint):
            return range(element.auxiliary_start, element.auxiliary_start + element.auxiliary)
        coordinates = [coordinate for coordinate, _ in element.terms] if isinstance(element, Combination) else []
        return [joint.auxiliary_start + k for joint, k in (c.auxiliary for c in coordinates if c.auxiliary)]

    def columns(self, element):
        """Unit motions that an element's rows may depend on: (column, motions with that unit velocity)."""
        rest = self.motions()
        for body in set(element.bodies) - {"ground"}:
            for k in range(6):
                twist = [ONE if i == k else ZERO for i in range(6)]
                moved = dict(rest.bodies)
                moved[body] = Motion(*self.poses[body], twist[:3], twist[3:])
                yield self.start[body] + k, Motions(moved, rest.auxiliaries)
        for i in self._auxiliary_indices(element):
            moved = list(rest.auxiliaries)
            moved[i] = Jet(self.auxiliaries[i], ONE)
            yield 6 * len(self.start) + i, Motions(rest.bodies, moved)

    def jacobian(self, elements):
        rows = []
        for element in elements:
            own = None
            for column, motions in self.columns(element):
                jets = element.rows(motions)
                if own is None:
                    own = [[ZERO] * self.size for _ in jets]
                for row, jet in zip(own, jets):
                    row[column] = jet.df if element.holonomic else jet.f
            rows += own or [[ZERO] * self.size for _ in element.rows(self.motions())]
        return rows

    def gradient(self, coordinate):
        """How a joint coordinate's rate depends on the unknown velocities."""
        row = [ZERO] * self.size
        for column, motions in self.columns(Combination("", [(coordinate, ONE)])):
            row[column] = coordinate.rate(motions)
        return row

    # assembly
    def _walk(self):
        """Poses along the joints from ground, each joint as the file says it starts, or at zero."""
        poses = {"ground": (IDENTITY, [ZERO] * 3)}
        while len(poses) <= len(self.mechanism.bodies):
            before = len(poses)
            for joint in sorted(self.mechanism.joints.values(), key=lambda joint: joint.closes_loop):
                parent, child = joint.F.body, joint.M.body
                if (parent in poses) == (child in poses):
                    continue
                if joint.closes_loop and len(poses) > before:  # first through the other joints
                    break
                R, p = self._joint_pose(joint)
                # X_PF X_FM X_MC
                back = transpose(joint.M.R)
                R_PC = multiply(multiply(joint.F.R, R), back)
                p_PC = plus(joint.F.p, minus(apply(joint.F.R, p), apply(R_PC, joint.M.p)))
                if parent in poses:
                    R0, p0 = poses[parent]
                    poses[child] = multiply(R0, R_PC), plus(p0, apply(R0, p_PC))
                else:
                    R0, p0 = poses[child]
                    R1 = multiply(R0, transpose(R_PC))
                    poses[parent] = R1, minus(p0, apply(R1, p_PC))
            if len(poses) == before:  # a body without a joint starts at the origin
                name = next(name for name in self.mechanism.bodies if name not in poses)
                poses[name] = IDENTITY, [ZERO] * 3
        del poses["ground"]
        return poses

    def _joint_pose(self, joint):
        q = self.mechanism.positions.get(joint.name)
        q = q or ([ONE] + [ZERO] * 6 if joint.kind in ("spherical", "free") else [ZERO] * 6)
        axis, kind, none = joint.axis, joint.kind, [ZERO] * 3
        if kind == "fixed":
            return IDENTITY, none
        if kind in ("spherical", "free"):
            return quaternion_rotation(q[:4]), (q[4:7] if kind == "free" else none)
        if kind == "compound":
            R, p = IDENTITY, none
            for value, (turn, own) in zip(q, joint.moves):
                R, p = (multiply(R, rotation(own, value)), p) if turn else (R, plus(p, apply(R, times(own, value))))
            return R, p
        if kind == "prismatic":
            return IDENTITY, times(axis, q[0])
        if kind == "universal":
            return multiply(rotation(axis, q[0]), rotation(joint.axis2, q[1])), none
        if kind == "planar":
            return rotation(axis, q[2]), [q[0], q[1], ZERO]
        slide = q[0] * joint.pitch if kind == "screw" else q[1] if kind == "cylindrical" else ZERO
        return rotation(axis, q[0]), times(axis, slide)

    def _first_auxiliaries(self):
        values = []
        for joint in self.mechanism.joints.values():
            if joint.auxiliary:
                values += (self.mechanism.positions.get(joint.name) or [ZERO] * 6)[:joint.auxiliary]
        return values

    def _given_rows(self):
        rows = []
        for name, values in self.mechanism.positions.items():
            joint = self.mechanism.joints[name]
            if joint.kind in ("spherical", "free"):
                rows.append(GivenPose(joint, values))
            else:
                rows += [Combination(f"start of joint '{name}'", [(coordinate, ONE)], value)
                         for coordinate, value in zip(joint.coordinates, values)]
        return rows

    def _count_turns(self, elements, motions):
        """Whole turns of measured angles: those of the start that the file gives, or none."""
        def turns(coordinate, wanted):
            if not coordinate.angular or coordinate.auxiliary or wanted is None:
                return ZERO
            return 2 * PI * ((wanted - coordinate.jet(motions).f) / (2 * PI)).to_integral_value()
        given = {}
        for name, values in self.mechanism.positions.items():
            joint = self.mechanism.joints[name]
            if joint.kind not in ("spherical", "free"):
                given.update({c.name: value for c, value in zip(joint.coordinates, values)})
        for element in elements:
            if isinstance(element, Combination):
                element.turns = sum((factor * turns(c, given.get(c.name)) for c, factor in element.terms), ZERO)
            elif isinstance(element, Joint) and element.kind == "screw":
                element.screw_turns = turns(element.coordinates[0], given.get(element.coordinates[0].name))

    def _assemble(self):
        """Newton's method with steps of least norm; quadratic where the rows' rank is the same near the solution."""
        elements = [e for e in self.mechanism.elements if e.holonomic and e not in self.mechanism.driven]
        elements += self._given_rows()
        violation = None
        for _ in range(60):
            motions = self.motions()
            self._count_turns(elements, motions)
            values = [jet.f for element in elements for jet in element.rows(motions)]
            violation = max(map(abs, values), default=ZERO)
            if violation < ASSEMBLED:
                break
            threshold = STEP_THRESHOLD if violation < Decimal("1e-3") else Decimal("1e-4")
            step, _ = RowSpace(self.jacobian(elements), self.size, threshold).solve([-x for x in values])
            largest = max(map(abs, step))
            if largest > HALF:
                step = [x * HALF / largest for x in step]
            self._move(step)
        else:
            raise NotAssembled(f"the loops do not close: {violation:.3e}")
        self._check_sides()

    def _move(self, step):
        for name, k in self.start.items():
            R, p = self.poses[name]
            self.poses[name] = multiply(rotation_by(step[k:k + 3]), R), plus(p, step[k + 3:k + 6])
        first = 6 * len(self.start)
        self.auxiliaries = [q + step[first + i] for i, q in enumerate(self.auxiliaries)]

    def violations_after(self, time):
        """Largest violations of position and velocity rows after a short time: O(time^3) and O(time^2) if A is right."""
        poses, auxiliaries = dict(self.poses), self.auxiliaries
        self._move([time * v + time * time / 2 * a for v, a in zip(self.V, self.A)])
        motions = self.motions([v + time * a for v, a in zip(self.V, self.A)])
        places, slips = [ZERO], [ZERO]
        for element in self.mechanism.elements:
            if element not in self.mechanism.driven:
                (places if element.holonomic else slips).extend(abs(jet.f) for jet in element.rows(motions))
        self.poses, self.auxiliaries = poses, auxiliaries
        return max(places), max(slips)

    def _check_sides(self):
        """Rows of dot products are zero for opposite axes, too: those are not what the joint means."""
        motions = self.motions()
        for element in self.mechanism.elements:
            if isinstance(element, Joint) and element.kind in ("revolute", "cylindrical", "screw", "planar"):
                agreement = dot(element.F.direction(motions, element.axis), element.M.direction(motions, element.axis)).f
            elif isinstance(element, Joint) and element.kind in ("fixed", "prismatic"):
                agreement = min(dot(a, b).f for a, b in zip(element.F.axes(motions), element.M.axes(motions)))
            elif isinstance(element, Weld):
                agreement = min(dot(a, b).f for a, b in zip(element.a.axes(motions), element.b.axes(motions)))
            else:
                continue
            if abs(agreement - 1) > Decimal("1e-40"):
                raise NotAssembled(f"'{element.name}' closes the wrong way round")

    def _find_velocities(self):
        """Velocities that keep all rows and those the file gives; what is given must determine them."""
        elements = self.mechanism.elements
        self.G = self.jacobian(elements)
        given = {}
        for name, values in self.mechanism.velocities.items():
            for coordinate, value in zip(self.mechanism.joints[name].coordinates, values):
                given[coordinate.name] = value
        if not any(given.values()):
            return
        rows, right = [], []
        position = 0
        for element in elements:
            count = len(element.rows(self.motions()))
            if not (element in self.mechanism.driven and element.drive == "motion"):
                rows += self.G[position:position + count]
                right += [ZERO] * count
            elif element.coordinate.name not in given:
                rows += self.G[position:position + count]
                right += [ZERO] * count
            position += count
        for name, value in given.items():
            rows.append(self.gradient(self.mechanism.coordinates[name]))
            right.append(value)
        space = RowSpace(rows, self.size)
        self.V, contradiction = space.solve(right)
        if contradiction > ASSEMBLED:
            raise NotAssembled(f"the velocities given contradict the constraints: {contradiction:.3e}")
        if space.rank < self.size:
            raise NotUnique(f"the velocities given leave {self.size - space.rank} open")

    # dynamics
    def mass_and_forces(self):
        """Blocks of M by body, and f: gravity, gyroscopic terms, springs, dampers and efforts."""
        f = [ZERO] * self.size
        blocks = {}
        for name, body in self.mechanism.bodies.items():
            k, (R, _) = self.start[name], self.poses[name]
            omega, m = self.V[k:k + 3], body.mass
            c = apply(R, body.com)
            J = multiply(multiply(R, body.inertia), transpose(R))
            skew = [[ZERO, -c[2], c[1]], [c[2], ZERO, -c[0]], [-c[1], c[0], ZERO]]
            square = multiply(skew, skew)
            block = [[ZERO] * 6 for _ in range(6)]
            for i in range(3):
                for j in range(3):
                    block[i][j] = J[i][j] - m * square[i][j]
                    block[i][j + 3] = m * skew[i][j]
                    block[i + 3][j] = -m * skew[i][j]
                block[i + 3][i + 3] = m
            blocks[name] = block
            force = times(minus(self.mechanism.gravity, cross(omega, cross(omega, c))), m)
            moment = minus(cross(c, force), cross(omega, apply(J, omega)))
            f[k:k + 6] = moment + force
        motions = self.motions(self.V)
        pushes = []
        for coordinate, stiffness, rest, damping in self.mechanism.joint_springs:
            jet = coordinate.jet(motions)
            position = ZERO if coordinate.is_rate else jet.f
            if coordinate.is_rate and stiffness != 0:
                raise NotUnique(f"'{coordinate.name}': the judge knows no springs of joints that turn every way")
            pushes.append((self.gradient(coordinate), -stiffness * (position - rest) - damping * coordinate.rate(motions)))
        for spring in self.mechanism.springs:
            jet = spring.length.length(motions)
            pull = spring.stiffness * (jet.f - spring.rest) + spring.damping * jet.df
            pushes.append((self.jacobian([spring.length])[0], -pull))
        for name, effort in self.efforts.items():
            pushes.append((self.gradient(self.mechanism.coordinates[name]), effort))
        for row, effort in pushes:
            f = [a + effort * b for a, b in zip(f, row)]
        return blocks, f

    def _times_mass(self, blocks, x):
        result = [ZERO] * self.size
        for name, k in self.start.items():
            part = x[k:k + 6]
            result[k:k + 6] = [inner(row, part) for row in blocks[name]]
        return result

    def accelerate(self):
        """Solves for the accelerations; raises where constraints contradict each other or inertia is missing."""
        motions = self.motions(self.V)
        right = []
        for element in self.mechanism.elements:
            right += [-(jet.ddf if element.holonomic else jet.df) for jet in element.rows(motions)]
        particular, contradiction = self.space.solve(right)
        if contradiction > ASSEMBLED:
            raise NotAssembled(f"the accelerations that are prescribed contradict the constraints: {contradiction:.3e}")
        blocks, f = self.mass_and_forces()
        N = self.space.null_space()
        images = [self._times_mass(blocks, n) for n in N]
        reduced = [[inner(a, b) for b in images] for a in N]
        missing = [a - b for a, b in zip(f, self._times_mass(blocks, particular))]
        u = solve_symmetric(reduced, [inner(n, missing) for n in N])
        if u is None:
            raise NotUnique("a motion that the constraints allow has no inertia")
        self.blocks, self.forces = blocks, f
        self.A = particular
        for share, n in zip(u, N):
            self.A = [a + share * b for a, b in zip(self.A, n)]
        moving = self.motions(self.V, self.A)
        self.joint_accelerations = {name: c.acceleration(moving) for name, c in self.mechanism.coordinates.items()}
        self.joint_rates = {name: c.rate(moving) for name, c in self.mechanism.coordinates.items()}
        return self.joint_accelerations

    def drive_efforts(self):
        """What prescribed and locked joints need: coordinate -> (effort, whether it is unique).

        Multipliers of least norm with G^T lambda = M A - f; a row that others do not contain has only one."""
        needed = [a - b for a, b in zip(self._times_mass(self.blocks, self.A), self.forces)]
        along = [inner(q, needed) for q in self.space.basis]
        columns = [[row[k] if k < len(row) else ZERO for row in self.space.coefficients] for k in range(self.rank)]
        multipliers, _ = RowSpace(columns, self.rows).solve(along)
        efforts, position = {}, 0
        for element in self.mechanism.elements:
            if element in self.mechanism.driven:
                others = RowSpace(self.G[:position] + self.G[position + 1:], self.size)
                efforts[element.coordinate.name] = multipliers[position], others.rank < self.rank
            position += len(element.rows(self.motions()))
        return efforts
