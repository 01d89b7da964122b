"""Results of structural analysis: mobility, topology, actuation, arms, nature of constraints."""
from __future__ import annotations

from typing import NamedTuple, Optional, Sequence

from trammel import _html
from trammel._constraint_results import LengthChange


class UndecidedRow(NamedTuple):
    """A constraint row that is neither surely dependent nor surely independent: length is the residual of
    the row, scaled to at most 1, after elimination of the others; bound is the largest residual that
    rounding explains."""

    row: str
    length: float
    bound: float


class Mobility(NamedTuple):
    """Mobility: instantaneous is nv minus the rank of the constraint rows, finite counts the finite motions;
    gruebler is the Gruebler count. verdict: regular, bifurcation, shaky or nearly overconstrained.
    dependent: sets of linearly dependent rows. lengths: the least change with which a nearly overconstrained
    mechanism has mobility finite_nearby. least and dropped: the last counted and the first not counted
    singular value (None: all count), relative to the largest; below tolerance they are zero. undecided: rows
    counted as dependent that may be independent. digits: decimal digits that the condition of the
    independent rows leaves in accelerations, efforts and reactions."""

    dofs: int
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

    def __repr__(self) -> str:
        return _html.mobility_text(self)

    def _repr_html_(self) -> str:
        """The numbers as a table, for notebooks."""
        return _html.mobility_table(self)


class Topology(NamedTuple):
    """Topology of the graph of bodies and joints. kind: serial, tree, closed or complex; form: serial open
    chain, serial closed chain, branched open chains, simple closed chain, multiple closed chain, mechanism
    with internal loops. Bodies fixed to each other count once, ground among them. loops: joints along each
    loop, its loop joint first. reference: the body without which only serial chains are left."""

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
    """mobility: instantaneous degrees of freedom; driven: those with a drive; rank: how many of these are
    independent; under: degrees of freedom that no drive controls, over: redundant drives. least is near zero
    where the drives nearly lose a motion. uncontrollable_modes: per uncontrolled motion, the degrees of freedom that
    move, the largest first."""

    mobility: int
    driven: Sequence[str]
    rank: int
    under: int
    over: int
    least: float
    uncontrollable_modes: Sequence[Sequence[str]]


class Arm(NamedTuple):
    """An arm from base to tip. wanted: the full rank, 6, or 3 in a plane; rank at this pose and generic_rank
    at nearly every pose. ability: redundant, full or deficient."""

    base: str
    tip: str
    joints: Sequence[str]
    dofs: int
    wanted: int
    rank: int
    generic_rank: int
    least: float
    ability: str
    usual_ability: str


class ConstraintNature(NamedTuple):
    """is_holonomic: all constraints follow from conditions on positions; else of_place has the rows that do
    not. is_rheonomic (not catastatic): time enters, by the prescribed motion of the joints in of_time."""

    is_holonomic: bool
    is_rheonomic: bool
    is_catastatic: bool
    of_place: Sequence[str]
    of_time: Sequence[str]


class Reachability(NamedTuple):
    """dofs: velocity degrees of freedom; configuration: dimension of the positions that loops and ground
    contacts leave; growth: the growth vector, whose last entry is reachable; hidden: relations between
    positions that wheels impose. is_complete: no deeper Lie brackets were needed."""

    dofs: int
    configuration: int
    growth: Sequence[int]
    reachable: int
    hidden: int
    is_complete: bool


class RowNature(NamedTuple):
    """One row, j v + b = 0, by itself: the time derivative of a function (exact), or of that form after
    multiplication by a factor (integrable)."""

    name: str
    is_exact: bool
    is_integrable: bool
    is_rheonomic: bool
    is_catastatic: bool
    asymmetry: float
