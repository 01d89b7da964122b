"""Constraint rows between bodies in maximal coordinates, each written once, as a function of the bodies' motions.

A body moves with R, p, omega, v, alpha, a (world axes, v and a of its origin); its points and directions are vectors of
Jets. A row is a Jet. Rows of positions are 0, and so are their first and second derivatives; rows of velocities
(rolling) begin one derivative later. Rates of a row for unit twists are its row of the constraint Jacobian G."""
from .arithmetic import (IDENTITY, ONE, ZERO, Jet, apply, cross, dot, jet_atan2, minus, multiply, plus, times, transpose, unit)


class Motion:
    """How a body moves at one instant."""

    def __init__(self, R, p, omega=None, v=None, alpha=None, a=None):
        rest = [ZERO] * 3
        self.R, self.p = R, p
        self.omega, self.v, self.alpha, self.a = omega or rest, v or rest, alpha or rest, a or rest
        self.still = not any(any(x != 0 for x in y) for y in (self.omega, self.v, self.alpha, self.a))

    def direction(self, own):
        """A vector fixed to the body, in world axes."""
        d = apply(self.R, own)
        if self.still:
            return [Jet(x) for x in d]
        first = cross(self.omega, d)
        second = plus(cross(self.alpha, d), cross(self.omega, first))
        return [Jet(*entry) for entry in zip(d, first, second)]

    def point(self, own):
        origin = [Jet(*entry) for entry in zip(self.p, self.v, self.a)]
        return plus(origin, self.direction(own))

    # Jets of velocities: value and first derivative only
    def angular_velocity(self):
        return [Jet(*entry) for entry in zip(self.omega, self.alpha)]

    def origin(self):
        return [Jet(*entry) for entry in zip(self.p, self.v)]

    def velocity_at(self, place):
        """Velocity of the body's material that is at a place, which may move through the body."""
        arm = minus(place, self.origin())
        return plus([Jet(*entry) for entry in zip(self.v, self.a)], cross(self.angular_velocity(), arm))


class Placement:
    """A frame on a body."""

    def __init__(self, body, R=IDENTITY, p=(ZERO, ZERO, ZERO)):
        self.body, self.R, self.p = body, R, list(p)

    def point(self, motions):
        return motions(self.body).point(self.p)

    def direction(self, motions, own):
        return motions(self.body).direction(apply(self.R, own))

    def axes(self, motions):
        return [self.direction(motions, axis) for axis in IDENTITY]


def across(axis):
    """Two unit vectors that with the axis are a right-handed frame."""
    k = min(range(3), key=lambda i: abs(axis[i]))
    first = unit(minus(IDENTITY[k], times(axis, axis[k])))
    return first, cross(axis, first)


def same_rotation(a, b):
    """Three rows that are zero where two sets of axes agree: the vector of the skew part of A^T B."""
    return [(dot(a[1], b[2]) - dot(a[2], b[1])), (dot(a[2], b[0]) - dot(a[0], b[2])), (dot(a[0], b[1]) - dot(a[1], b[0]))]


class Element:
    """Something with rows: `position_rows` or `velocity_rows` of `bodies` and of `auxiliary` coordinates."""
    auxiliary = 0
    holonomic = True

    def rows(self, motions):
        raise NotImplementedError


class Coordinate:
    """One number of a joint: `rate` is a Jet whose df, ddf (or f, df where it is a rate only) are its rate and its
    acceleration."""

    def __init__(self, name, bodies, jet, angular, is_rate=False):
        self.name, self.bodies, self.jet, self.angular, self.is_rate = name, bodies, jet, angular, is_rate
        self.auxiliary = None

    def rate(self, motions):
        jet = self.jet(motions)
        return jet.f if self.is_rate else jet.df

    def acceleration(self, motions):
        jet = self.jet(motions)
        return jet.df if self.is_rate else jet.ddf


