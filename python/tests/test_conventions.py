"""States of other engines, by what their numbers mean: rates of poses, power, momentum.

Each engine's definition is written out here a second time, from its documentation, as formulas on
the pose of the body: nothing of trammel.conventions is used to check it.
"""
import numpy as np
import pytest

import trammel
from robots import random_state, satellite
from trammel import conventions
from trammel.conventions import drake, mujoco, pinocchio, ros, simscape, simscape_follower

ALL = [pinocchio, mujoco, drake, ros, simscape, simscape_follower]
names = [convention.name for convention in ALL]


def floating():
    """A free base and an arm of one joint, at a place away from ground's origin."""
    description = trammel.Description("floating")
    description.body("base", trammel.box(3.0, (0.3, 0.4, 0.5), com=(0.1, 0, 0)))
    description.body("arm", trammel.thin_rod(1.0, 0.5, com=(0.25, 0, 0)))
    description.joint("root", "free", "ground", "base")
    description.joint("elbow", "revolute", "base", "arm", at=(0.2, 0, 0), axis="y")
    return trammel.build_model(description)


def pose_of(model, q):
    where = trammel.kinematics(model, trammel.State(q, np.zeros(model.nv)))
    return trammel.pose(model, where, "base")


def rates(model, state, h=1e-6):
    """R, and by central differences dp/dt and omega in the world's axes: no convention needed."""
    ahead, behind = (pose_of(model, trammel.integrate(model, state.q, s * h * state.v))
                     for s in (1, -1))
    here = pose_of(model, state.q)
    W = (ahead.R - behind.R) / (2 * h) @ here.R.T
    return here, (ahead.p - behind.p) / (2 * h), np.array([W[2, 1], W[0, 2], W[1, 0]])


def matrix_of(w, x, y, z):
    """By the rotation of the axes: columns are q i q*, q j q*, q k q*."""
    def times(a, b):
        return np.concatenate([[a[0] * b[0] - a[1:] @ b[1:]],
                               a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])
    q, back = np.array([w, x, y, z]), np.array([w, -x, -y, -z])
    return np.column_stack([times(times(q, np.eye(4)[k]), back)[1:] for k in (1, 2, 3)])


# what the documentation says of q and v of a free joint: (R, p, velocity in world axes, omega in
# world axes) from the numbers
def read_pinocchio(q, v):
    R = matrix_of(q[6], q[3], q[4], q[5])
    return R, q[:3], R @ v[:3], R @ v[3:6]


def read_mujoco(q, v):
    R = matrix_of(*q[3:7])
    return R, q[:3], v[:3], R @ v[3:6]


def read_drake(q, v):
    return matrix_of(*q[:4]), q[4:7], v[3:6], v[:3]


def read_simscape(q, v):
    return matrix_of(*q[3:7]), q[:3], v[:3], v[3:6]


READ = [read_pinocchio, read_mujoco, read_drake, read_pinocchio, read_simscape, read_mujoco]


@pytest.mark.parametrize("convention, read", zip(ALL, READ), ids=names)
def test_the_numbers_mean_the_motion_of_the_body(convention, read):
    model = floating()
    state = random_state(model, 4)
    q, v = convention.from_trammel(model, state)
    R, p, velocity, omega = read(q, v)
    here, p_dot, w = rates(model, state)
    assert R == pytest.approx(here.R, abs=1e-14)
    assert p == pytest.approx(here.p, abs=1e-14)
    assert velocity == pytest.approx(p_dot, abs=1e-8)  # central differences of step 1e-6
    assert omega == pytest.approx(w, abs=1e-8)
    assert q[7] == state.q[7] and v[6] == state.v[6]


@pytest.mark.parametrize("convention", ALL, ids=names)
def test_there_and_back(convention):
    model = floating()
    state = random_state(model, 7)
    again = convention.to_trammel(model, *convention.from_trammel(model, state))
    assert again.q == pytest.approx(state.q, abs=1e-15)
    assert again.v == pytest.approx(state.v, abs=1e-15)


@pytest.mark.parametrize("convention", ALL, ids=names)
def test_efforts_keep_their_power(convention):
    model = floating()
    state = random_state(model, 5)
    tau = np.linspace(-2, 3, model.nv)
    _, v = convention.from_trammel(model, state)
    theirs = convention.efforts_from_trammel(model, state, tau)
    assert theirs @ v == pytest.approx(tau @ state.v, rel=1e-14)
    assert convention.efforts_to_trammel(model, state, theirs) == pytest.approx(tau, abs=1e-14)


@pytest.mark.parametrize("convention", ALL, ids=names)
def test_accelerations_are_rates_of_their_velocities(convention):
    model = floating()
    state = random_state(model, 6)
    a = np.linspace(1, -2, model.nv)
    h = 1e-5

    def their_velocity(t):
        then = trammel.State(trammel.integrate(model, state.q, t * state.v + t * t / 2 * a),
                             state.v + t * a)
        return convention.from_trammel(model, then)[1]

    theirs = convention.accelerations_from_trammel(model, state, a)
    assert theirs == pytest.approx((their_velocity(h) - their_velocity(-h)) / (2 * h), abs=1e-8)
    assert convention.accelerations_to_trammel(model, state, theirs) == pytest.approx(a, abs=1e-13)


