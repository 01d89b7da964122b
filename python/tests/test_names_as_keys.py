"""Names of joints, bodies and parameters instead of indices: states, efforts, accelerations, wrenches, results."""
import copy
import pickle

import numpy as np
import pytest

import trammel
from robots import random_state, satellite


@pytest.fixture(scope="module")
def four_bar():
    return trammel.load("@four_bar")


@pytest.fixture
def turning(four_bar):
    """The four-bar with its crank turning."""
    state = trammel.start_state(four_bar)
    state.v["motor"] = 3.0
    return trammel.project_velocity(four_bar, state)


# states

def test_a_state_takes_names_for_positions(four_bar):
    state = trammel.neutral_state(four_bar)
    state["motor"] = 0.7
    state.v["knee"] = -2
    assert state.q.tolist() == [0.7, 0, 0] and state.v.tolist() == [0, -2, 0]
    assert state["motor"] == state.q["motor"] == 0.7 and state.v["motor"] == 0
    before = state["motor"]
    state["motor"] = 0.1
    assert isinstance(before, float) and before == 0.7  # a number, no view
    state["motor"] = 0.7
    assert state.copy()["motor"] == copy.deepcopy(state)["motor"] == 0.7
    assert state.model is four_bar


def test_a_joint_with_several_coordinates_is_a_view():
    model = satellite()
    state = trammel.neutral_state(model)
    pose = state["flight"]
    assert pose.tolist() == [1, 0, 0, 0, 0, 0, 0] and type(pose) is np.ndarray
    pose[4] = 2.5
    assert state.q[model.joint("flight").q][4] == 2.5
    state.v["flight"] = [0, 0, 1, 2, 0, 0]
    assert state.v[model.joint("flight").v].tolist() == [0, 0, 1, 2, 0, 0]
    name = model.coordinate_name(model.joint("flight").q.start + 5)  # one coordinate, by its own name
    state.q[name] = -1.5
    assert state["flight"][5] == -1.5


def test_all_joints_at_once(four_bar):
    state = trammel.start_state(four_bar)
    assert state.q.by_joint() == dict(zip(("motor", "knee", "foot"), state.q.tolist()))
    model = satellite()
    assert list(trammel.neutral_state(model).v.by_joint()) == [joint.name for joint in model.joints if joint.nv]


@pytest.mark.parametrize("wrong, reason", [
    (lambda s: s["moter"], "no joint 'moter'; did you mean 'motor'"), (lambda s: s.v["x"], "no joint 'x'; it has motor, knee, foot"),
    (lambda s: s["ground_pin"], "joint 'ground_pin' closes a loop, its position is not in q: loop_motion")])
def test_wrong_names_are_key_errors(four_bar, wrong, reason):
    model = four_bar
    if "ground_pin" in reason:
        loop = next(joint.name for joint in model.joints if joint.role == "loop")
        wrong, reason = (lambda s: s[loop]), reason.replace("ground_pin", loop)
    with pytest.raises(KeyError, match=reason):
        wrong(trammel.start_state(model))


def test_wrong_sizes_and_keys_are_named(four_bar):
    model = satellite()
    state = trammel.neutral_state(model)
    with pytest.raises(ValueError, match="'flight' has 7 numbers here, 2 were given"):
        state["flight"] = [1, 2]
    with pytest.raises(ValueError, match="'flight' has 7 numbers here, 1 were given"):
        state["flight"] = 0.0  # would make a quaternion of zeros
    for wrong, text in (("fast", "'fast'"), ({}, "a dict"), (["x"] * 7, r"\['x', .*\]")):
        with pytest.raises(TypeError, match=f"'flight' is {text}: give 7 numbers"):
            state["flight"] = wrong
    with pytest.raises(KeyError, match="joint 'mount' has no degree of freedom"):
        state["mount"]
    with pytest.raises(TypeError, match="State.__getitem__: joint is 0: give a text"):
        state[0]
    assert state.q[0] == 1
    alone = trammel.State(q=[0.1, 0.2, 0.3], v=[0, 0, 0])
    with pytest.raises(KeyError, match="made from numbers alone"):
        alone["motor"]
    assert trammel.State(q=[0.1, 0.2, 0.3], v=[0, 0, 0], model=four_bar)["knee"] == 0.2
    with pytest.raises(ValueError, match="q and v have 2 and 3 entries, the model has nq = 3 and nv = 3"):
        trammel.State(q=[0.1, 0.2], v=[0, 0, 0], model=four_bar)


def test_the_end_of_a_run_and_branches_know_their_names(four_bar):
    run = trammel.simulate(four_bar, duration=0.1, sample=0.05, record="positions")
    assert run.state["motor"] == run["q.motor"][-1]
    for branch in trammel.assembly_branches(four_bar, trammel.start_state(four_bar), keep=["motor"], starts=5):
        assert branch.state.model is four_bar


# arrays of results

