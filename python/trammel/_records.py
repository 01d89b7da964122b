"""Values with names: what is said of a mechanism, and what is answered."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from trammel._names import (
    ConstraintKind, Drive, JointKind, JointStepKind, Role, ShapeKind, WheelKind)

if TYPE_CHECKING:
    from trammel._engine import Expr, Model, State

    Number = Union[float, Expr]  # SI units and radians
    Numbers = Union[Number, Sequence[Number]]
    Vector3 = Union[Sequence[Number], NDArray[Any]]

Floats = NDArray[np.float64]


# What is said.


class Place(NamedTuple):
    """Where something was said: line and column from 1, 0 if not known."""

    file: str
    line: int
    column: int


class Placement(NamedTuple):
    """Where a frame sits on a body: moved by xyz [m], turned about the fixed x, then y, then z axis
    by rpy [rad]."""

    xyz: Vector3 = (0.0, 0.0, 0.0)
    rpy: Vector3 = (0.0, 0.0, 0.0)


class Solid(NamedTuple):
    """What a body weighs: mass [kg], centre of mass [m], inertia about it [kg m^2].

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
    restitution: Numbers = ()  # given: the limits of position are hard stops


class Shape(NamedTuple):
    """What a body looks like; sizes as its kind needs them [m]."""

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
    """What was said of a body."""

    name: str
    solid: Solid
    shapes: Tuple[Shape, ...]
    place: Place


class JointDescription(NamedTuple):
    """What was said of a joint."""

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
    """What was said of a named place."""

    name: str
    body: str
    at: Placement
    place: Place


class WheelDescription(NamedTuple):
    """What was said of a rolling contact."""

    name: str
    body: str
    on: str
    axis: Vector3
    radius: Number
    kind: WheelKind
    roller_angle: Number
    roller_radius: Optional[Number]
    friction: Optional[Number]  # what the floor can hold sideways, as a part of the force up
    trail: Number  # of a caster
    mass: Number  # of a caster's wheel
    at: Placement
    touches: bool
    place: Place


class CouplingDescription(NamedTuple):
    """What was said of a relation between joints: the sum of factor times coordinate is offset."""

    name: str
    terms: Dict[str, Number]
    offset: Number
    place: Place


class ConstraintDescription(NamedTuple):
    """What was said of two frames that are held together."""

    name: str
    kind: ConstraintKind
    frame: str
    other_frame: str
    distance: Number
    active: bool
    place: Place


class SpringDescription(NamedTuple):
    """What was said of a spring between two frames."""

    name: str
    frame: str
    other_frame: str
    stiffness: Number
    length: Number
    damping: Number
    place: Place


class InputDescription(NamedTuple):
    """An effort over time; its numbers by their names."""

    name: str
    joint: str
    profile: str
    numbers: Dict[str, Sequence[Number]]
    place: Place


class TerrainDescription(NamedTuple):
    """What was said of a floor that is not flat: a formula of x and y, or heights over a grid."""

    name: str
    on: str
    height: str
    with_: Dict[str, Number]  # what the formula's other names are worth
    start: Sequence[Number]  # x and y of the first height
    spacing: Sequence[Number]
    heights: Tuple[Sequence[Number], ...]  # one list for each x, along y
    place: Place


class ContactDescription(NamedTuple):
    """What was said of a ball or point that may touch a floor."""

    name: str
    body: str
    on: str
    at: Vector3
    radius: Number
    stiffness: Number
    dissipation: Number
    friction: Number
    slip_speed: Number
    place: Place


class MotorDescription(NamedTuple):
    """What was said of what turns a joint."""

    name: str
    joint: str
    gear: Number
    rotor_inertia: Number
    stall_torque: Optional[Number]
    no_load_speed: Optional[Number]
    place: Place


class WrenchDescription(NamedTuple):
    """What was said of a moment and a force from outside."""

    name: str
    at: str
    is_in_own_axes: bool
    moment: Optional[InputDescription]
    force: Optional[InputDescription]
    place: Place


class ControllerDescription(NamedTuple):
    """What was said of what holds a joint at a target."""

    name: str
    joint: str
    p: Number
    i: Number
    d: Number
    filter: Number
    limit: Optional[Number]
    is_rate_of_joint: bool
    target: InputDescription
    place: Place


