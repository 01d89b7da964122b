"""Motion over time, and linearization at a state."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from trammel._number_types import Floats
from trammel._model_parts import Pose

if TYPE_CHECKING:
    from trammel._engine import Model, State


class UncontrollableMode(NamedTuple):
    """An uncontrollable mode of the linearization: w^T A = eigenvalue w^T, w^T B = 0."""

    eigenvalue: complex  # of a complex pair, that with positive imaginary part
    of: NDArray[np.complex128]  # w, one entry a state, the largest 1
    name: str  # w^T x: "q.base[1] - 0.025 q.left"
    stabilisable: Optional[bool]  # by smooth feedback; None: the linearization does not decide
    verdict: str


class Linearization(NamedTuple):
    """Linearization at a state: x' = A x + B u, y = C x + D u."""

    A: Floats
    B: Floats
    C: Floats
    D: Floats
    states: List[str]  # "q.crank", "v.crank"
    inputs: List[str]  # "tau.motor"
    outputs: List[str]
    eigenvalues: NDArray[np.complex128]  # of A, the slowest first
    modes: NDArray[np.complex128]  # column k goes with eigenvalue k
    acceleration: float  # largest acceleration at the state: 0 at an equilibrium
    uncontrollable_modes: List[UncontrollableMode]  # uncontrollable modes


class EventRecord(NamedTuple):
    """An event of a run: an event of the model, an impact, a stop, a limit, a singular pose."""

    time: float
    what: str
    energy_lost: float  # lost kinetic energy [J]


class MovingPlace(NamedTuple):
    """A moving place: argument of a wrench law of simulate."""

    time: float
    q: Floats
    v: Floats
    pose: Pose  # pose in the world
    velocity: Floats  # [omega; v of the place], in world axes


class ContactState(NamedTuple):
    """State of a contact sphere in the ground: argument of a contact law of simulate."""

    time: float
    q: Floats
    v: Floats
    depth: float  # [m] above 0: laws are called only during contact
    sinking: float  # [m/s] rate of the depth
    point: Floats  # deepest point of the sphere, in the world
    normal: Floats  # unit normal out of the ground
    sliding: Floats  # [m/s] tangential velocity of the sphere, in world axes


class Event(NamedTuple):
    """An event of simulate defined by a function: it occurs where value(time, q, v) crosses zero.

    way: 'up', 'down' or 'both'. every: each time; otherwise once. stop ends the run; joints lock and unlock,
    constraints grasp and release. then(time, q, v) may return new velocities.
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
    """A motion over time: one row per sample, one column per quantity."""

    names: List[str]
    units: List[str]
    values: Floats  # (samples, columns)
    state: State  # final state
    steps: int
    rejected: int
    stopped: Optional[str]  # reason why it did not reach its end
    events: Sequence[EventRecord] = ()
    model: Optional[Model] = None  # its model

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
    """Many runs of one model: their states, sample by sample."""

    time: Floats  # (samples,) [s]
    q: Floats  # (samples, runs, nq)
    v: Floats  # (samples, runs, nv)
    stopped: List[Optional[str]]  # by run: time and reason why it did not reach its end
    events: Sequence[Sequence[EventRecord]] = ()  # by run: singular poses, events, stops


Run.__module__ = "trammel"
for _class in list(vars().values()):
    if isinstance(_class, type) and issubclass(_class, tuple) and _class is not tuple:
        if _class.__module__ == __name__:
            _class.__module__ = "trammel"
