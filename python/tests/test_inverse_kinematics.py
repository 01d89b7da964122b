"""Ways to close, to reach, to move on from there."""
import numpy as np
import pytest

import trammel
from trammel import MotionTarget, Target


@pytest.fixture
def four_bar():
    return trammel.load("@four_bar")


@pytest.fixture
def arm():
    return trammel.load("@seven_axis_arm")


def bent(arm):
    state = trammel.neutral_state(arm)
    state.q[:] = 0.1, 0.5, 0.2, -1.0, 0.3, 0.8, 0.0
    return state


def test_a_four_bar_closes_in_two_ways(four_bar):
    start = trammel.neutral_state(four_bar)
    start.q[0] = 1.0
    both = trammel.assembly_branches(four_bar, start, keep=["motor"])
    assert len(both) == 2 and all(branch.met > 20 for branch in both)
    for branch in both:
        assert branch.state.q[0] == 1.0
        trammel.forward_dynamics(four_bar, branch.state)
    with pytest.raises(trammel.EvaluationError, match="still has 1 degree of freedom"):
        trammel.assembly_branches(four_bar, start)


def test_a_place_is_reached(arm):
    start = bent(arm)
    there = trammel.inverse_kinematics(arm, start, [Target("tool", [0.4, 0.1, 0.6], np.diag([1.0, -1.0, -1.0]))])
    X = trammel.pose(arm, trammel.kinematics(arm, there), "tool")
    np.testing.assert_allclose(X.p, [0.4, 0.1, 0.6], atol=1e-10)
    np.testing.assert_allclose(X.R, np.diag([1.0, -1.0, -1.0]), atol=1e-10)
    assert start.q[1] == 0.5
    with pytest.raises(trammel.EvaluationError, match="frame 'tool' stays"):
        trammel.inverse_kinematics(arm, start, [Target("tool", [5.0, 0.0, 0.0])])
    with pytest.raises(ValueError, match="neither position nor rotation"):
        trammel.inverse_kinematics(arm, start, [Target("tool")])


def test_joints_follow_a_place(arm):
    state = bent(arm)
    wanted = [MotionTarget("tool", [0.1, 0.2, 0.3], [0.4, 0.5, 0.6])]
    J = trammel.jacobian(arm, trammel.kinematics(arm, state), "tool")
    v = trammel.inverse_kinematics_velocity(arm, state, wanted)
    np.testing.assert_allclose(v, np.linalg.pinv(J) @ [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], atol=1e-12)
    state.v[:] = v
    a = trammel.inverse_kinematics_acceleration(arm, state, wanted, a=np.ones(7), self_motion="kept")
    np.testing.assert_allclose(
        J @ a + trammel.jacobian_rate(arm, state, "tool"), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], atol=1e-12)
    with pytest.raises(ValueError, match="self_motion is 'some'"):
        trammel.inverse_kinematics_velocity(arm, state, wanted, self_motion="some")


def test_projection_removes_drift(four_bar):
    state = trammel.start_state(four_bar)
    state.q[:] += [1e-4, -2e-4, 1e-4]
    state.v[:] = 1.0, 0.3, -0.2
    back = trammel.project_velocity(four_bar, trammel.project_position(four_bar, state))
    assert np.abs(back.q - state.q).max() < 1e-3
    J = trammel.constraint_jacobian(four_bar, back)
    np.testing.assert_allclose(J @ back.v, 0, atol=1e-13)
    # what was lost is orthogonal to what is left, as inertia measures it
    M = trammel.mass_matrix(four_bar, back)
    assert abs(back.v @ M @ (back.v - state.v)) < 1e-12


def test_derivatives_along_the_loops(four_bar):
    state = trammel.start_state(four_bar)
    found = trammel.constrained_derivatives(four_bar, state, [0.7, 0.0, 0.0])
    step = 1e-4

    def a(effort):
        return trammel.forward_dynamics(four_bar, state, [0.7 + effort, 0.0, 0.0])

    assert found.dq.shape == found.dv.shape == (3, 1)
    np.testing.assert_allclose(found.dtau[:, 0], (a(step) - a(-step)) / (2 * step), rtol=1e-8)