def test_joints_may_stand_in_another_order():
    model = floating()
    state = random_state(model, 8)
    q, v = mujoco.from_trammel(model, state, joints=["elbow", "root"])
    assert (q[0], v[0]) == (state.q[7], state.v[6])
    assert q[1:4] == pytest.approx(state.q[4:7], abs=0)
    again = mujoco.to_trammel(model, q, v, joints=["elbow", "root"])
    assert again.q == pytest.approx(state.q, abs=1e-15)
    assert again.v == pytest.approx(state.v, abs=1e-15)


def test_a_message_of_some_joints_goes_onto_a_state():
    model = floating()
    state = random_state(model, 9)
    moved = ros.to_trammel(model, [0.25], [0.5], joints=["elbow"], onto=state)
    assert (moved.q[7], moved.v[6]) == (0.25, 0.5)
    assert moved.q[:7] == pytest.approx(state.q[:7], abs=0)
    assert state.q[7] != 0.25  # the state itself is left alone
    assert ros.to_trammel(model, [0.25], joints=["elbow"], onto=state).v[6] == 0


def test_pinocchio_writes_unbounded_joints_as_cosine_and_sine():
    model = floating()
    state = random_state(model, 10)
    q, v = pinocchio.from_trammel(model, state, unbounded=["elbow"])
    assert q.shape == (9,) and v.shape == (7,)
    assert q[7:] == pytest.approx([np.cos(state.q[7]), np.sin(state.q[7])], abs=0)
    again = pinocchio.to_trammel(model, q, v, unbounded=["elbow"])
    assert again.q == pytest.approx(state.q, abs=1e-15)


@pytest.mark.parametrize("convention", [pinocchio, mujoco, simscape], ids=lambda c: c.name)
def test_balls_are_quaternions_with_a_velocity_in_some_axes(convention):
    description = trammel.Description("ball")
    description.body("base", trammel.box(3.0, (0.3, 0.4, 0.5)))
    description.joint("ball", "spherical", "ground", "base")
    model = trammel.build_model(description)
    state = random_state(model, 3)
    q, v = convention.from_trammel(model, state)
    R = matrix_of(q[3], *q[:3]) if convention is pinocchio else matrix_of(*q)
    here, _, w = rates(model, state)
    assert R == pytest.approx(here.R, abs=1e-14)
    assert (v if convention is simscape else R @ v) == pytest.approx(w, abs=1e-8)
    again = convention.to_trammel(model, q, v)
    assert again.q == pytest.approx(state.q, abs=1e-15)
    assert again.v == pytest.approx(state.v, abs=1e-15)


def test_orders_of_six_and_of_quaternions():
    assert conventions.angular_first([1, 2, 3, 4, 5, 6]).tolist() == [4, 5, 6, 1, 2, 3]
    assert conventions.linear_first([1, 2, 3, 4, 5, 6]).tolist() == [4, 5, 6, 1, 2, 3]
    J = np.arange(12.0).reshape(6, 2)
    assert conventions.angular_first(J, axis=0)[0].tolist() == J[3].tolist()
    assert conventions.wxyz([1, 2, 3, 4]).tolist() == [4, 1, 2, 3]
    assert conventions.xyzw([4, 1, 2, 3]).tolist() == [1, 2, 3, 4]
    with pytest.raises(ValueError, match="angular_first: axis -1 has 2 entries, it must have 6"):
        conventions.angular_first(J)
    with pytest.raises(ValueError, match="linear_first: axis -1 has 2 entries, it must have 6"):
        conventions.linear_first(J)
    with pytest.raises(ValueError, match=r"wxyz: the quaternion has shape \(3,\)"):
        conventions.wxyz([1, 2, 3])


def test_a_joint_that_cannot_be_converted_is_refused():
    model = satellite()
    state = trammel.neutral_state(model)
    with pytest.raises(ValueError, match="joint 'shoulder' is universal, which MuJoCo has not"):
        mujoco.from_trammel(model, state)
    with pytest.raises(ValueError, match="joint 'ball' is spherical, which Drake has not or writes "
                                         "otherwise"):
        drake.from_trammel(model, state, joints=["flight", "ball"])
    with pytest.raises(ValueError, match="joint 'mount' has no coordinates in q"):
        mujoco.from_trammel(model, state, joints=["mount"])
    with pytest.raises(ValueError, match="did you mean 'rail'"):
        mujoco.from_trammel(model, state, joints=["rial"])
    model = floating()
    with pytest.raises(ValueError, match="to_trammel: joints leaves out root; name them too"):
        mujoco.to_trammel(model, [0.0], joints=["elbow"])
    with pytest.raises(ValueError, match="joint 'elbow' is named twice"):
        mujoco.to_trammel(model, [0.0, 0.0], joints=["elbow", "elbow"])
    with pytest.raises(ValueError, match=r"to_trammel: q has shape \(3,\), it must be \(8,\)"):
        mujoco.to_trammel(model, [0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="unbounded names 'root', which is not one of the revolute"):
        pinocchio.from_trammel(model, trammel.neutral_state(model), unbounded=["root"])
