"""Texts and notebook views of models, states and results."""
from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Iterable, List, Sequence

import numpy as np

from trammel._errors import EvaluationError

if TYPE_CHECKING:
    from trammel._engine import Model, State
    from trammel._records import Joint, Linearization, Mobility


def _entries(first: int, count: int) -> str:
    if count == 0:
        return "–"
    return str(first) if count == 1 else f"{first}–{first + count - 1}"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts."""
    def line(tag: str, cells: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    lines = "\n".join(line("td", row) for row in rows)
    head = f"<thead>{line('th', heads)}</thead>\n" if heads else ""
    return f"<table>\n{head}<tbody>\n{lines}\n</tbody>\n</table>"


def number(x: float) -> str:
    """Six digits."""
    return f"{x:.6g}"


def numbers(values: Any) -> str:
    """A number, or several."""
    found = np.asarray(values)
    return number(float(found)) if found.ndim == 0 else "[" + ", ".join(map(number, found)) + "]"


# models

def _joint_row(joint: Joint) -> Sequence[str]:
    role = "" if joint.role == "tree" else f" ({joint.role})" if joint.role == "loop" else ""
    return (joint.name, str(joint.kind) + role, joint.parent, joint.child, _entries(joint.q_start, joint.nq),
            _entries(joint.v_start, joint.nv))


def _figure(model: Model) -> str:
    from trammel import _engine

    try:
        where = _engine.kinematics(model, _engine.start_state(model))
    except EvaluationError as error:  # no figure, as for loops that do not assemble: the table alone
        return f"<p>{escape(str(error))}</p>"
    return _engine.stick_figure(model, where, width=360, height=300)


def model_page(model: Model) -> str:
    """One <div>: a heading, the table of joints, the figure at the start state."""
    rows = map(_joint_row, model.joints)
    return (f"<div><p><b>{escape(model.name)}</b>: nq = {model.nq}, nv = {model.nv}</p>\n"
            f"{table(('joint', 'kind', 'parent', 'child', 'q', 'v'), rows)}\n{_figure(model)}</div>")


# states

def _several(words: Sequence[str], most: int = 8) -> str:
    rest = len(words) - most
    return ", ".join(words[:most]) + (f" and {rest} more" if rest > 0 else "")


def state_text(state: State) -> str:
    """The state in one line; with names of joints if it knows its model."""
    if state.model is None:
        return f"State(q={state.q.tolist()}, v={state.v.tolist()}, time={state.time!r})"
    q, v = ([f"{name} {numbers(values)}" for name, values in each.by_joint().items()] for each in (state.q, state.v))
    moves = f"velocities {_several(v)}" if state.v.any() else "at rest"
    return f"<State of {state.model.name!r} at {number(state.time)} s: {_several(q)}; {moves}>"


def state_table(state: State) -> str:
    """Position and velocity of each joint."""
    if state.model is None:
        return f"<p>{escape(state_text(state))}</p>"
    q, v = state.q.by_joint(), state.v.by_joint()
    units = {"revolute": ("rad", "rad/s"), "prismatic": ("m", "m/s")}
    rows = []
    for name in q:
        kind = str(state.model.joint(name).kind)
        of_q, of_v = units.get(kind, ("", ""))
        rows.append((name, kind, f"{numbers(q[name])} {of_q}", f"{numbers(v[name])} {of_v}"))
    return (f"<div><p><b>{escape(state.model.name)}</b> at {number(state.time)} s</p>\n"
            f"{table(('joint', 'kind', 'position', 'velocity'), rows)}</div>")


# results

def mobility_text(found: Mobility) -> str:
    """The numbers in one line."""
    return (f"Mobility({found.instantaneous} degree{'' if found.instantaneous == 1 else 's'} of freedom at this state, "
            f"finite {found.finite}, Gruebler {found.gruebler}; {found.rank} of {found.rows} rows independent; "
            f"{found.verdict})")


def mobility_table(found: Mobility) -> str:
    """The numbers and sets of dependent rows as a table."""
    rows = [("degrees of freedom at this state", str(found.instantaneous)), ("finite mobility", str(found.finite)),
            ("Gruebler count", str(found.gruebler)),
            ("independent rows", f"{found.rank} of {found.rows}, of {found.dofs} degrees of freedom of the tree"),
            ("verdict", found.verdict), ("decimal digits left", number(found.digits))]
    rows += [("depends on others", each) for each in found.dependent]
    rows += [("length to change", f"{each.name} by {number(each.by)} m") for each in found.lengths]
    return table((), rows)


def eigenvalue(x: complex) -> str:
    """A complex number with its pair as one: "-0.1 ± 2.5i"."""
    real = number(x.real)
    return real if x.imag == 0 else f"{real} ± {number(abs(x.imag))}i"


def _eigenvalues(found: Linearization) -> List[str]:
    return [eigenvalue(x) for x in found.eigenvalues if x.imag >= 0]


def linearization_text(found: Linearization) -> str:
    """Sizes and eigenvalues in one line."""
    values = f", eigenvalues {_several(_eigenvalues(found))}" if len(found.eigenvalues) else ""
    sizes = (f"{len(names)} {word}{'' if len(names) == 1 else 's'}"
             for names, word in ((found.states, "state"), (found.inputs, "input"), (found.outputs, "output")))
    return f"Linearization({', '.join(sizes)}{values})"


def linearization_table(found: Linearization) -> str:
    """The matrices A and B with the names of their rows and columns, and the eigenvalues."""
    if len(found.states) > 24:
        return f"<p>{escape(linearization_text(found))}</p>"
    heads = ["", *found.states, *found.inputs]
    rows = [[f"d/dt {name}", *map(number, a), *map(number, b)] for name, a, b in zip(found.states, found.A, found.B)]
    values = f"<p>eigenvalues: {escape('; '.join(_eigenvalues(found)))}</p>" if len(found.eigenvalues) else ""
    return f"<div>{table(heads, rows)}\n{values}</div>"