class EventDescription(NamedTuple):
    """What was said of something that happens at a time, or when a value is crossed."""

    name: str
    time: Optional[Number]
    joint: str
    value: Number
    way: str
    every: bool
    lock: Tuple[str, ...]
    unlock: Tuple[str, ...]
    grasp: Tuple[str, ...]
    release: Tuple[str, ...]
    stops: bool
    place: Place


class WheelContact(NamedTuple):
    """Where a wheel touches its floor, and what the floor does to it."""

    wheel: str
    point: Floats  # in the world [m]
    forces: Dict[str, float]  # [N] 'force up', 'force across', 'force along', ...
    is_unique: Dict[str, bool]
    lifts: bool  # the floor would have to pull
    friction_needed: float  # so that it does not slip
    slips: bool  # the floor cannot hold that much; False where its friction was not said
    roller_rate: Optional[float]  # of the roller that touches [rad/s], if its radius was said


class ContactForce(NamedTuple):
    """How the ball of a contact stands to its floor, and what the floor does to it."""

    contact: str
    point: Floats  # of the ball, nearest to the floor, in the world [m]
    depth: float  # in the floor [m]; below 0: how far from touching
    sliding: float  # along the floor, where it touches [m/s]
    press: float  # across the floor, never below 0 [N]
    normal: Floats  # on the ball, across the floor, in the world's axes [N]
    friction: Floats  # on the ball, along the floor, in the world's axes [N]


class StartDescription(NamedTuple):
    """Where the motion of a joint starts."""

    joint: str
    values: Sequence[Number]
    place: Place


class KeptSection(NamedTuple):
    """A section of a file, as it was written."""

    name: str
    text: str
    place: Place


class ParameterDescription(NamedTuple):
    """A letter and its nominal value."""

    name: str
    value: float
    place: Place


class DefinitionDescription(NamedTuple):
    """A name for a formula of the parameters."""

    name: str
    formula: Number
    place: Place


class DhRow(NamedTuple):
    """One row of a table of Denavit and Hartenberg [m, rad]; q is added to theta, or to d."""

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
    mount: Vector3 = (0.0, 0.0, 0.0)  # how the gimbal is turned on the link before it (rpy)
    damping: Numbers = ()


class GalleryModel(NamedTuple):
    """A model that comes with Trammel."""

    name: str  # load("@" + name)
    file: str
    title: str
    text: str


# What a model is made of.


class Pose(NamedTuple):
    """Where a frame is in another: x_A = R x_B + p, R 3 x 3, p [m]."""

    R: Floats
    p: Floats

    @property
    def matrix(self) -> Floats:
        """The homogeneous 4 x 4 matrix."""
        X = np.eye(4)
        X[:3, :3] = self.R
        X[:3, 3] = self.p
        return X

    def inverse(self) -> Pose:
        """Where the other frame is in this one."""
        R = np.asarray(self.R)
        return Pose(R.T, -R.T @ np.asarray(self.p))

    def __matmul__(self, other: Pose) -> Pose:
        """X_AB @ X_BC is X_AC."""
        R = np.asarray(self.R)
        return Pose(R @ np.asarray(other.R), R @ np.asarray(other.p) + np.asarray(self.p))


class Body(NamedTuple):
    """A body as it was named."""

    name: str
    inboard: Optional[str]  # the joint it hangs from; None for ground
    carrier: int  # the moving body it is part of; 0 is ground
    place: Place


class Joint(NamedTuple):
    """A joint as it was named."""

    name: str
    kind: JointKind
    role: Role
    parent: str
    child: str
    is_reversed: bool  # the tree walks it from child to parent
    q_start: int
    nq: int
    v_start: int
    nv: int
    drive: Drive
    limits: JointLimits
    X_PF: Pose  # its frame on the parent
    X_CM: Pose  # its frame on the child
    place: Place

    @property
    def q(self) -> slice:
        """Where its coordinates are: state.q[joint.q]."""
        return slice(self.q_start, self.q_start + self.nq)

    @property
    def v(self) -> slice:
        """Where its freedoms are: state.v[joint.v]."""
        return slice(self.v_start, self.v_start + self.nv)


