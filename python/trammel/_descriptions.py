"""Descriptions of a mechanism: its bodies, joints and constraints."""
from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from trammel._names import ConstraintKind, Drive, JointKind, JointStepKind, ShapeKind, WheelKind

if TYPE_CHECKING:
    from trammel._number_types import Number, Numbers, Vector3


class Place(NamedTuple):
    """Place in a file: line and column from 1, 0 if not known."""

    file: str
    line: int
    column: int


class Placement(NamedTuple):
    """Pose of a frame on a body: translated by xyz [m], rotated about the fixed x, then y, then z axis by
    rpy [rad]."""

    xyz: Vector3 = (0.0, 0.0, 0.0)
    rpy: Vector3 = (0.0, 0.0, 0.0)


class Solid(NamedTuple):
    """Mass properties of a body: mass [kg], center of mass [m], inertia about it [kg m^2].

    The inertia is xx, yy, zz or xx, yy, zz, xy, xz, yz, in the body's axes.
    """

    mass: Number = 0.0
    com: Vector3 = (0.0, 0.0, 0.0)
    inertia: Sequence[Number] = (0.0, 0.0, 0.0)


class JointStep(NamedTuple):
    """One step of a compound joint; turn() and slide() make one."""

    kind: JointStepKind
    axis: Vector3


class JointLimits(NamedTuple):
    """Per coordinate, or one number for all coordinates of the joint; empty: no limit."""

    lower: Numbers = ()  # [rad] or [m]
    upper: Numbers = ()
    velocity: Numbers = ()
    effort: Numbers = ()
    restitution: Numbers = ()  # if given, the limits of position are hard stops


class Shape(NamedTuple):
    """Visual shape of a body; sizes as its kind needs them [m]."""

    kind: ShapeKind
    size: Vector3
    mesh: str
    scale: Vector3
    at: Placement
    color: Optional[Sequence[float]]
    is_collision: bool
    name: str
    place: Place


class BodyDescription(NamedTuple):
    """Description of a body."""

    name: str
    solid: Solid
    shapes: Tuple[Shape, ...]
    place: Place


class JointDescription(NamedTuple):
    """Description of a joint."""

    name: str
    kind: JointKind
    parent: str
    child: str
    at: Placement
    child_at: Placement
    axis: Vector3
    axis2: Vector3
    motions: Tuple[JointStep, ...]
    pitch: Number
    drive: Drive
    cut: bool
    stiffness: Sequence[Number]
    rest: Sequence[Number]
    damping: Sequence[Number]
    friction: Numbers
    friction_speed: Numbers
    limits: JointLimits
    place: Place


class FrameDescription(NamedTuple):
    """Description of a named frame."""

    name: str
    body: str
    at: Placement
    place: Place


class WheelDescription(NamedTuple):
    """Description of a rolling contact."""

    name: str
    body: str
    on: str
    axis: Vector3
    radius: Number
    kind: WheelKind
    roller_angle: Number
    roller_radius: Optional[Number]
    friction: Optional[Number]  # coefficient of friction sideways: largest lateral force relative to the normal force
    trail: Number  # trail of a caster
    mass: Number  # mass of a caster's wheel
    at: Placement
    touches: bool
    place: Place


class CouplingDescription(NamedTuple):
    """Description of a linear relation between joints: the sum of factor times coordinate is offset."""

    name: str
    terms: Dict[str, Number]
    offset: Number
    place: Place


class CurveDescription(NamedTuple):
    """Description of a curve: points of a cubic spline, or formulas of s from start to stop."""

    points: Tuple[Tuple[Number, Number, Number], ...]
    x: str
    y: str
    z: str
    with_: Dict[str, Number]  # values of the formulas' other names
    start: Number
    stop: Number
    closed: bool


class ConstraintDescription(NamedTuple):
    """Description of a constraint between two frames."""

    name: str
    kind: ConstraintKind
    frame: str
    other_frame: str
    distance: Number
    active: bool
    place: Place
    curve: Optional[CurveDescription] = None  # of kind curve


class SpringDescription(NamedTuple):
    """Description of a spring between two frames."""

    name: str
    frame: str
    other_frame: str
    stiffness: Number
    length: Number
    damping: Number
    place: Place


class BushingDescription(NamedTuple):
    """Description of a bushing between two frames: a spring and damper along x, y, z, then about them."""

    name: str
    frame: str
    other_frame: str
    stiffness: Union[Sequence[Number], Sequence[Sequence[Number]]]  # the diagonal, or six rows
    damping: Union[Sequence[Number], Sequence[Sequence[Number]]]
    preload: Sequence[Number]
    tables: Dict[str, Tuple[Sequence[Number], Sequence[Number]]]  # axis: displacements, forces
    interpolation: str
    place: Place


class StartDescription(NamedTuple):
    """Initial position or velocity of a joint."""

    joint: str
    values: Sequence[Number]
    place: Place


class RawSection(NamedTuple):
    """A section of a file, as raw text."""

    name: str
    text: str
    place: Place


class ParameterDescription(NamedTuple):
    """A symbol and its nominal value."""

    name: str
    value: float
    place: Place


class DefinitionDescription(NamedTuple):
    """A name for a formula of the parameters."""

    name: str
    formula: Number
    place: Place


class DhRow(NamedTuple):
    """One row of a Denavit-Hartenberg table [m, rad]; q is added to theta, or to d."""

    a: Number = 0.0
    alpha: Number = 0.0
    d: Number = 0.0
    theta: Number = 0.0
    kind: Union[JointKind, str] = JointKind.revolute  # or prismatic, or fixed
    solid: Optional[Solid] = None


class SdofLink(NamedTuple):
    """One link of an SDOF table: Rx, Ry, Rz [rad], Dx, Dy, Dz [m], and which of them move."""

    gamma: Sequence[Number]
    free: Sequence[str] = ()  # of "rx", "ry", "rz", "dx", "dy", "dz", in this order
    solid: Optional[Solid] = None
    mount: Vector3 = (0.0, 0.0, 0.0)  # rotation of the gimbal relative to the previous link (rpy)
    damping: Numbers = ()


class GalleryModel(NamedTuple):
    """A model that comes with Trammel."""

    name: str  # load("@" + name)
    file: str
    title: str
    text: str
    plain_name: str  # second, descriptive name of a model named after an example; or ""
    other_names: List[str]
    topics: List[str]  # "basics", "arms", "loops", ..., the main one first

    def __repr__(self) -> str:
        return f"GalleryModel('@{self.plain_name or self.name}', {self.title!r})"
