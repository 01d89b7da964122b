"""Motion in time, and near a state."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from trammel._numbers import Floats
from trammel._parts import Pose

if TYPE_CHECKING:
    from trammel._engine import Model, State


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
    happenings: Sequence[Sequence[Happening]] = ()  # by run: singular poses, events, stops


Run.__module__ = "trammel"
for _class in list(vars().values()):
    if isinstance(_class, type) and issubclass(_class, tuple) and _class is not tuple:
        if _class.__module__ == __name__:
            _class.__module__ = "trammel"
