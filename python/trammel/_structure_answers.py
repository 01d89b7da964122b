"""What kind of mechanism it is."""
from __future__ import annotations

from typing import NamedTuple, Optional, Sequence

from trammel._loop_answers import LengthChange


class UndecidedRow(NamedTuple):
    """A constraint row that rounding alone does not explain and that is not surely independent:
    length is what is left of a row that could have length 1 once the others are taken away, bound
    what rounding may leave."""

    row: str
    length: float
    bound: float


class Mobility(NamedTuple):
    """In how many ways a mechanism can move: nv less the rank of its rows for an instant, finite if
    it really goes somewhere; gruebler is what counting joints says. verdict: regular, bifurcation,
    shaky or nearly overconstrained. dependent: sets of rows that depend on each other. lengths: the
    least change that makes one that is nearly overconstrained move in finite_nearby ways. least and
    dropped: the last singular value that counts and the first that does not (None: all count), to
    the largest; below tolerance they are zero. undecided: rows counted as dependent that may not
    be. digits: how many decimal digits the condition of the independent rows leaves in
    accelerations, efforts and reactions."""

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
    undecided: Sequence["UndecidedRow"]
    digits: float


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