class Frame(NamedTuple):
    """A named place."""

    name: str
    body: str


# Answers.


class Energy(NamedTuple):
    """How much energy is in what can move [J]."""

    kinetic: float
    gravity: float
    elastic: float

    @property
    def total(self) -> float:
        """All of it [J]."""
        return self.kinetic + self.gravity + self.elastic


class Momentum(NamedTuple):
    """Angular [kg m^2/s], about the point asked for, and linear [kg m/s]."""

    angular: Floats
    linear: Floats


class MassCentre(NamedTuple):
    """The mass of what can move [kg], its centre [m], and how that moves [m/s]."""

    mass: float
    position: Floats
    velocity: Floats


class HybridMotion(NamedTuple):
    """Accelerations and efforts of all freedoms, nv each."""

    a: Floats
    tau: Floats


class RankPlan(NamedTuple):
    """Which rows are independent (in the order of their pivots), of how many in all; the singular
    values they were told apart by, largest first."""

    rows: Sequence[int]
    total: int
    singular: Sequence[float]


class ConstrainedMotion(NamedTuple):
    """Accelerations (nv), a multiplier per row, how many rows are independent, the road taken."""

    a: Floats
    multipliers: Floats
    rank: int
    road: str


class UniqueReactions(NamedTuple):
    """Per joint [moment; force], and which of the six are unique; length is how moments were measured
    where they are a choice [m], 0 where nothing was chosen."""

    force: Floats
    is_unique: NDArray[np.bool_]
    length: float


class DriveEfforts(NamedTuple):
    """Efforts of the tree's freedoms (nv), and of those of joints that close loops."""

    tau: Floats
    loop_tau: Floats


class LoopMotion(NamedTuple):
    """Positions and velocities of joints that close loops, in the order of loop_coordinate_names
    and loop_freedom_names."""

    q: Floats
    v: Floats


class LengthChange(NamedTuple):
    """A length of a mechanism and what it would have to be changed by, in metres; of a place, along
    which way, in the axes that its xyz is said in (zero for a distance)."""

    name: str
    by: float
    along: Floats


class Mobility(NamedTuple):
    """In how many ways a mechanism can move: nv less the rank of its rows for an instant, finite if
    it really goes somewhere; gruebler is what counting joints says. verdict: regular, bifurcation,
    shaky or nearly overconstrained. dependent: sets of rows that depend on each other. lengths: the
    least change that makes one that is nearly overconstrained move in finite_nearby ways. least and
    dropped: the last singular value that counts and the first that does not (None: all count), to
    the largest; below tolerance they are zero."""

    freedoms: int
    rows: int
    rank: int
    instantaneous: int
    finite: int
    gruebler: int
    least: float
    verdict: str
    dependent: Sequence[str]
    lengths: Sequence["LengthChange"]
    finite_nearby: int
    dropped: Optional[float]
    tolerance: float


class Topology(NamedTuple):
    """The graph of bodies and joints. kind: serial, tree, closed or complex; form, as people who
    build it say: serial open chain, serial closed chain, branched open chains, simple closed chain,
    multiple closed chain, mechanism with internal loops. bodies that are fixed to each other count
    once, ground among them. loops: joints on each way round, the one that closes it first.
    reference: the body without which only serial chains are left."""

    kind: str
    form: str
    floats: bool
    bodies: int
    joints: int
    loops: Sequence[Sequence[str]]
    internal_loops: int
    most_joints: int
    most_joined: Optional[str]
    reference: Optional[str]


class Actuation(NamedTuple):
    """Ways to move for an instant, the freedoms that are driven, how many of these are independent;
    under: ways that no drive reaches, over: drives beyond what is needed. least is near zero where
    the drives nearly lose a motion. unreached: per such motion, the freedoms that move, most first."""

    mobility: int
    driven: Sequence[str]
    rank: int
    under: int
    over: int
    least: float
    unreached: Sequence[Sequence[str]]