def test_minimal_equations_move_it_alike(four_bar):
    state = trammel.start_state(four_bar)
    state.v[0] = 1.0
    state = trammel.assemble(four_bar, state, keep=["motor"])
    tau = [0.7, 0.0, 0.0]
    a = trammel.forward_dynamics(four_bar, state, tau)
    for options in ({"independent": ["motor"]}, {"independent": ["foot"]}, {}, {"orthonormal": True}):
        basis = trammel.orthogonal_complement(four_bar, state, **options)
        minimal = trammel.minimal_equations(four_bar, state, tau, **options)
        u_dot = np.linalg.solve(minimal.inertia, minimal.effort - minimal.bias)
        np.testing.assert_allclose(basis.T @ u_dot + basis.T_dot_u, a, atol=1e-10)
        np.testing.assert_allclose(basis.T @ basis.u, state.v, atol=1e-10)
        assert list(basis.independent) == list(minimal.independent)
        moved = trammel.restricted_jacobian(four_bar, state, "coupler", **options)
        where = trammel.kinematics(four_bar, state, a)
        np.testing.assert_allclose(moved.J @ basis.u, trammel.velocity(four_bar, where, "coupler"), atol=1e-12)
        np.testing.assert_allclose(
            moved.J @ u_dot + moved.rate, trammel.acceleration(four_bar, where, "coupler"), atol=1e-9)
    with pytest.raises(trammel.EvaluationError, match="has 1 degree of freedom"):
        trammel.orthogonal_complement(four_bar, state, independent=["motor", "foot"])


def test_all_twists_have_a_natural_complement(four_bar):
    state = trammel.start_state(four_bar)
    found = trammel.natural_complement(four_bar, state)
    assert list(found.bodies) == ["crank", "coupler", "rocker"]
    assert found.A.shape == (20, 18) and found.T.shape == (18, 1)
    np.testing.assert_allclose(found.A @ found.T, 0, atol=1e-12)
    np.testing.assert_allclose(
        found.T.T @ found.M @ found.T, trammel.minimal_equations(four_bar, state).inertia, atol=1e-12)


def test_joints_have_roles():
    description = trammel.Description("arm with a cut")
    description.body("a", trammel.Solid(1.0, [0.5, 0, 0], [0.01, 0.1, 0.1]))
    description.body("b", trammel.Solid(1.0, [0.5, 0, 0], [0.01, 0.1, 0.1]))
    description.body("c", trammel.Solid(1.0, [0.5, 0, 0], [0.01, 0.1, 0.1]))
    description.joint("motor", "revolute", "ground", "a", axis="y", drive="torque")
    description.joint("cut", "revolute", "a", "b", at=[1, 0, 0], axis="y", drive="locked")
    description.joint("soft", "revolute", "b", "c", at=[1, 0, 0], axis="y", stiffness=5.0, damping=0.1)
    model = trammel.build_model(description)
    assert list(trammel.dof_roles(model).of) == ["actuated", "actuated", "flexible"]
    state = trammel.neutral_state(model)
    held = trammel.locked_joints(model, state, [0.3, 0.0, 0.0])
    assert list(held.names) == ["cut"] and held.rank == 1 and held.is_unique[0]
    np.testing.assert_allclose(held.effort, -np.linalg.solve(held.gives, held.released), rtol=1e-12)
    form = trammel.flexible_form(model, state, [0.3, 0.0, 0.0])
    assert form.inertia.shape == (1, 1) and form.stiffness[0] == 5.0
    split = trammel.free_and_correction(model, state, [0.3, 0.0, 0.0])
    total = trammel.constrained_dynamics(model, state, [0.3, 0.0, 0.0]).a
    np.testing.assert_allclose(split.free + split.correction, total, atol=1e-10)
