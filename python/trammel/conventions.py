"""Conversion of states and wrenches to and from the conventions of other engines.

    from trammel.conventions import mujoco

    state = mujoco.to_trammel(model, data.qpos, data.qvel, joints=["root", "hip", "knee"])
    qpos, qvel = mujoco.from_trammel(model, state, joints=["root", "hip", "knee"])

Engines agree on joints with one degree of freedom, up to their order. They differ for a free
joint and a spherical joint: which part comes first, where the scalar of a quaternion is, and in which axes a velocity
is expressed. Trammel: q = [w x y z | x y z], v = [omega; v of the origin], both in body axes.
docs/coming-from.md has the whole table, with sources.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from trammel import _engine
from trammel._names import JointKind, Role
from trammel._number_types import Floats
from trammel._records import Joint

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from trammel._engine import Model, State

__all__ = ["Convention", "angular_first", "drake", "linear_first", "mujoco", "pinocchio", "ros",
           "simscape", "simscape_follower", "wxyz", "xyzw"]


def angular_first(x: ArrayLike, axis: int = -1) -> Floats:
    """[linear; angular] reordered to [angular; linear]: six numbers, or the six rows (axis=0) of a Jacobian."""
    x = np.asarray(x, dtype=np.float64)
    if x.shape[axis] != 6:
        raise ValueError(f"angular_first: axis {axis} has {x.shape[axis]} entries, it must have 6")
    return np.roll(x, 3, axis=axis)


def linear_first(x: ArrayLike, axis: int = -1) -> Floats:
    """[angular; linear] reordered to [linear; angular]: six numbers, or the six rows (axis=0) of a Jacobian."""
    x = np.asarray(x, dtype=np.float64)
    if x.shape[axis] != 6:
        raise ValueError(f"linear_first: axis {axis} has {x.shape[axis]} entries, it must have 6")
    return np.roll(x, 3, axis=axis)


def wxyz(quaternion: ArrayLike) -> Floats:
    """A quaternion x y z w as w x y z."""
    return np.roll(_of_four(quaternion, "wxyz"), 1, axis=-1)


def xyzw(quaternion: ArrayLike) -> Floats:
    """A quaternion w x y z as x y z w."""
    return np.roll(_of_four(quaternion, "xyzw"), -1, axis=-1)


def _of_four(quaternion: ArrayLike, name: str) -> Floats:
    array = np.asarray(quaternion, dtype=np.float64)
    if array.shape[-1:] != (4,):
        raise ValueError(f"{name}: the quaternion has shape {array.shape}, its last axis must be 4")
    return array


def _rotation(quaternion: Floats) -> Floats:
    """Rotation matrix R of a unit quaternion w x y z: it takes body axes to the parent's."""
    w, x, y, z = quaternion
    return np.array([[w*w + x*x - y*y - z*z, 2*(x*y - w*z), 2*(x*z + w*y)],
                     [2*(x*y + w*z), w*w - x*x + y*y - z*z, 2*(y*z - w*x)],
                     [2*(x*z - w*y), 2*(y*z + w*x), w*w - x*x - y*y + z*z]])