class Arm(NamedTuple):
    """From base to tip. wanted: the rank to move in every way, 6, or 3 in a plane; rank here and
    usual_rank at nearly every pose. ability: redundant, full or deficient."""

    base: str
    tip: str
    joints: Sequence[str]
    freedoms: int
    wanted: int
    rank: int
    usual_rank: int
    least: float
    ability: str
    usual_ability: str


class ConstraintNature(NamedTuple):
    """Holonomic: all follow from conditions on positions; else of_place has the rows that do not.
    Rheonomic, and not catastatic: time enters, by the planned motion of the joints in of_time."""

    is_holonomic: bool
    is_rheonomic: bool
    is_catastatic: bool
    of_place: Sequence[str]
    of_time: Sequence[str]


class Reachability(NamedTuple):
    """freedoms: ways to move; configuration: dimensions of the positions that loops and floors
    leave; growth: the growth vector, whose last entry is reachable; hidden: relations between
    positions that wheels hold. is_complete: deeper brackets were not needed."""

    freedoms: int
    configuration: int
    growth: Sequence[int]
    reachable: int
    hidden: int
    is_complete: bool


class RowNature(NamedTuple):
    """One row, j v + b = 0, by itself: the rate of a function, or so when multiplied by one."""

    name: str
    is_exact: bool
    is_integrable: bool
    is_rheonomic: bool
    is_catastatic: bool
    asymmetry: float


class Allocation(NamedTuple):
    """Efforts of the drives, those that give all they can, and the sum of weight times effort squared."""

    tau: Floats
    loop_tau: Floats
    at_limit: Sequence[str]
    cost: float


class DriveDemand(NamedTuple):
    """A efforts = needed; the drives are freedoms of the tree, then of joints that close loops. T: the
    ways to move."""

    A: Floats
    needed: Floats
    freedoms: Sequence[int]
    loop_freedoms: Sequence[int]
    T: Floats


class Conditioning(NamedTuple):
    """singular: as many as columns, largest first; anisotropy: 0 if isotropic; weakest: the motion that
    is felt least."""

    singular: Floats
    rank: int
    condition: float
    anisotropy: float
    weakest: Floats


class Ellipsoid(NamedTuple):
    """Half axes, longest first, and their directions in world axes as columns."""

    size: Floats
    axes: Floats


class Dexterity(NamedTuple):
    """J, 6 x drives: [omega; v] of the place by the rates of the drives; singular: of [length omega; v], as
    many as directions in which the place moves at nearly all poses; best_length: where the condition number
    is least, 0 if it has no effect; singular_because: in words, empty if it is not."""

    drives: Sequence[str]
    J: Floats
    ways: int
    decided: int
    directions: int
    length: float
    singular: Floats
    condition: float
    best_length: float
    best_condition: float
    linear: Ellipsoid
    angular: Ellipsoid
    singular_because: str


class WheelPlacing(NamedTuple):
    """Where a wheel with rollers sits under a platform [rad, m]."""

    roller_angle: float
    axle: float
    bearing: float
    distance: float
    radius: float = 0.1


class WheelRange(NamedTuple):
    """What may be chosen of a wheel: (from, to) of each; the same twice is given."""

    roller_angle: Sequence[float]
    axle: Sequence[float]
    bearing: Sequence[float]
    distance: Sequence[float]
    radius: float = 0.1


class LayoutSearch(NamedTuple):
    """The best layout, its conditioning, how often the search began and how often it came there."""

    layout: Sequence[WheelPlacing]
    found: Conditioning
    starts: int
    agreeing: int


class PlanarMotion(NamedTuple):
    """Of a place over a floor, in world axes [m, rad, s]."""

    x: float
    y: float
    yaw: float
    x_rate: float
    y_rate: float
    yaw_rate: float
    x_acceleration: float
    y_acceleration: float
    yaw_acceleration: float


class FollowErrors(NamedTuple):
    """Desired minus simulated: of the place at every sample, and the most of it and of every freedom."""

    times: Sequence[float]
    x: Sequence[float]
    y: Sequence[float]
    yaw: Sequence[float]
    most_x: float
    most_y: float
    most_yaw: float
    most_position: Floats
    most_velocity: Floats


