"""Motion over time, and linearization at a state."""
from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any, Callable, List, NamedTuple, Optional, Sequence, Union

import numpy as np

from trammel import _html
from trammel._arrays import JointArray
from trammel._number_types import Floats
from trammel._model_parts import Pose

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from trammel._engine import Model, State


class UncontrollableMode(NamedTuple):
    """An uncontrollable mode of the linearization: w^T A = eigenvalue w^T, w^T B = 0."""

    eigenvalue: complex  # of a complex pair, that with positive imaginary part
    of: NDArray[np.complex128]  # w, one entry a state, the largest 1
    name: str  # w^T x: "q.base.y - 0.025 q.left"
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

    def __repr__(self) -> str:
        return _html.linearization_text(self)

    def _repr_html_(self) -> str:
        """A, B and the eigenvalues as a table, for notebooks."""
        return _html.linearization_table(self)


class EventRecord(NamedTuple):
    """An event of a run: an event of the model, an impact, a stop, a limit, a singular pose."""

    time: float
    what: str
    energy_lost: float  # lost kinetic energy [J]


class MovingPlace(NamedTuple):
    """A moving place: argument of a wrench law of simulate."""

    time: float
    q: JointArray
    v: JointArray
    pose: Pose  # pose in the world
    velocity: Floats  # [omega; v of the place], in world axes


class ContactState(NamedTuple):
    """State of a contact sphere in the ground: argument of a contact law of simulate."""

    time: float
    q: JointArray
    v: JointArray
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
    value: Callable[[float, JointArray, JointArray], float]
    way: str = "both"
    stop: bool = False
    every: bool = False
    lock: Union[str, Sequence[str]] = ()
    unlock: Union[str, Sequence[str]] = ()
    grasp: Union[str, Sequence[str]] = ()
    release: Union[str, Sequence[str]] = ()
    then: Optional[Callable[[float, JointArray, JointArray], Optional[ArrayLike]]] = None


@dataclass(frozen=True, repr=False)
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
        """Samples of one column, run["q.elbow"], or of all columns of a pattern, run["q.*"]: (samples, columns)."""
        if name in self.names:
            return self.values[:, self.names.index(name)]
        columns = self._columns(name)
        return self.values[:, [self.names.index(column) for column in columns]]

    def _columns(self, pattern: str) -> List[str]:
        """Names that match a pattern with * and ?; KeyError with the nearest names if there are none."""
        columns = [name for name in self.names if fnmatchcase(name, pattern)]
        if columns:
            return columns
        nearest = get_close_matches(pattern, self.names, n=3)
        hint = f"did you mean {' or '.join(map(repr, nearest))}?" if nearest else f"it has {_listed(self.names)}"
        raise KeyError(f"the run has no column '{pattern}'; {hint}")

    @property
    def time(self) -> Floats:
        """The times of the samples [s]."""
        return self.values[:, 0]

    def to_pandas(self, pattern: str = "*") -> Any:
        """A pandas DataFrame: time as its index, one column per quantity; attrs["units"] has their units."""
        pandas = _optional("pandas", "to_pandas")
        columns = [name for name in self._columns(pattern) if name != self.names[0]]
        where = [self.names.index(column) for column in columns]
        frame = pandas.DataFrame(self.values[:, where], columns=columns, index=pandas.Index(self.time, name=self.names[0]))
        frame.attrs["units"] = {column: self.units[k] for column, k in zip(columns, where)}
        return frame

    def plot(self, pattern: str = "q.*") -> Any:
        """The columns of a pattern over time, with matplotlib: a Figure with one axis per unit. In a notebook the value of
        a cell shows it."""
        pyplot = _optional("matplotlib.pyplot", "plot")
        columns = [name for name in self._columns(pattern) if name != self.names[0]]
        unit_of = {column: self.units[self.names.index(column)] for column in columns}
        units = list(dict.fromkeys(unit_of.values()))
        figure, axes = pyplot.subplots(len(units), 1, sharex=True, squeeze=False, layout="constrained")
        for axis, unit in zip(axes[:, 0], units):
            for column in columns:
                if unit_of[column] == unit:
                    axis.plot(self.time, self[column], label=column)
            axis.set_ylabel(f"[{unit}]")
            axis.legend()
        axes[-1, 0].set_xlabel("time [s]")
        if "inline" in pyplot.get_backend():  # a notebook shows open figures, and this one as a value: once is enough
            pyplot.close(figure)
        return figure

    def __repr__(self) -> str:
        name = f"{self.model.name!r}, " if self.model is not None else ""
        span = f"{self.time[0]:.6g} to {self.time[-1]:.6g} s, " if len(self.values) else ""
        end = f", stopped: {self.stopped}" if self.stopped else ""
        return (f"Run({name}{span}{len(self.values)} samples of {len(self.names)} columns, "
                f"{self.steps} steps, {len(self.events)} events{end})")

    def _repr_html_(self) -> str:
        """The page of the run in a frame, for notebooks; the text of repr if the run has no page."""
        from trammel import _engine

        try:
            page = _engine.report(self)
        except ValueError:  # no positions recorded, or no model
            return f"<p>{escape(repr(self))}</p>"
        return (f'<iframe srcdoc="{escape(page)}" style="width: 100%; height: 640px; border: 0" '
                f'title="{escape(repr(self))}"></iframe>')


def _listed(names: Sequence[str], most: int = 12) -> str:
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


def _optional(module: str, function: str) -> Any:
    """A package that only one function needs."""
    try:
        return import_module(module)
    except ImportError as missing:
        package = module.split(".")[0]
        raise ImportError(f"Run.{function} needs {package}: pip install {package}") from missing


class BatchRun(NamedTuple):
    """Many runs of one model: their states, sample by sample."""

    time: Floats  # (samples,) [s]
    q: JointArray  # (samples, runs, nq); q["elbow"]: (samples, runs)
    v: JointArray  # (samples, runs, nv)
    stopped: List[Optional[str]]  # by run: time and reason why it did not reach its end
    events: Sequence[Sequence[EventRecord]] = ()  # by run: singular poses, events, stops

    def __repr__(self) -> str:
        stopped = sum(reason is not None for reason in self.stopped)
        end = f", {stopped} stopped" if stopped else ""
        return (f"BatchRun({len(self.stopped)} runs, {self.time[0]:.6g} to {self.time[-1]:.6g} s, "
                f"{len(self.time)} samples{end})")


Run.__module__ = "trammel"
for _class in list(vars().values()):
    if isinstance(_class, type) and issubclass(_class, tuple) and _class is not tuple:
        if _class.__module__ == __name__:
            _class.__module__ = "trammel"
