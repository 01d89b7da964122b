"""Is it a good mechanism, and which one would be better?"""
from __future__ import annotations

from typing import NamedTuple, Sequence

from trammel._numbers import Floats


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