class Target(NamedTuple):
    """Where a place is to come: its position [m], its rotation (3 x 3: the place's axes as columns),
    or both. In world axes."""

    place: Any  # a name, or at(...)
    position: Any = None
    rotation: Any = None


class MotionTarget(NamedTuple):
    """How a place is to move: angular, linear, or both. In world axes; a velocity, or an acceleration
    as people measure it."""

    place: Any
    angular: Any = None
    linear: Any = None


class Branch(NamedTuple):
    """One way to put a mechanism together, and how many of the random starts led there."""

    state: State
    met: int


class Complement(NamedTuple):
    """v = T u + planned, a = T u' + T_dot_u. independent: names of the freedoms whose velocities are
    u, none if orthonormal; least: how far the choice is from failing, 0 to 1."""

    T: Floats
    T_dot_u: Floats
    u: Floats
    planned: Floats
    independent: Sequence[str]
    least: float


class ConstrainedDerivatives(NamedTuple):
    """Of accelerations: dq along each column of T with u kept, dv by each of u, dtau by each effort."""

    dq: Floats
    dv: Floats
    dtau: Floats
    T: Floats
    independent: Sequence[str]


class MinimalEquations(NamedTuple):
    """inertia u' + bias = effort."""

    inertia: Floats
    bias: Floats
    effort: Floats
    independent: Sequence[str]


class RestrictedJacobian(NamedTuple):
    """[omega; v] of a place = J u, its acceleration J u' + rate."""

    J: Floats
    rate: Floats


class NaturalComplement(NamedTuple):
    """Twists of all bodies, t = T u, and the rows of every joint, A T = 0:
    M t' + gyroscopic = working + A^T lambda."""

    bodies: Sequence[str]
    rows: Sequence[str]
    A: Floats
    T: Floats
    t: Floats
    T_dot_u: Floats
    M: Floats
    gyroscopic: Floats
    working: Floats


class LockedJoints(NamedTuple):
    """What locked freedoms hold. released: how each would accelerate if all were let go; gives: how
    much more for a unit of effort in each, singular (rank) where they are placed badly. Those that
    close loops stay held: loop_names, loop_effort, loop_is_unique."""

    names: Sequence[str]
    effort: Floats
    is_unique: Sequence[bool]
    released: Floats
    gives: Floats
    rank: int
    immovable: Sequence[str]
    dependent: Sequence[str]
    loop_names: Sequence[str]
    loop_effort: Floats
    loop_is_unique: Sequence[bool]


class FreedomRoles(NamedTuple):
    """base, actuated, free or flexible, per freedom; order sorts them so, rigid of them before the
    flexible ones."""

    of: Sequence[str]
    order: Sequence[int]
    rigid: int


class FlexibleForm(NamedTuple):
    """inertia a + damping v + stiffness deflection + bias = input tau + constraint^T multipliers, of
    the flexible freedoms alone; and M_s W' + L_s W = T_s + J_s^T multipliers."""

    inertia: Floats
    input: Floats
    constraint: Floats
    bias: Floats
    stiffness: Floats
    damping: Floats
    deflection: Floats
    M_s: Floats
    L_s: Floats
    J_s: Floats
    W: Floats
    T_s: Floats


class FreeAndCorrection(NamedTuple):
    """Accelerations with all loops cut, and what the loops add to them."""

    free: Floats
    correction: Floats


class MassMatrixFactors(NamedTuple):
    """M = L^T D L, nv x nv each."""

    L: Floats
    D: Floats


class MassMatrixInverseFactors(NamedTuple):
    """M^-1 = L_inverse D_inverse L_inverse^T, nv x nv each."""

    L_inverse: Floats
    D_inverse: Floats


class Poses(NamedTuple):
    """The poses of all bodies in many states."""

    numbers: Floats  # (N, bodies, 4, 3): the columns of R, then p

    @property
    def R(self) -> Floats:
        """Rotations (N, bodies, 3, 3), a view: x_world = R x_body + p."""
        return self.numbers[..., :3, :].swapaxes(-1, -2)

    @property
    def p(self) -> Floats:
        """Positions (N, bodies, 3) [m], a view."""
        return self.numbers[..., 3, :]


