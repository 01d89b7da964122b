"""A model file as bodies and constraint rows. What the judge does not know it refuses by name."""
import tomllib

from .arithmetic import IDENTITY, ONE, ZERO, Decimal, cos, dot, minus, multiply, rotation, sin, transpose, unit
from .elements import Combination, Distance, Joint, Placement, Point, RateCombination, Weld, WheelHeight, WheelRolling
from .expression import Parameters


class Refused(Exception):
    pass


def known(what, table, keys):
    for key in table:
        if key not in keys.split():
            raise Refused(f"{what}: the judge does not know '{key}'")


class Body:
    def __init__(self, name, mass=ZERO, com=(ZERO,) * 3, inertia=None):
        self.name, self.mass, self.com = name, mass, list(com)
        self.inertia = inertia or [[ZERO] * 3 for _ in range(3)]  # about the center of mass, in the body's axes


class Spring:
    def __init__(self, name, length, stiffness, rest, damping):
        self.name, self.length, self.stiffness, self.rest, self.damping = name, length, stiffness, rest, damping


class Mechanism:
    """`bodies`, `elements` with rows, `coordinates` by name, what acts, and the start that the file gives."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.file = tomllib.load(file, parse_float=Decimal)
        known("model", self.file, "trammel name gravity parameters body frame joint wheel coupling constraint spring state")
        self.parameters = Parameters(self.file.get("parameters", {}))
        self.number = self.parameters.within({})
        self.gravity = [self.number(x) for x in self.file.get("gravity", [0, 0, Decimal("-9.81")])]
        self.bodies = {name: self._body(name, table) for name, table in self.file.get("body", {}).items()}
        self.frames = {}
        for name, table in self.file.get("frame", {}).items():
            self.frames[name] = self._placement(table["body"], table.get("at", {}))
        self.elements, self.joints, self.coordinates = [], {}, {}
        self.springs, self.joint_springs, self.driven = [], [], []
        for name, table in self.file.get("joint", {}).items():
            self._joint(name, table)
        for name, table in self.file.get("coupling", {}).items():
            known(f"coupling '{name}'", table, "terms offset")
            terms = [(self._coordinate(key), self.number(value)) for key, value in table["terms"].items()]
            self.elements.append(Combination(f"coupling '{name}'", terms, self.number(table.get("offset", 0))))
        for name, table in self.file.get("constraint", {}).items():
            self._constraint(name, table)
        for name, table in self.file.get("spring", {}).items():
            self._spring(name, table)
        for name, table in self.file.get("wheel", {}).items():
            self._wheel(name, table)
        self._start(self.file.get("state", {}))
        self.unknowns = list(self.bodies)
        self.auxiliaries = 0
        for joint in self.joints.values():
            joint.auxiliary_start = self.auxiliaries
            self.auxiliaries += joint.auxiliary

    # geometry
    def _vector(self, values, number=None):
        return [(number or self.number)(x) for x in values]

    def _rotation(self, rpy):
        x, y, z = IDENTITY
        return multiply(multiply(rotation(z, rpy[2]), rotation(y, rpy[1])), rotation(x, rpy[0]))

    def _placement(self, body, table):
        known("placement", table, "xyz rpy")
        if body != "ground" and body not in self.bodies:
            raise Refused(f"there is no body '{body}'")
        return Placement(body, self._rotation(self._vector(table.get("rpy", [0, 0, 0]))), self._vector(table.get("xyz", [0, 0, 0])))

    def _axis(self, value):
        if isinstance(value, str):
            sign = -1 if value.startswith("-") else 1
            return [sign * x for x in IDENTITY["xyz".index(value[-1])]]
        return unit(self._vector(value))

    def _place(self, name):
        if name in self.frames:
            return self.frames[name]
        return self._placement(name, {})

    # bodies
    def _body(self, name, table):
        known(f"body '{name}'", table, "mass com inertia shape")
        number = self.parameters.within(table)
        mass = number(table.get("mass", 0), "mass")
        inertia = table.get("inertia", [0, 0, 0])
        if inertia == "from shape":
            return self._from_shape(name, mass, table["shape"])
        entries = self._vector(inertia, number) + [ZERO] * (6 - len(inertia))
        xx, yy, zz, xy, xz, yz = entries
        return Body(name, mass, self._vector(table.get("com", [0, 0, 0]), number), [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    def _from_shape(self, name, mass, shapes):
        parts = []
        for shape in shapes if isinstance(shapes, list) else [shapes]:
            at = self._placement("ground", shape.get("at", {}))
            known(f"body '{name}': shape", shape, "box sphere cylinder at color name")
            if "box" in shape:
                x, y, z = self._vector(shape["box"])
                volume, principal = x * y * z, [(y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12]
            elif "sphere" in shape:
                r = self.number(shape["sphere"])
                volume, principal = r ** 3 * 4 / 3 * self.number("pi"), [r * r * 2 / 5] * 3
            else:
                r, h = self._vector(shape["cylinder"])
                volume, principal = self.number("pi") * r * r * h, [(3 * r * r + h * h) / 12] * 2 + [r * r / 2]
            parts.append((volume, at, principal))
        whole = sum(volume for volume, _, _ in parts)
        com = [sum(volume * at.p[k] for volume, at, _ in parts) / whole for k in range(3)]
        inertia = [[ZERO] * 3 for _ in range(3)]
        for volume, at, principal in parts:
            m, d = mass * volume / whole, minus(at.p, com)
            turned = multiply(multiply(at.R, [[principal[i] if i == j else ZERO for j in range(3)] for i in range(3)]), transpose(at.R))
            for i in range(3):
                for j in range(3):
                    inertia[i][j] += m * (turned[i][j] + (dot(d, d) if i == j else ZERO) - d[i] * d[j])
        return Body(name, mass, com, inertia)

    # connections
    def _joint(self, name, table):
        known(f"joint '{name}'", table, "type parent child at child_at axis axis2 motions pitch drive cut spring limits")
        kind = table["type"]
        axis, axis2 = self._axis(table.get("axis", "z")), self._axis(table.get("axis2", "x"))
        if kind == "planar" and axis != IDENTITY[2]:
            raise Refused(f"joint '{name}': the judge knows planar joints across z only")
        if kind == "universal" and abs(dot(axis, axis2)) > Decimal("1e-50"):
            raise Refused(f"joint '{name}': its axes are not at right angles")
        moves = [("turn" in move, self._axis(next(iter(move.values())))) for move in table.get("motions", [])]
        joint = Joint(name, kind, self._placement(table["parent"], table.get("at", {})),
                      self._placement(table["child"], table.get("child_at", {})), axis, axis2,
                      self.number(table["pitch"]) if kind == "screw" else None, moves)
        joint.closes_loop = table.get("cut", False)
        self.joints[name] = joint
        self.elements.append(joint)
        for coordinate in joint.coordinates:
            self.coordinates[coordinate.name] = coordinate
        drive = table.get("drive", "none")
        if drive in ("locked", "motion"):
            for coordinate in joint.coordinates:
                kind_of_row = RateCombination if coordinate.is_rate else Combination
                row = kind_of_row(f"joint '{name}', {drive}", [(coordinate, ONE)])
                row.drive, row.coordinate = drive, coordinate
                self.elements.append(row)
                self.driven.append(row)
        if "spring" in table:
            spring = table["spring"]
            known(f"joint '{name}': spring", spring, "stiffness rest damping")
            if len(joint.coordinates) != 1 and any(isinstance(x, list) for x in spring.values()):
                raise Refused(f"joint '{name}': the judge knows springs with one number for all")
            values = [self.number(spring.get(key, 0)) for key in ("stiffness", "rest", "damping")]
            self.joint_springs += [(coordinate, *values) for coordinate in joint.coordinates]

    def _coordinate(self, name):
        if name not in self.coordinates:
            raise Refused(f"there is no joint coordinate '{name}'")
        return self.coordinates[name]

    def _constraint(self, name, table):
        known(f"constraint '{name}'", table, "type between distance active")
        if not table.get("active", True):
            return
        a, b = (self._place(place) for place in table["between"])
        kind, label = table["type"], f"constraint '{name}'"
        self.elements.append(Point(label, a, b) if kind == "point" else Weld(label, a, b) if kind == "weld"
                             else Distance(label, a, b, self.number(table["distance"])))

    def _spring(self, name, table):
        known(f"spring '{name}'", table, "between stiffness length damping")
        number = self.parameters.within(table)
        a, b = (self._place(place) for place in table["between"])
        self.springs.append(Spring(name, Distance(name, a, b, ZERO), number(table.get("stiffness", 0)),
                                   number(table.get("length", 0)), number(table.get("damping", 0))))

    def _wheel(self, name, table):
        known(f"wheel '{name}'", table, "type body axis radius roller_angle at on touches")
        kind = table.get("type", "conventional")
        if kind == "caster" or table.get("on", "ground") != "ground":
            raise Refused(f"wheel '{name}': the judge knows no casters, and wheels on the floor of ground only")
        number = self.parameters.within(table)
        hub, axis = self._placement(table["body"], table.get("at", {})), self._axis(table.get("axis", "y"))
        radius, roller = number(table.get("radius", 0)), None
        if kind == "omni":
            angle = number(table["roller_angle"])
            roller = (cos(angle), sin(angle))
        if table.get("touches", True):
            self.elements.append(WheelHeight(f"wheel '{name}'", kind, hub, axis, radius))
        self.elements.append(WheelRolling(f"wheel '{name}'", kind, hub, axis, radius, roller))

    # the start
    def _start(self, state):
        known("state", state, "position velocity")
        self.positions, self.velocities = {}, {}
        for given, into in ((state.get("position", {}), self.positions), (state.get("velocity", {}), self.velocities)):
            for key, value in given.items():
                if isinstance(value, list):
                    into[key] = self._vector(value)
                else:
                    into[key] = [self.number(value)]
        for key in [*self.positions, *self.velocities]:
            if key not in self.joints:
                raise Refused(f"state: there is no joint '{key}'")