class Convention(NamedTuple):
    """Convention of an engine for the state of free and spherical joints.

    Velocities, efforts and accelerations are expressed either in the axes of the moving body or in those of
    the joint's frame on the parent, which are the world's for a floating base.
    """

    name: str
    position_first: bool  # x y z before the quaternion
    scalar_first: bool  # quaternion w x y z
    linear_first: bool  # v before omega
    linear_in_body: bool
    angular_in_body: bool
    has_balls: bool = True  # ball joints are quaternions too

    def to_trammel(self, model: Model, q: ArrayLike, v: Optional[ArrayLike] = None, *,
                   joints: Optional[Sequence[str]] = None, unbounded: Sequence[str] = (),
                   onto: Optional[State] = None) -> State:
        """The state from q and v of this engine (zero if not given).

        joints: the names of the joints in the order of q and v; default: the order of the model. unbounded:
        those of them given as cosine and sine. onto: state of the joints that are not named; without it, all
        joints of the tree must be named.
        """
        layout = self._layout("to_trammel", model, joints, unbounded, onto is None)
        q = _vector("to_trammel", "q", q, sum(step.nq for step in layout))
        v = np.zeros(sum(step.joint.nv for step in layout)) if v is None else _vector(
            "to_trammel", "v", v, sum(step.joint.nv for step in layout))
        state = onto.copy() if onto is not None else _engine.neutral_state(model)
        for step in layout:
            state.q[step.joint.q] = self._position_in(step, q[step.q])
            state.v[step.joint.v] = self._motion_in(step, state.q[step.joint.q], v[step.v])
        return state

    def from_trammel(self, model: Model, state: State, *,
                     joints: Optional[Sequence[str]] = None,
                     unbounded: Sequence[str] = ()) -> Tuple[Floats, Floats]:
        """The state as q and v of this engine."""
        layout = self._layout("from_trammel", model, joints, unbounded, False)
        q = np.zeros(sum(step.nq for step in layout))
        v = np.zeros(sum(step.joint.nv for step in layout))
        for step in layout:
            position = state.q[step.joint.q]
            q[step.q] = self._position_out(step, position)
            v[step.v] = self._motion_out(step, position, state.v[step.joint.v])
        return q, v

    def efforts_to_trammel(self, model: Model, state: State, tau: ArrayLike, *,
                           joints: Optional[Sequence[str]] = None) -> Floats:
        """Trammel's efforts (nv) from tau of this engine, at a state: power is invariant."""
        layout = self._layout("efforts_to_trammel", model, joints, (), True)
        tau = _vector("efforts_to_trammel", "tau", tau, model.nv)
        answer = np.zeros(model.nv)
        for step in layout:  # orders and rotations: efforts transform like velocities
            answer[step.joint.v] = self._motion_in(step, state.q[step.joint.q], tau[step.v])
        return answer

    def efforts_from_trammel(self, model: Model, state: State, tau: ArrayLike, *,
                             joints: Optional[Sequence[str]] = None) -> Floats:
        """Efforts tau (nv), at a state, in the convention of this engine."""
        layout = self._layout("efforts_from_trammel", model, joints, (), True)
        tau = _vector("efforts_from_trammel", "tau", tau, model.nv)
        answer = np.zeros(model.nv)
        for step in layout:
            answer[step.v] = self._motion_out(step, state.q[step.joint.q], tau[step.joint.v])
        return answer

    def accelerations_to_trammel(self, model: Model, state: State, a: ArrayLike, *,
                                 joints: Optional[Sequence[str]] = None) -> Floats:
        """Trammel's accelerations dv/dt (nv) from a of this engine, at a state."""
        layout = self._layout("accelerations_to_trammel", model, joints, (), True)
        a = _vector("accelerations_to_trammel", "a", a, model.nv)
        answer = np.zeros(model.nv)
        for step in layout:
            turned = self._motion_in(step, state.q[step.joint.q], a[step.v])
            answer[step.joint.v] = turned - self._carried(step, state)
        return answer

    def accelerations_from_trammel(self, model: Model, state: State, a: ArrayLike, *,
                                   joints: Optional[Sequence[str]] = None) -> Floats:
        """Accelerations a = dv/dt (nv), at a state, in the convention of this engine."""
        layout = self._layout("accelerations_from_trammel", model, joints, (), True)
        a = _vector("accelerations_from_trammel", "a", a, model.nv)
        answer = np.zeros(model.nv)
        for step in layout:
            whole = a[step.joint.v] + self._carried(step, state)
            answer[step.v] = self._motion_out(step, state.q[step.joint.q], whole)
        return answer

    # joint by joint

    def _layout(self, call: str, model: Model, joints: Optional[Sequence[str]],
                unbounded: Sequence[str], need_all: bool) -> List[_Step]:
        tree = [joint for joint in model.joints if joint.role == Role.tree]
        if joints is None:
            chosen = tree
        else:
            chosen = [model.joint(name) for name in joints]
            for joint in chosen:
                if joint.role != Role.tree:
                    raise ValueError(f"{call}: joint '{joint.name}' has no coordinates in q")
                if list(joints).count(joint.name) > 1:
                    raise ValueError(f"{call}: joint '{joint.name}' is named twice")
            missing = [joint.name for joint in tree if joint.name not in joints]
            if need_all and missing:
                raise ValueError(f"{call}: joints leaves out {', '.join(missing)}; name them too")
        for name in unbounded:
            if model.joint(name).nq != 1 or name not in [joint.name for joint in chosen]:
                raise ValueError(f"{call}: unbounded names '{name}', which is not one of the "
                                 "revolute joints that are converted")
        return list(self._steps(call, chosen, unbounded))

    def _steps(self, call: str, joints: Sequence[Joint],
               unbounded: Sequence[str]) -> Iterator[_Step]:
        q = v = 0
        for joint in joints:
            is_plain = joint.nq == 1
            is_ball = joint.kind == JointKind.spherical and self.has_balls
            if not (is_plain or is_ball or joint.kind == JointKind.free):
                raise ValueError(
                    f"{call}: joint '{joint.name}' is {joint.kind.value}, which {self.name} has not "
                    "or writes otherwise; convert the others (joints=...) and this one by hand")
            nq = 2 if joint.name in unbounded else joint.nq
            yield _Step(joint, slice(q, q + nq), slice(v, v + joint.nv), nq)
            q, v = q + nq, v + joint.nv

    def _position_in(self, step: _Step, given: Floats) -> Floats:
        if step.nq != step.joint.nq:  # cosine and sine
            return np.array([np.arctan2(given[1], given[0])])
        if step.joint.nq == 1:
            return given
        if step.joint.kind == JointKind.free:
            position, turn = (given[:3], given[3:]) if self.position_first else (
                given[4:], given[:4])
            return np.concatenate([self._quaternion_in(turn), position])
        return self._quaternion_in(given)

    def _position_out(self, step: _Step, q: Floats) -> Floats:
        if step.nq != step.joint.nq:
            return np.array([np.cos(q[0]), np.sin(q[0])])
        if step.joint.nq == 1:
            return q
        turn = q[:4] if self.scalar_first else xyzw(q[:4])
        if step.joint.kind == JointKind.free:
            return np.concatenate([q[4:], turn] if self.position_first else [turn, q[4:]])
        return turn

    def _quaternion_in(self, given: Floats) -> Floats:
        return given if self.scalar_first else wxyz(given)

    def _motion_in(self, step: _Step, q: Floats, given: Floats) -> Floats:
        if step.joint.nv == 1:
            return given
        to_body = _rotation(q[:4]).T
        if step.joint.kind != JointKind.free:
            return given if self.angular_in_body else to_body @ given
        linear, angular = (given[:3], given[3:]) if self.linear_first else (given[3:], given[:3])
        return np.concatenate([angular if self.angular_in_body else to_body @ angular,
                               linear if self.linear_in_body else to_body @ linear])

    def _motion_out(self, step: _Step, q: Floats, x: Floats) -> Floats:
        if step.joint.nv == 1:
            return x
        to_parent = _rotation(q[:4])
        angular = x[:3] if self.angular_in_body else to_parent @ x[:3]
        if step.joint.kind != JointKind.free:
            return angular
        linear = x[3:] if self.linear_in_body else to_parent @ x[3:]
        return np.concatenate([linear, angular] if self.linear_first else [angular, linear])

    def _carried(self, step: _Step, state: State) -> Floats:
        """The term omega x v that rotating axes add to the derivative of a velocity expressed in body axes.
        An angular velocity is not changed by rotation about itself."""
        carried = np.zeros(step.joint.nv)
        if step.joint.kind == JointKind.free and not self.linear_in_body:
            v = state.v[step.joint.v]
            carried[3:] = np.cross(v[:3], v[3:])
        return carried


