"""Words that are fixed: members of string enumerations, so the plain words will do as well."""
import enum


class JointKind(str, enum.Enum):
    """What a joint lets happen."""

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


class Drive(str, enum.Enum):
    """Who decides how a joint moves: nobody, an effort, a planned motion; or it is held."""

    none = "none"
    torque = "torque"
    motion = "motion"
    locked = "locked"


class Axes(str, enum.Enum):
    """Whose axes an answer is told in: those of the place itself, or the world's."""

    body = "body"
    world = "world"


class Base(str, enum.Enum):
    """What carries the root of a file that does not say it: ground, or nothing."""

    fixed = "fixed"
    free = "free"


class Severity(str, enum.Enum):
    """How bad it is."""

    warning = "warning"
    error = "error"


class Role(str, enum.Enum):
    """What a joint does in the spanning tree: carry, carry without moving, or close a loop."""

    tree = "tree"
    fixed = "fixed"
    loop = "loop"


class DhConvention(str, enum.Enum):
    """Which of the two tables of Denavit and Hartenberg."""

    standard = "standard"
    modified = "modified"


class JointStepKind(str, enum.Enum):
    """One step of a compound joint."""

    turn = "turn"
    slide = "slide"


class ShapeKind(str, enum.Enum):
    """What a body looks like."""

    box = "box"
    sphere = "sphere"
    cylinder = "cylinder"
    capsule = "capsule"
    mesh = "mesh"


class WheelKind(str, enum.Enum):
    """How a wheel touches."""

    conventional = "conventional"
    omni = "omni"
    ball = "ball"
    knife_edge = "knife_edge"
    caster = "caster"


class ConstraintKind(str, enum.Enum):
    """What a constraint holds together."""

    point = "point"
    weld = "weld"
    distance = "distance"


for _class in list(vars().values()):
    if isinstance(_class, type) and issubclass(_class, enum.Enum):
        _class.__str__ = str.__str__  # type: ignore[assignment]
        _class.__module__ = "trammel"
