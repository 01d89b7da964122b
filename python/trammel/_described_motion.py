"""What is said of what acts in time, and of floors."""
from __future__ import annotations

from typing import TYPE_CHECKING, Dict, NamedTuple, Optional, Sequence, Tuple

from trammel._descriptions import Place

if TYPE_CHECKING:
    from trammel._numbers import Number, Vector3


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
