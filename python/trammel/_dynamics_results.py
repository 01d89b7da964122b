"""Results for any mechanism."""
from __future__ import annotations

from typing import NamedTuple

from trammel._arrays import JointArray
from trammel._number_types import Floats


class Energy(NamedTuple):
    """Energy of the moving bodies [J]."""

    kinetic: float
    gravity: float
    elastic: float

    @property
    def total(self) -> float:
        """Total energy [J]."""
        return self.kinetic + self.gravity + self.elastic


class Momentum(NamedTuple):
    """Angular [kg m^2/s], about the chosen point, and linear [kg m/s]."""

    angular: Floats
    linear: Floats


class CenterOfMass(NamedTuple):
    """Mass of the moving bodies [kg], position [m] and velocity [m/s] of their center of mass."""

    mass: float
    position: Floats
    velocity: Floats


class HybridMotion(NamedTuple):
    """Accelerations and efforts of all degrees of freedom, nv each; efforts of loop joints, in the order of
    loop_dof_names."""

    a: JointArray
    tau: JointArray
    loop_tau: JointArray


class FreeAndCorrection(NamedTuple):
    """Accelerations with all loops cut, and their correction by the loops."""

    free: JointArray
    correction: JointArray


class FlexibleForm(NamedTuple):
    """inertia a + damping v + stiffness deflection + bias = input tau + constraint^T multipliers, for the
    flexible degrees of freedom alone; and M_s W' + L_s W = T_s + J_s^T multipliers."""

    inertia: Floats
    input: Floats
    constraint: Floats
    bias: Floats
    stiffness: Floats
    damping: Floats
    deflection: Floats
    M_s: Floats
    L_s: Floats
    J_s: Floats
    W: Floats
    T_s: Floats


class MassMatrixFactors(NamedTuple):
    """M = L^T D L, nv x nv each."""

    L: Floats
    D: Floats


class MassMatrixInverseFactors(NamedTuple):
    """M^-1 = L_inverse D_inverse L_inverse^T, nv x nv each."""

    L_inverse: Floats
    D_inverse: Floats


class Poses(NamedTuple):
    """The poses of all bodies in many states."""

    numbers: Floats  # (N, bodies, 4, 3): the columns of R, then p

    @property
    def R(self) -> Floats:
        """Rotations (N, bodies, 3, 3), a view: x_world = R x_body + p."""
        return self.numbers[..., :3, :].swapaxes(-1, -2)

    @property
    def p(self) -> Floats:
        """Positions (N, bodies, 3) [m], a view."""
        return self.numbers[..., 3, :]


class OperationCount(NamedTuple):
    """Number of operations of formulas, each common subexpression counted once."""

    additions: int
    multiplications: int
    divisions: int
    functions: int
    negations: int
    choices: int

    @property
    def total(self) -> int:
        """Total number."""
        return sum(self)