class _Step(NamedTuple):
    """One joint, and its indices in the other engine's q and v."""

    joint: Joint
    q: slice
    v: slice
    nq: int


def _vector(call: str, name: str, given: ArrayLike, size: int) -> Floats:
    array = np.asarray(given, dtype=np.float64)
    if array.shape != (size,):
        raise ValueError(f"{call}: {name} has shape {array.shape}, it must be ({size},)")
    return array


pinocchio = Convention("Pinocchio", position_first=True, scalar_first=False, linear_first=True,
                       linear_in_body=True, angular_in_body=True)
mujoco = Convention("MuJoCo", position_first=True, scalar_first=True, linear_first=True,
                    linear_in_body=False, angular_in_body=True)
drake = Convention("Drake", position_first=False, scalar_first=True, linear_first=False,
                   linear_in_body=False, angular_in_body=False, has_balls=False)
# a pose as in geometry_msgs, a twist as in nav_msgs/Odometry
ros = Convention("ROS", position_first=True, scalar_first=False, linear_first=True,
                 linear_in_body=True, angular_in_body=True)
# primitives Px, Py, Pz, S; angular velocities resolved in the base frame, or in the follower
simscape = Convention("Simscape", position_first=True, scalar_first=True, linear_first=True,
                      linear_in_body=False, angular_in_body=False)
simscape_follower = simscape._replace(angular_in_body=True)
