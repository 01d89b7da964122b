"""Answers to questions on loops and wheels."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, NamedTuple, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from trammel._numbers import Floats

if TYPE_CHECKING:
    from trammel._engine import State


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
    """Efforts of the tree's freedoms (nv), and of those of joints that close loops. Per entry, whether the
    motion determines it: drives that could take each other's share have the least sum of squares."""

    tau: Floats
    loop_tau: Floats
    is_unique: NDArray[np.bool_]
    loop_is_unique: NDArray[np.bool_]


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
