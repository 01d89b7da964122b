"""What a model is made of."""
from __future__ import annotations

from typing import NamedTuple, Optional

import numpy as np

from trammel._descriptions import Place, JointLimits
from trammel._names import Drive, JointKind, Role
from trammel._numbers import Floats


class Pose(NamedTuple):
    """Where a frame is in another: x_A = R x_B + p, R 3 x 3, p [m]."""

    R: Floats
    p: Floats

    @property
    def matrix(self) -> Floats:
        """The homogeneous 4 x 4 matrix."""
        X = np.eye(4)
        X[:3, :3] = self.R
        X[:3, 3] = self.p
        return X

    def inverse(self) -> Pose:
        """Where the other frame is in this one."""
        R = np.asarray(self.R)
        return Pose(R.T, -R.T @ np.asarray(self.p))

    def __matmul__(self, other: Pose) -> Pose:
        """X_AB @ X_BC is X_AC."""
        R = np.asarray(self.R)
        return Pose(R @ np.asarray(other.R), R @ np.asarray(other.p) + np.asarray(self.p))


class Body(NamedTuple):
    """A body as it was named."""

    name: str
    inboard: Optional[str]  # the joint it hangs from; None for ground
    carrier: int  # the moving body it is part of; 0 is ground
    place: Place


class Joint(NamedTuple):
    """A joint as it was named."""

    name: str
    kind: JointKind
    role: Role
    parent: str
    child: str
    is_reversed: bool  # the tree walks it from child to parent
    q_start: int
    nq: int
    v_start: int
    nv: int
    drive: Drive
    limits: JointLimits
    X_PF: Pose  # its frame on the parent
    X_CM: Pose  # its frame on the child
    place: Place

    @property
    def q(self) -> slice:
        """Where its coordinates are: state.q[joint.q]."""
        return slice(self.q_start, self.q_start + self.nq)

    @property
    def v(self) -> slice:
        """Where its freedoms are: state.v[joint.v]."""
        return slice(self.v_start, self.v_start + self.nv)


class Frame(NamedTuple):
    """A named place."""

    name: str
    body: str