class Joint(Element):
    """Six rows less one for each degree of freedom, between frame F on the parent and frame M on the child."""

    def __init__(self, name, kind, parent, child, axis, axis2=None, pitch=None, moves=()):
        self.name, self.kind, self.F, self.M = name, kind, parent, child
        self.axis, self.axis2, self.pitch, self.moves = axis, axis2, pitch, list(moves)
        self.bodies = [parent.body, child.body]
        self.closes_loop = False  # the file cuts its loop here
        self.auxiliary = len(self.moves)
        self.auxiliary_start = None  # its index among the unknowns, set by the mechanism
        self.screw_turns = ZERO  # whole turns of a screw, in radians
        self.e1, self.e2 = across(axis)
        self.coordinates = self._coordinates()

    # measures
    def _gap(self, motions):
        return minus(self.M.point(motions), self.F.point(motions))

    def _along(self, motions, own):
        return dot(self.F.direction(motions, own), self._gap(motions))

    def _angle(self, motions):
        e1 = self.M.direction(motions, self.e1)
        return jet_atan2(dot(self.F.direction(motions, self.e2), e1), dot(self.F.direction(motions, self.e1), e1))

    def _first_angle(self, motions):
        across_both, second = cross(self.axis, self.axis2), self.M.direction(motions, self.axis2)
        return jet_atan2(dot(self.F.direction(motions, across_both), second),
                         dot(self.F.direction(motions, self.axis2), second))

    def _second_angle(self, motions):
        across_both, first = cross(self.axis, self.axis2), self.F.direction(motions, self.axis)
        return jet_atan2(dot(self.M.direction(motions, across_both), first),
                         dot(self.M.direction(motions, self.axis), first))

    def _spin(self, motions, k):
        relative = minus(motions(self.M.body).angular_velocity(), motions(self.F.body).angular_velocity())
        return dot(self.M.direction(motions, IDENTITY[k]), relative)

    def _speed(self, motions, k):
        place = self.M.point(motions)
        relative = minus(motions(self.M.body).velocity_at(place), motions(self.F.body).velocity_at(place))
        return dot(self.M.direction(motions, IDENTITY[k]), relative)

    def _labels(self, turns):
        """Names of the degrees of freedom of a joint with several; turns: which of them are rotations."""
        if len(turns) == 1:
            return [None]
        if self.kind in ("free", "spherical"):
            return ["wx", "wy", "wz", "vx", "vy", "vz"][:len(turns)]
        if self.kind == "planar":
            return ["x", "y", "turn"]
        words = ["turn" if turn else "slide" for turn in turns]
        return [word if words.count(word) == 1 else f"{word}{words[:k + 1].count(word)}" for k, word in enumerate(words)]

    def _coordinates(self):
        x, y, _ = IDENTITY

        def named(*measures):
            return [Coordinate(self.name if label is None else f"{self.name}.{label}", self.bodies, *measure)
                    for label, measure in zip(self._labels([measure[1] for measure in measures]), measures)]
        angle, slide = (self._angle, True), (lambda m: self._along(m, self.axis), False)
        spins = [(lambda m, k=k: self._spin(m, k), True, True) for k in range(3)]
        if self.kind == "compound":
            def measure(k):
                return lambda motions: motions.auxiliary(self.auxiliary_start + k)
            coordinates = named(*[(measure(k), turn) for k, (turn, _) in enumerate(self.moves)])
            for k, coordinate in enumerate(coordinates):
                coordinate.auxiliary = (self, k)
            return coordinates
        return named(*{
            "fixed": lambda: [], "revolute": lambda: [angle], "screw": lambda: [angle], "prismatic": lambda: [slide],
            "cylindrical": lambda: [angle, slide],
            "universal": lambda: [(self._first_angle, True), (self._second_angle, True)],
            "planar": lambda: [(lambda m: self._along(m, x), False), (lambda m: self._along(m, y), False), angle],
            "spherical": lambda: spins,
            "free": lambda: spins + [(lambda m, k=k: self._speed(m, k), False, True) for k in range(3)],
        }[self.kind]())

    # rows
    def rows(self, motions):
        kind = self.kind
        if kind == "free":
            return []
        gap = self._gap(motions)
        if kind == "compound":
            return self._compound_rows(motions, gap)
        if kind == "spherical":
            return gap
        if kind == "universal":
            return gap + [dot(self.F.direction(motions, self.axis), self.M.direction(motions, self.axis2))]
        if kind == "fixed":
            return gap + same_rotation(self.F.axes(motions), self.M.axes(motions))
        e1, e2 = self.F.direction(motions, self.e1), self.F.direction(motions, self.e2)
        if kind == "prismatic":
            return [dot(e1, gap), dot(e2, gap)] + same_rotation(self.F.axes(motions), self.M.axes(motions))
        axis = self.M.direction(motions, self.axis)
        parallel = [dot(e1, axis), dot(e2, axis)]
        if kind == "revolute":
            return gap + parallel
        if kind == "planar":
            return [dot(self.F.direction(motions, self.axis), gap)] + parallel
        rows = [dot(e1, gap), dot(e2, gap)] + parallel
        if kind == "screw":
            rows.append(self._along(motions, self.axis) - (self._angle(motions) + self.screw_turns) * self.pitch)
        return rows

    def _compound_rows(self, motions, gap):
        """M follows from F by one motion after the other: six rows with the coordinates among the unknowns."""
        R = transpose(self.F.axes(motions))
        place = [Jet(ZERO)] * 3
        for k, (turn, axis) in enumerate(self.moves):
            q = motions.auxiliary(self.auxiliary_start + k)
            if turn:
                s, c = q.sin(), q.cos()
                x, y, z = axis
                skew = [[ZERO, -z, y], [z, ZERO, -x], [-y, x, ZERO]]
                step = [[c * (IDENTITY[i][j] - axis[i] * axis[j]) + s * skew[i][j] + axis[i] * axis[j]
                         for j in range(3)] for i in range(3)]
                R = multiply(R, step)
            else:
                place = plus(place, [dot(row, [q * x for x in axis]) for row in R])
        return minus(gap, place) + same_rotation(transpose(R), self.M.axes(motions))