def test_results_take_names(four_bar, turning):
    a = trammel.forward_dynamics(four_bar, turning)
    assert [a[joint] for joint in ("motor", "knee", "foot")] == a.tolist()
    forces = trammel.reactions(four_bar, turning)
    for k, joint in enumerate(four_bar.joints):
        np.testing.assert_array_equal(forces[joint.name], np.asarray(forces)[k])
        np.testing.assert_array_equal(trammel.constrained_reactions(four_bar, turning).force[joint.name].shape, (6,))
    motion = trammel.loop_motion(four_bar, turning)
    loop = next(joint.name for joint in four_bar.joints if joint.role == "loop")
    assert motion.q[loop] == motion.q[0] and motion.v.by_joint() == {loop: motion.v[0]}
    with pytest.raises(KeyError, match="joint 'motor' closes no loop"):
        motion.q["motor"]
    with pytest.raises(KeyError, match="did you mean 'motor'"):
        a["moter"]


def test_only_results_know_their_names(four_bar, turning):
    a = trammel.forward_dynamics(four_bar, turning)
    for other in (2 * a, a[::-1], a[1:], np.sort(a), pickle.loads(pickle.dumps(a)), a.copy()):
        with pytest.raises(KeyError, match="slices and results of arithmetic do not know their joints"):
            other["motor"]
    assert repr(a) == repr(np.array(a)) and isinstance(a, np.ndarray)
    into = np.zeros(3)
    assert trammel.forward_dynamics(four_bar, turning, out=into) is into


def test_batches_take_names():
    model = satellite()
    states = [random_state(model, seed) for seed in range(4)]
    q, v = np.array([s.q for s in states]), np.array([s.v for s in states])
    a = trammel.forward_dynamics_batch(model, q, v, {"rail": [1.0, 2.0, 3.0, 4.0], "shoulder": np.arange(model.joint("shoulder").nv)})
    for k, state in enumerate(states):
        tau = np.zeros(model.nv)
        tau[model.joint("rail").v] = k + 1.0
        tau[model.joint("shoulder").v] = np.arange(model.joint("shoulder").nv)
        one = trammel.forward_dynamics(model, state, tau)
        np.testing.assert_allclose(a["flight"][k], one["flight"], atol=1e-9)  # rounding: accelerations of some 10
        np.testing.assert_allclose(a["rail"][k], one["rail"], atol=1e-9)
    forces = trammel.reactions_batch(model, q, v, a)
    np.testing.assert_array_equal(forces["rail"], np.asarray(forces)[:, [j.name for j in model.joints].index("rail")])
    with pytest.raises(ValueError, match="forward_dynamics_batch: tau of 'rail' is not 1 number, nor as many for each of 4 states"):
        trammel.forward_dynamics_batch(model, q, v, {"rail": [1.0, 2.0]})


# inputs

EFFORTS = ["forward_dynamics", "hybrid_dynamics", "constrained_dynamics", "constrained_reactions", "reactions", "prescribed_efforts",
           "locked_joints", "free_and_correction", "linearize", "linearized_dynamics", "minimal_equations", "natural_complement",
           "constrained_derivatives"]


def parts(thing):
    """The arrays in a result."""
    if isinstance(thing, tuple):
        return [array for part in thing for array in parts(part)]
    if isinstance(thing, trammel.LinearizedDynamics):
        return [thing.A(), thing.B(), np.array(thing.acceleration)]
    return [thing] if isinstance(thing, np.ndarray) and thing.dtype == float else []


@pytest.mark.parametrize("name", EFFORTS)
def test_efforts_by_name_are_the_same_efforts(four_bar, turning, name):
    function = getattr(trammel, name)
    by_name = parts(function(four_bar, turning, tau={"knee": 0.7, "motor": -1.5}))
    in_order = parts(function(four_bar, turning, tau=[-1.5, 0.7, 0.0]))
    assert by_name
    for a, b in zip(by_name, in_order):
        np.testing.assert_array_equal(a, b)
    with pytest.raises(ValueError, match=f"{name}: tau: the model 'four-bar linkage' has no joint 'moter'; did you mean 'motor'"):
        function(four_bar, turning, tau={"moter": 1.0})
    with pytest.raises(ValueError, match=f"{name}: tau of 'motor' has 2 numbers, the joint has 1 degree of freedom"):
        function(four_bar, turning, tau={"motor": [1.0, 2.0]})
    with pytest.raises(TypeError, match=f"{name}: tau of 'motor' is a dict: give a number"):
        function(four_bar, turning, tau={"motor": {}})


def test_these_are_all_functions_of_efforts():
    from trammel import _engine
    found = {name for name, function in vars(_engine).items() if "tau: Optional[Union[" in (function.__doc__ or "").split("\n")[0]}
    others = {"equilibrium", "flexible_form", "forward_dynamics_derivatives", "sliding_dynamics", "wheel_contacts"}  # of other models
    assert found == {*EFFORTS, *others}