class OperationCount(NamedTuple):
    """How many operations formulas take, each common part once."""

    additions: int
    multiplications: int
    divisions: int
    functions: int
    negations: int
    choices: int

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self)


class UnreachedMode(NamedTuple):
    """What no input reaches near a state: w^T A = eigenvalue w^T, w^T B = 0."""

    eigenvalue: complex  # of a pair, the one that swings forward
    of: NDArray[np.complex128]  # w, one entry a state, the largest 1
    name: str  # w^T x: "q.base[1] - 0.025 q.left"
    stabilisable: Optional[bool]  # by smooth feedback; None: small motions do not tell
    verdict: str


class Linearization(NamedTuple):
    """Motion near a state: x' = A x + B u, y = C x + D u."""

    A: Floats
    B: Floats
    C: Floats
    D: Floats
    states: List[str]  # "q.crank", "v.crank"
    inputs: List[str]  # "tau.motor"
    outputs: List[str]
    eigenvalues: NDArray[np.complex128]  # of A, the slowest first
    modes: NDArray[np.complex128]  # column k goes with eigenvalue k
    acceleration: float  # the largest at the state: 0 at an equilibrium
    unreached: List[UnreachedMode]  # what no input reaches


class Happening(NamedTuple):
    """Something on the way: an event, an impact, a stop, a limit, a singular pose."""

    time: float
    what: str
    energy_lost: float  # kinetic [J]


class MovingPlace(NamedTuple):
    """A place as it moves: what a wrench law of simulate is shown."""

    time: float
    q: Floats
    v: Floats
    pose: Pose  # in the world
    velocity: Floats  # [omega; v of the place], in world axes


class Touch(NamedTuple):
    """The ball of a contact in its floor: what a contact law of simulate is shown."""

    time: float
    q: Floats
    v: Floats
    depth: float  # [m] above 0: laws are asked only while it touches
    sinking: float  # [m/s] how fast the depth grows
    point: Floats  # where the ball is deepest, in the world
    normal: Floats  # out of the floor, of length 1
    sliding: Floats  # [m/s] of the ball along the floor, in world axes


class Event(NamedTuple):
    """An event of simulate that a function decides: it happens where value(time, q, v) passes zero.

    way: 'up', 'down' or 'both'. every: each time; otherwise once. stop ends the run; joints lock
    and unlock, constraints grasp and release. then(time, q, v) may give new velocities.
    """

    name: str
    value: Callable[[float, Floats, Floats], float]
    way: str = "both"
    stop: bool = False
    every: bool = False
    lock: Tuple[str, ...] = ()
    unlock: Tuple[str, ...] = ()
    grasp: Tuple[str, ...] = ()
    release: Tuple[str, ...] = ()
    then: Optional[Callable[[float, Floats, Floats], Optional[Sequence[float]]]] = None


@dataclass(frozen=True)
class Run:
    """A motion in time: one row a sample, one column a number."""

    names: List[str]
    units: List[str]
    values: Floats  # (samples, columns)
    state: State  # where it came to
    steps: int
    rejected: int
    stopped: Optional[str]  # why it did not reach its end
    happenings: Sequence[Happening] = ()
    model: Optional[Model] = None  # whose motion it is

    def __getitem__(self, name: str) -> Floats:
        """All samples of one column: run["q.elbow"]."""
        if name not in self.names:
            raise KeyError(f"the run has no '{name}'; it has {', '.join(self.names)}")
        return self.values[:, self.names.index(name)]

    @property
    def time(self) -> Floats:
        """The times of the samples [s]."""
        return self.values[:, 0]


class BatchRun(NamedTuple):
    """Many runs of one model: where each was, sample by sample."""

    time: Floats  # (samples,) [s]
    q: Floats  # (samples, runs, nq)
    v: Floats  # (samples, runs, nv)
    stopped: List[Optional[str]]  # by run: when and why it did not reach its end


Run.__module__ = "trammel"
for _class in list(vars().values()):
    if isinstance(_class, type) and issubclass(_class, tuple) and _class is not tuple:
        if _class.__module__ == __name__:
            _class.__module__ = "trammel"
