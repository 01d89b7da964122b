"""Results of design: effort allocation, conditioning, dexterity and isotropic layouts."""
from __future__ import annotations

from typing import NamedTuple, Sequence

from trammel._arrays import JointArray
from trammel._number_types import Floats


class Allocation(NamedTuple):
    """Efforts of the drives, the drives at their limits, and the sum of weight times effort squared."""

    tau: JointArray
    loop_tau: JointArray
    at_limit: Sequence[str]
    cost: float


class DriveDemand(NamedTuple):
    """A efforts = needed; the drives are degrees of freedom of the tree, then of loop joints. T: null-space
    basis of the motions."""

    A: Floats
    needed: Floats
    dofs: Sequence[int]
    loop_dofs: Sequence[int]
    T: Floats


class Conditioning(NamedTuple):
    """singular: singular values, one per column, largest first; anisotropy: 0 if isotropic; weakest: the
    motion of the smallest singular value."""

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
    """J, 6 x drives: [omega; v] of the place by the rates of the drives; singular: singular values of
    [length omega; v], one per direction in which the place moves at nearly all poses; best_length: length
    with the smallest condition number, 0 if it has no effect; singular_because: in words, empty if it is not
    singular."""

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
    """Position and orientation of a wheel with rollers under a platform [rad, m]."""

    roller_angle: float
    axle: float
    bearing: float
    distance: float
    radius: float = 0.1


class WheelRange(NamedTuple):
    """Ranges of the design variables of a wheel: (from, to) of each; equal values fix it."""

    roller_angle: Sequence[float]
    axle: Sequence[float]
    bearing: Sequence[float]
    distance: Sequence[float]
    radius: float = 0.1


class LayoutSearch(NamedTuple):
    """The best layout, its conditioning, the number of starts of the search and how many of them found it."""

    layout: Sequence[WheelPlacing]
    found: Conditioning
    starts: int
    agreeing: int


class PlanarMotion(NamedTuple):
    """Planar motion of a place, in world axes [m, rad, s]."""

    x: float
    y: float
    yaw: float
    x_rate: float
    y_rate: float
    yaw_rate: float
    x_acceleration: float
    y_acceleration: float
    yaw_acceleration: float


class TrackingErrors(NamedTuple):
    """Errors, desired minus simulated: of the place at every sample, and the largest of it and of every
    degree of freedom."""

    times: Sequence[float]
    x: Sequence[float]
    y: Sequence[float]
    yaw: Sequence[float]
    most_x: float
    most_y: float
    most_yaw: float
    most_position: Floats
    most_velocity: Floats
