"""Results for loops and wheels."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, NamedTuple, Optional, Sequence

import numpy as np

from trammel._arrays import JointArray
from trammel._number_types import Floats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trammel._engine import State


class WheelContact(NamedTuple):
    """Contact point of a wheel, and the force of the ground on it."""

    wheel: str
    point: Floats  # in the world [m]
    forces: Dict[str, float]  # [N] 'force up', 'force across', 'force along', ...
    is_unique: Dict[str, bool]
    lifts: bool  # the ground would have to pull
    friction_needed: float  # friction coefficient needed so that it does not slip
    slips: bool  # friction is exceeded; False if its coefficient is not given
    roller_rate: Optional[float]  # rate of the roller in contact [rad/s], if its radius is given


class ContactForce(NamedTuple):
    """Penetration of a contact sphere into the ground, and the contact force."""

    contact: str
    point: Floats  # point of the sphere nearest to the ground, in the world [m]
    depth: float  # penetration [m]; below 0: distance from touching
    sliding: float  # tangential, at the contact point [m/s]
    press: float  # normal force, never below 0 [N]
    normal: Floats  # on the sphere, normal to the ground, in world axes [N]
    friction: Floats  # on the sphere, tangential, in world axes [N]


class RowBasis(NamedTuple):
    """Independent constraint rows (in the order of their pivots), the number of all rows, and the singular
    values of the rank decision, largest first."""

    rows: Sequence[int]
    total: int
    singular: Sequence[float]


class ConstrainedMotion(NamedTuple):
    """Accelerations (nv), one multiplier per row, the number of independent rows, the solver used."""

    a: JointArray
    multipliers: Floats
    rank: int
    solver: str


class UniqueReactions(NamedTuple):
    """Per joint [moment; force], force["elbow"], and which of the six components are unique; length scales
    moments in the minimum norm [m], 0 if all are unique."""

    force: JointArray
    is_unique: JointArray
    length: float


class DriveEfforts(NamedTuple):
    """Efforts of the tree's degrees of freedom (nv), and of those of loop joints. Per entry, whether the
    motion determines it: redundant drives have the least sum of squares."""

    tau: JointArray
    loop_tau: JointArray
    is_unique: JointArray
    loop_is_unique: JointArray


class LoopMotion(NamedTuple):
    """Positions and velocities of loop joints, in the order of loop_coordinate_names and loop_dof_names:
    q["foot"]."""

    q: JointArray
    v: JointArray


class LengthChange(NamedTuple):
    """A length of a mechanism and its necessary change in meters; for the position of a frame also the
    direction, in the axes of its xyz (zero for a distance)."""

    name: str
    by: float
    along: Floats


class Target(NamedTuple):
    """Target of inverse kinematics: position of a place [m], its rotation (3 x 3: the place's axes as
    columns), or both. In world axes."""

    place: Any  # a name, or a FrameRef
    position: Any = None
    rotation: Any = None


class MotionTarget(NamedTuple):
    """Target motion of a place: angular, linear, or both. In world axes; a velocity or an acceleration."""

    place: Any
    angular: Any = None
    linear: Any = None


class Branch(NamedTuple):
    """One assembly branch, and how many of the random starts led there."""

    state: State
    met: int


class OrthogonalComplement(NamedTuple):
    """v = T u + prescribed, a = T u' + T_dot_u. independent: names of the degrees of freedom whose velocities
    are u, none if orthonormal; least: distance of the choice from a singular one, 0 to 1."""

    T: Floats
    T_dot_u: Floats
    u: Floats
    prescribed: Floats
    independent: Sequence[str]
    least: float


class ConstrainedDerivatives(NamedTuple):
    """Derivatives of accelerations: dq along each column of T with u fixed, dv by each entry of u, dtau by
    each effort."""

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
    """Efforts in locked degrees of freedom. released: accelerations if all were released; gives: additional
    acceleration per unit of effort in each, singular (rank) if they are placed badly. Loop joints stay
    locked: loop_names, loop_effort, loop_is_unique."""

    names: Sequence[str]
    effort: Floats
    is_unique: Sequence[bool]
    released: JointArray
    gives: Floats
    rank: int
    immovable: Sequence[str]
    dependent: Sequence[str]
    loop_names: Sequence[str]
    loop_effort: Floats
    loop_is_unique: Sequence[bool]


class DofRoles(NamedTuple):
    """Role of each degree of freedom: base, actuated, free or flexible; order sorts them by role, the first
    `rigid` ones are not flexible."""

    of: Sequence[str]
    order: Sequence[int]
    rigid: int
