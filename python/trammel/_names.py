"""Fixed names: members of string enumerations; plain strings are accepted as well."""
import enum


class JointKind(str, enum.Enum):
    """Joint types."""

    fixed = "fixed"
    revolute = "revolute"
    prismatic = "prismatic"
    screw = "screw"
    cylindrical = "cylindrical"
    universal = "universal"
    spherical = "spherical"
    planar = "planar"
    free = "free"
    compound = "compound"
    constant_velocity = "constant_velocity"
    plunging_constant_velocity = "plunging_constant_velocity"


class Drive(str, enum.Enum):
    """Drive of a joint: none, an effort, a prescribed motion, or locked."""

    none = "none"
    torque = "torque"
    motion = "motion"
    locked = "locked"


class Axes(str, enum.Enum):
    """Axes of a quantity: those of the place itself, or the world's."""

    body = "body"
    world = "world"


class Base(str, enum.Enum):
    """Base of a file that does not define it: fixed to ground, or free."""

    fixed = "fixed"
    free = "free"


class Severity(str, enum.Enum):
    """Severity of a diagnostic."""

    warning = "warning"
    error = "error"


class Role(str, enum.Enum):
    """Role of a joint in the spanning tree: tree joint, fixed, or loop joint."""

    tree = "tree"
    fixed = "fixed"
    loop = "loop"


class DhConvention(str, enum.Enum):
    """Denavit-Hartenberg convention."""

    standard = "standard"
    modified = "modified"


class JointStepKind(str, enum.Enum):
    """One step of a compound joint."""

    turn = "turn"
    slide = "slide"


class ShapeKind(str, enum.Enum):
    """Visual shapes."""

    box = "box"
    sphere = "sphere"
    cylinder = "cylinder"
    capsule = "capsule"
    mesh = "mesh"


class WheelKind(str, enum.Enum):
    """Types of wheels."""

    conventional = "conventional"
    omni = "omni"
    ball = "ball"
    knife_edge = "knife_edge"
    caster = "caster"


class ConstraintKind(str, enum.Enum):
    """Types of constraints between frames."""

    point = "point"
    weld = "weld"
    distance = "distance"
    curve = "curve"


for _class in list(vars().values()):
    if isinstance(_class, type) and issubclass(_class, enum.Enum):
        _class.__str__ = str.__str__  # type: ignore[assignment]
        _class.__module__ = "trammel"
