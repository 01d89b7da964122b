"""Symbolic evaluation: computations of the engine on formulas (Expr), for small models.

Positions, velocities and parameters are floats or Expr; every result that depends on a symbol is an Expr.
Parameters are in the order of model.parameters; their nominal values if not given.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional, Sequence

from trammel import _engine

if TYPE_CHECKING:
    from trammel._engine import Model
    from trammel._number_types import Number

__all__ = ["forward_dynamics", "inverse_dynamics", "mass_matrix"]


def mass_matrix(model: Model, q: Sequence[Number],
                parameters: Optional[Sequence[Number]] = None) -> List[List[Number]]:
    """Mass matrix M(q) as a list of nv rows."""
    return _engine.symbolic_mass_matrix(model, q, parameters)


def inverse_dynamics(model: Model, q: Sequence[Number], v: Sequence[Number], a: Sequence[Number],
                     parameters: Optional[Sequence[Number]] = None) -> List[Number]:
    """Inverse dynamics: actuator efforts (nv) for the accelerations."""
    return _engine.symbolic_inverse_dynamics(model, q, v, a, parameters)


def forward_dynamics(model: Model, q: Sequence[Number], v: Sequence[Number], tau: Sequence[Number],
                     parameters: Optional[Sequence[Number]] = None) -> List[Number]:
    """Forward dynamics: accelerations (nv) under the actuator efforts tau (nv)."""
    return _engine.symbolic_forward_dynamics(model, q, v, tau, parameters)
