"""Notebook view of a model: its joints as a table, and a stick figure."""
from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from trammel._errors import EvaluationError

if TYPE_CHECKING:
    from trammel._engine import Model
    from trammel._records import Joint


def _entries(first: int, count: int) -> str:
    if count == 0:
        return "–"
    return str(first) if count == 1 else f"{first}–{first + count - 1}"


def _row(joint: Joint) -> str:
    role = "" if joint.role == "tree" else f" ({joint.role})" if joint.role == "loop" else ""
    cells = (escape(joint.name), escape(joint.kind) + role, escape(joint.parent),
             escape(joint.child), _entries(joint.q_start, joint.nq),
             _entries(joint.v_start, joint.nv))
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _figure(model: Model) -> str:
    from trammel import _engine

    try:
        where = _engine.kinematics(model, _engine.assembled_start(model))
    except EvaluationError as error:  # no figure, as for loops that do not assemble: the table alone
        return f"<p>{escape(str(error))}</p>"
    return _engine.stick_figure(model, where, width=360, height=300)


def model_page(model: Model) -> str:
    """One <div>: a heading, the table of joints, the figure at the start state."""
    heads = "".join(f"<th>{head}</th>" for head in ("joint", "kind", "parent", "child", "q", "v"))
    rows = "\n".join(_row(joint) for joint in model.joints)
    return (f"<div><p><b>{escape(model.name)}</b>: nq = {model.nq}, nv = {model.nv}</p>\n"
            f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>\n"
            f"{_figure(model)}</div>")
