"""A state's arrays are the state: no copies on the way in or out."""
import copy

import numpy as np
import pytest

import trammel
from robots import pendulum, random_state, satellite


def test_views_share_the_states_memory():
    model = satellite()
    state = trammel.neutral_state(model)
    assert np.shares_memory(state.q, state.q)
    state.q[4] = 2.5
    state.v[:] = 1.0
    assert state.q[4] == 2.5
    assert (state.v == 1.0).all()
    where = trammel.kinematics(model, state)
    assert trammel.pose(model, where, "hull").p[0] == 2.5


def test_a_view_keeps_its_state_alive():
    q = trammel.neutral_state(satellite()).q
    assert q[:4].tolist() == [1, 0, 0, 0]


def test_assignment_writes_in_place_and_keeps_the_size():
    state = trammel.State(q=[1, 2], v=[3])
    q = state.q
    state.q = [5, 6]
    assert q.tolist() == [5, 6]
    state.q += 1
    assert q.tolist() == [6, 7]
    with pytest.raises(ValueError, match="State: q has 2 entries, 3 in 1 dimensions were given"):
        state.q = [1, 2, 3]
    with pytest.raises(ValueError, match="State: q has 2 dimensions, a vector has one"):
        trammel.State(q=[[1, 2]], v=[3])


def test_a_copy_is_another_state():
    state = trammel.State(q=[1.0], v=[2.0], time=3.0, z=[4.0], discrete=[5])
    for other in (state.copy(), copy.copy(state), copy.deepcopy(state)):
        assert not np.shares_memory(other.q, state.q)
        assert (other.q[0], other.v[0], other.time) == (1.0, 2.0, 3.0)
        assert (other.z[0], other.discrete[0]) == (4.0, 5)
    assert repr(state) == "State(q=[1.0], v=[2.0], time=3.0)"


def test_joints_know_where_they_are():
    model = satellite()
    state = trammel.neutral_state(model)
    state.q[model.joint("rail").q] = 0.25
    assert model.coordinate_name(int(np.argmax(state.q == 0.25))) == "rail"
    assert model.joint("flight").q == slice(0, 7)
    assert model.joint("flight").v == slice(0, 6)


def test_integrate_difference_and_rate():
    model = satellite()
    state, other = random_state(model, 1), random_state(model, 2)
    v = trammel.difference(model, state.q, other.q)
    there = trammel.integrate(model, state.q, v)
    for start in model.quaternion_starts:  # a quaternion and its negative are one rotation
        there[start:start + 4] *= np.sign(there[start:start + 4] @ other.q[start:start + 4])
    assert there == pytest.approx(other.q, abs=1e-12)
    h = 1e-6
    slope = (trammel.integrate(model, state.q, h * state.v)
             - trammel.integrate(model, state.q, -h * state.v)) / (2 * h)
    assert trammel.rate(model, state.q, state.v) == pytest.approx(slope, abs=1e-8)


def test_integrate_may_write_where_it_reads():
    model = satellite()
    state = random_state(model)
    expected = trammel.integrate(model, state.q, state.v)
    q = state.q
    assert trammel.integrate(model, state.q, state.v, out=state.q) is not None
    assert q == pytest.approx(expected, abs=0)


def test_wrong_numbers_are_refused():
    model = pendulum()
    with pytest.raises(ValueError, match=r"integrate: v\[0\] is nan: give it a finite number"):
        trammel.integrate(model, [0.0], [np.nan])
    with pytest.raises(ValueError, match=r"rate: q\[0\] is inf"):
        trammel.rate(model, [np.inf], [0.0])
    with pytest.raises(ValueError, match=r"difference: to\[0\] is nan"):
        trammel.difference(model, [0.0], [np.nan])
    with pytest.raises(ValueError, match="integrate: q has 2 entries, the model has nq = 1"):
        trammel.integrate(model, [0.0, 1.0], [0.0])


def test_start_and_limits():
    description = trammel.Description("limited")
    description.body("arm", trammel.thin_rod(1.0, 1.0))
    description.joint("hinge", "revolute", "ground", "arm",
               limits=trammel.JointLimits(lower=-1.0, upper=1.0, velocity=2.0))
    description.start("hinge", position=1.5, velocity=-3.0)
    model = trammel.build_model(description)
    state = trammel.start_state(model)
    assert (state.q[0], state.v[0]) == (1.5, -3.0)
    assert trammel.neutral_state(model).q[0] == 0
    position, velocity = trammel.check_limits(model, state)
    assert position.message == "joint 'hinge' is at 1.5, above its limit of 1"
    assert velocity.severity == "warning"
    assert model.joint("hinge").limits.upper == (1.0,)
