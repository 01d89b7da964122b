"""Two arms welded to one object: how accurately the wrenches of their hands follow from the motion, pose by
pose. The condition number of Omega = A^T M^-1 A + Lambda, the matrix of the linear system for these wrenches
(docs/theory/conditioning.md has the table that this prints)."""
from typing import Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

import trammel

arm = trammel.load("@r_ex2_arm")


Floats = NDArray[np.float64]


def hand(q: Sequence[float], x: float, is_turned: bool) -> Tuple[Floats, Floats, Floats]:
    """One arm at these angles, its base at (x, 0, 0), rotated by 0 or by half a turn about z: pose of its
    tip, its Jacobian, its inverse operational-space inertia."""
    state = trammel.State(q=q, v=[0.0] * 6)
    where = trammel.kinematics(arm, state)
    side = -1 if is_turned else 1
    turn = np.diag([side, side, 1, side, side, 1])
    J = trammel.jacobian(arm, where, "tip", "world")
    Lambda = trammel.operational_space_inertia_inverse(arm, state, "tip", "world")
    p = trammel.pose(arm, where, "tip").p
    return np.array([x, 0, 0]) + p * [side, side, 1], turn @ J, turn @ Lambda @ turn


def tell(pose: str, left: Sequence[float], right: Sequence[float]) -> float:
    """Both hands on an object of 10 kg, 5 cm below its center: a line of the table."""
    hands = [hand(left, -1.1, False), hand(right, 1.1, True)]
    C = (hands[0][0] + hands[1][0]) / 2 + [0, 0, 0.05]
    M = np.array([0.2, 0.3, 0.25, 10, 10, 10])
    A, Omega = np.zeros((6, 12)), np.zeros((12, 12))
    for i, (p, _, Lambda) in enumerate(hands):
        # a wrench at the hand, shifted to C
        lx, ly, lz = p - C
        A[:, 6 * i:6 * i + 6] = np.eye(6)
        A[:3, 6 * i + 3:6 * i + 6] = [[0, -lz, ly], [lz, 0, -lx], [-ly, lx, 0]]
        Omega[6 * i:6 * i + 6, 6 * i:6 * i + 6] = Lambda
    Omega += A.T @ (A / M[:, None])
    # known wrenches, and their error after a solve
    x = np.ones(12)
    error = np.abs(np.linalg.solve(Omega, Omega @ x) - x).max()
    condition = np.linalg.cond(Omega)
    print(f"| {pose:<25} | {np.linalg.cond(hands[0][1]):8.1f} | {np.linalg.cond(hands[1][1]):8.1f} "
          f"| {condition:10.2e} | {error:6.1e} |")
    return float(condition)


def bent(degrees: float) -> Sequence[float]:
    """Elbow bent by an angle, the hand level: stretched at 0."""
    x = np.radians(degrees)
    return [0, -x, 2 * x, 0, -x, 0]


print("| pose                      |  cond J1 |  cond J2 | cond Omega |  error |")
print("|---|---|---|---|---|")
tell("R-EX2", [0.2, -0.5, 0.9, 0.3, 0.6, -0.4], [-0.1, -0.6, 1.0, -0.2, 0.5, 0.3])
for degrees in (60, 10, 1, 0.1):
    one = tell(f"left bent by {degrees} deg", bent(degrees), bent(60))
for degrees in (10, 1, 0.1):
    both = tell(f"both bent by {degrees} deg", bent(degrees), bent(degrees))
# one stretched arm costs little; two that lose the same direction make the system singular
assert one < 1e6 and both > 1e8
