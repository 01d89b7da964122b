"""Descriptions of terrain, contacts, motors, inputs, controllers and events."""
from __future__ import annotations

from typing import TYPE_CHECKING, Dict, NamedTuple, Optional, Sequence, Tuple

from trammel._descriptions import Place

if TYPE_CHECKING:
    from trammel._number_types import Number, Vector3


class InputDescription(NamedTuple):
    """An effort over time; the parameters of its profile by name."""

    name: str
    joint: str
    profile: str
    numbers: Dict[str, Sequence[Number]]
    place: Place


class TerrainDescription(NamedTuple):
    """Terrain: a formula of x and y, or heights on a grid."""

    name: str
    on: str
    height: str
    with_: Dict[str, Number]  # values of the formula's other names
    start: Sequence[Number]  # x and y of the first height
    spacing: Sequence[Number]
    heights: Tuple[Sequence[Number], ...]  # one list for each x, along y
    place: Place


class ContactDescription(NamedTuple):
    """Description of a sphere or point that may touch the ground."""

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
    """Description of the motor of a joint."""

    name: str
    joint: str
    gear: Number
    rotor_inertia: Number
    stall_torque: Optional[Number]
    no_load_speed: Optional[Number]
    place: Place


class WrenchDescription(NamedTuple):
    """Description of an external moment and force."""

    name: str
    at: str
    is_in_own_axes: bool
    moment: Optional[InputDescription]
    force: Optional[InputDescription]
    place: Place


class ControllerDescription(NamedTuple):
    """Description of a controller that moves a joint to its target."""

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
    """Description of an event at a time, or when a value is crossed."""

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