def test_an_effort_of_a_loop_joint_goes_to_the_loop(four_bar, turning):
    loop = next(joint.name for joint in four_bar.joints if joint.role == "loop")
    by_name = trammel.forward_dynamics(four_bar, turning, tau={loop: 2.0, "motor": 1.0})
    np.testing.assert_array_equal(by_name, trammel.forward_dynamics(four_bar, turning, [1.0, 0, 0], loop_tau=[2.0]))
    assert np.abs(by_name - trammel.forward_dynamics(four_bar, turning, {"motor": 1.0})).max() > 0.1
    with pytest.raises(ValueError, match=f"linearize: tau: joint '{loop}' closes a loop"):
        trammel.linearize(four_bar, turning, tau={loop: 2.0})
    with pytest.raises(ValueError, match="forward_dynamics: loop_tau: joint 'motor' closes no loop"):
        trammel.forward_dynamics(four_bar, turning, loop_tau={"motor": 1.0})


def test_accelerations_that_are_not_named_follow_the_loops(four_bar, turning):
    # one degree of freedom: the acceleration of the crank determines all others
    a = trammel.forward_dynamics(four_bar, turning, {"motor": 2.0})
    tau = trammel.inverse_dynamics(four_bar, turning, {"motor": a["motor"]})
    np.testing.assert_allclose(tau, trammel.inverse_dynamics(four_bar, turning, a), atol=1e-9)
    assert tau["motor"] == pytest.approx(2.0, abs=1e-9)  # accelerations of some 50: rounding times their condition
    where = trammel.kinematics(four_bar, turning, {"motor": a["motor"]})
    body = four_bar.joints[1].child
    np.testing.assert_allclose(trammel.acceleration(four_bar, where, body),
                               trammel.acceleration(four_bar, trammel.kinematics(four_bar, turning, a), body), atol=1e-9)


def test_on_a_tree_accelerations_that_are_not_named_are_zero():
    model = satellite()
    state = random_state(model)
    a = np.zeros(model.nv)
    a[model.joint("rail").v] = 0.4
    np.testing.assert_array_equal(trammel.inverse_dynamics(model, state, {"rail": 0.4}), trammel.inverse_dynamics(model, state, a))
    np.testing.assert_array_equal(trammel.reactions(model, state, {"rail": 0.4}), trammel.reactions(model, state, a))
    with pytest.raises(ValueError, match="forward_dynamics: a names joint 'rail', which is not driven by motion"):
        trammel.forward_dynamics(model, state, a={"rail": 0.4})


def test_wrenches_by_the_name_of_a_place():
    model = satellite()
    state = random_state(model)
    six = [0.1, 0.2, 0.3, 1.0, 2.0, 3.0]
    by_name = trammel.forward_dynamics(model, state, wrenches={"lens": six})
    listed = trammel.forward_dynamics(model, state, wrenches=[trammel.Wrench("lens", moment=six[:3], force=six[3:])])
    np.testing.assert_array_equal(by_name, listed)
    with pytest.raises(ValueError, match="no body or frame 'lense'; did you mean 'lens'"):
        trammel.forward_dynamics(model, state, wrenches={"lense": six})
    with pytest.raises(ValueError, match=r"wrenches of 'lens', \[moment; force\] in world axes, has 3 entries, it must have 6"):
        trammel.forward_dynamics(model, state, wrenches={"lens": six[:3]})


def test_wrong_lengths_list_the_joints(four_bar, turning):
    with pytest.raises(ValueError, match="forward_dynamics: tau has 2 entries, the model has nv = 3: motor, knee, foot"):
        trammel.forward_dynamics(four_bar, turning, [1.0, 2.0])


def test_effort_functions_use_names(four_bar):
    def by_name(time, q, v):
        return {"motor": -0.5 * (q["motor"] - 1.0) - 0.1 * v["motor"]}

    def in_order(time, q, v):
        return [-0.5 * (q[0] - 1.0) - 0.1 * v[0], 0.0, 0.0]

    runs = [trammel.simulate(four_bar, duration=0.5, sample=0.1, effort=effort) for effort in (by_name, in_order)]
    np.testing.assert_array_equal(runs[0].values, runs[1].values)
    free = trammel.simulate(four_bar, duration=0.5, sample=0.1)
    assert np.abs(free.values - runs[0].values).max() > 1e-3
    with pytest.raises(TypeError, match="simulate: effort is a dict: give a function of time, q and v"):
        trammel.simulate(four_bar, duration=0.1, effort={"motor": 1.0})
    with pytest.raises(ValueError, match="simulate: effort: the model 'four-bar linkage' has no joint 'moter'; did you mean 'motor'"):
        trammel.simulate(four_bar, duration=0.1, effort=lambda time, q, v: {"moter": 1.0})
    high = trammel.Event("high", lambda time, q, v: q["motor"] - 1.5, stop=True, lock="knee")
    assert trammel.simulate(four_bar, duration=5.0, events=[high]).state["motor"] == pytest.approx(1.5, abs=1e-6)


def test_one_quantity_may_be_a_text(four_bar):
    run = trammel.simulate(four_bar, duration=0.1, sample=0.05, record="positions")
    assert run.names == ["time", "q.motor", "q.knee", "q.foot"]