class Point(Element):
    """Two places are one."""

    def __init__(self, name, a, b):
        self.name, self.a, self.b, self.bodies = name, a, b, [a.body, b.body]

    def rows(self, motions):
        return minus(self.b.point(motions), self.a.point(motions))


class Weld(Point):
    def rows(self, motions):
        return super().rows(motions) + same_rotation(self.a.axes(motions), self.b.axes(motions))


class Distance(Point):
    def __init__(self, name, a, b, distance):
        super().__init__(name, a, b)
        self.distance = distance

    def length(self, motions):
        gap = super().rows(motions)
        return dot(gap, gap).sqrt()

    def rows(self, motions):
        return [self.length(motions) - self.distance]


class Combination(Element):
    """A sum of factors times joint coordinates that is constant: couplings, locked joints, prescribed motions."""

    def __init__(self, name, terms, value=ZERO, acceleration=ZERO):
        self.name, self.terms, self.value, self.acceleration = name, terms, value, acceleration
        self.bodies = sorted({body for coordinate, _ in terms for body in coordinate.bodies})
        self.turns = ZERO  # whole turns: added to measured angles

    def rows(self, motions):
        total = Jet(self.turns - self.value, ZERO, -self.acceleration)
        for coordinate, factor in self.terms:
            total = total + coordinate.jet(motions) * factor
        return [total]


class RateCombination(Combination):
    """The same for coordinates that only have rates."""
    holonomic = False

    def rows(self, motions):
        total = Jet(ZERO, -self.acceleration)
        for coordinate, factor in self.terms:
            total = total + coordinate.jet(motions) * factor
        return [total]


class WheelHeight(Element):
    """The lowest point of the rim is on the floor z = 0 of ground; a ball's center is at its radius."""

    def __init__(self, name, kind, placement, axis, radius):
        self.name, self.kind, self.hub, self.axis, self.radius = name, kind, placement, axis, radius
        self.bodies = [placement.body]

    def contact(self, motions):
        """The lowest point: radius against the part of the floor's normal across the axle."""
        center = self.hub.point(motions)
        up = [Jet(ZERO), Jet(ZERO), Jet(ONE)]
        if self.kind != "ball":
            axle = self.hub.direction(motions, self.axis)
            up = minus(up, times(axle, axle[2]))
            up = times(up, dot(up, up).sqrt().inverse())
        return minus(center, times(up, self.radius))

    def rows(self, motions):
        return [self.contact(motions)[2]]


class WheelRolling(WheelHeight):
    """The wheel's material at the contact does not slip in the directions that its kind forbids."""
    holonomic = False

    def __init__(self, name, kind, placement, axis, radius, roller=None):
        super().__init__(name, kind, placement, axis, radius)
        self.roller = roller  # cosine and sine of the angle of an omni wheel's roller

    def rows(self, motions):
        slip = motions(self.hub.body).velocity_at(self.contact(motions))
        if self.kind == "ball":
            return slip[:2]
        axle = self.hub.direction(motions, self.axis)
        scale = (axle[0] * axle[0] + axle[1] * axle[1]).sqrt().inverse()
        side = [axle[0] * scale, axle[1] * scale]
        lateral, along = side[0] * slip[0] + side[1] * slip[1], side[0] * slip[1] - side[1] * slip[0]
        if self.kind == "conventional":
            return [along, lateral]
        if self.kind == "knife-edge":
            return [lateral]
        return [lateral * self.roller[0] + along * self.roller[1]]  # omni: the axle turned about the normal
