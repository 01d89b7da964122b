"""Parts of a model."""
from __future__ import annotations

from typing import NamedTuple, Optional

import numpy as np

from trammel._descriptions import Place, JointLimits
from trammel._names import Drive, JointKind, Role
from trammel._number_types import Floats


class Pose(NamedTuple):
    """Pose of a frame B in a frame A: x_A = R x_B + p, R 3 x 3, p [m]."""

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
        """The inverse: the pose of A in B."""
        R = np.asarray(self.R)
        return Pose(R.T, -R.T @ np.asarray(self.p))

    def __matmul__(self, other: Pose) -> Pose:
        """X_AB @ X_BC is X_AC."""
        R = np.asarray(self.R)
        return Pose(R @ np.asarray(other.R), R @ np.asarray(other.p) + np.asarray(self.p))


def _range(start: int, count: int) -> str:
    return str(start) if count == 1 else f"{start}:{start + count}"


class Body(NamedTuple):
    """A named body."""

    name: str
    inboard: Optional[str]  # its inboard joint; None for ground
    tree_body: int  # the tree body it is merged into; 0 is ground
    place: Place

    def __repr__(self) -> str:
        return f"Body({self.name!r}" + (f", carried by {self.inboard!r})" if self.inboard else ")")


class Joint(NamedTuple):
    """A named joint."""

    name: str
    kind: JointKind
    role: Role
    parent: str
    child: str
    is_reversed: bool  # the tree traverses it from child to parent
    q_start: int
    nq: int
    v_start: int
    nv: int
    drive: Drive
    limits: JointLimits
    X_PF: Pose  # its frame on the parent
    X_CM: Pose  # its frame on the child
    place: Place

    def __repr__(self) -> str:
        """Name, kind and bodies; all fields: _asdict()."""
        of_q = f", q[{_range(self.q_start, self.nq)}]" if self.nq else ""
        of_v = f", v[{_range(self.v_start, self.nv)}]" if self.nv else ""
        role = ", closes a loop" if self.role == "loop" else ""
        return f"Joint({self.name!r}, {self.kind}, {self.parent!r} to {self.child!r}{of_q}{of_v}{role})"

    @property
    def q(self) -> slice:
        """Slice of its coordinates: state.q[joint.q]."""
        return slice(self.q_start, self.q_start + self.nq)

    @property
    def v(self) -> slice:
        """Slice of its degrees of freedom: state.v[joint.v]."""
        return slice(self.v_start, self.v_start + self.nv)


class Frame(NamedTuple):
    """A named frame."""

    name: str
    body: str
