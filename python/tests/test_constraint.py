"""Mechanisms with loops: put together, moved, held."""
import numpy as np
import pytest

import trammel


@pytest.fixture
def four_bar():
    return trammel.load("@four_bar")


def test_it_is_put_together_where_it_starts(four_bar):
    state = trammel.start_state(four_bar)
    assert state.q[0] == pytest.approx(np.pi / 3, abs=0)
    # the coupler's end and the rocker's are one place
    crank, coupler, rocker = 0.2, 0.5, 0.45
    a, b = state.q[0], state.q[0] + state.q[1]
    end = np.array([crank * np.cos(a) + coupler * np.cos(b), -crank * np.sin(a) - coupler * np.sin(b)])
    other = np.array([0.5 + rocker * np.cos(state.q[2]), -rocker * np.sin(state.q[2])])
    np.testing.assert_allclose(end, other, atol=1e-12)


def test_the_start_is_closed(four_bar):
    start = trammel.start_state(four_bar)
    trammel.forward_dynamics(four_bar, start)
    assert abs(start.q[1] - trammel.neutral_state(four_bar).q[1]) > 0.1


def test_an_open_state_is_refused_and_closed_on_request(four_bar):
    apart = trammel.neutral_state(four_bar)
    with pytest.raises(trammel.EvaluationError, match=r"assemble\(model, state\) does it, and start_state\(model\) is closed"):
        trammel.inverse_dynamics(four_bar, apart)
    with pytest.raises(trammel.EvaluationError, match="loop joint 'wrist' is violated by .* assemble"):
        trammel.forward_dynamics(four_bar, apart)
    apart.q[0] = 0.4
    closed = trammel.assemble(four_bar, apart, keep=["motor"])
    assert closed.q[0] == 0.4 and apart.q[1] == 0
    trammel.forward_dynamics(four_bar, closed)
    with pytest.raises(ValueError, match="assemble: keep: the model 'four-bar linkage' has no joint 'moter'; did you mean 'motor'"):
        trammel.assemble(four_bar, apart, keep=["moter"])
    apart.q[:] = 0.4, 0.0, 0.0
    with pytest.raises(trammel.EvaluationError, match="cannot be closed from here: loop joint 'wrist'"):
        trammel.assemble(four_bar, apart, keep=["motor", "knee", "foot"])


def test_all_solvers_have_one_solution(four_bar):
    state = trammel.start_state(four_bar)
    tau = [0.7, 0.0, 0.0]
    a = trammel.forward_dynamics(four_bar, state, tau)
    J = trammel.constraint_jacobian(four_bar, state)
    M = trammel.mass_matrix(four_bar, state)
    h = trammel.bias(four_bar, state)
    assert J.shape == (len(trammel.row_names(four_bar)), 3)
    for solver in ("automatic", "schur", "star", "null_space", "kkt", "sparse"):
        found = trammel.constrained_dynamics(four_bar, state, tau, solver=solver)
        np.testing.assert_allclose(found.a, a, rtol=1e-10)
        np.testing.assert_allclose(M @ found.a + h, tau + J.T @ found.multipliers, atol=1e-10)
        assert found.rank == 2
    with pytest.raises(ValueError, match="solver is 'straight'"):
        trammel.constrained_dynamics(four_bar, state, solver="straight")


def test_one_motor_suffices(four_bar):
    state = trammel.start_state(four_bar)
    a = trammel.forward_dynamics(four_bar, state, [0.7, 0.0, 0.0])
    np.testing.assert_allclose(trammel.inverse_dynamics(four_bar, state, a), [0.7, 0, 0], atol=1e-10)
    with pytest.raises(trammel.EvaluationError, match="the accelerations violate loop joint 'wrist' by"):
        trammel.inverse_dynamics(four_bar, state, [1.0, 0.0, 0.0])


def test_reactions_have_their_uniqueness(four_bar):
    state = trammel.start_state(four_bar)
    found = trammel.constrained_reactions(four_bar, state)
    assert found.force.shape == found.is_unique.shape == (4, 6)
    # forces in the plane and moments about y are; what a planar linkage carries across it is not
    for joint in range(4):
        assert list(found.is_unique[joint]) == [False, True, False, True, False, True]
    np.testing.assert_allclose(trammel.reactions(four_bar, state), found.force, atol=1e-12)


def test_structure(four_bar):
    graph = trammel.topology(four_bar)
    assert (graph.kind, graph.form, graph.bodies, graph.joints) == ("closed", "serial closed chain", 4, 4)
    assert graph.reference == "coupler" and len(graph.loops) == 1 and graph.internal_loops == 0
    start = trammel.start_state(four_bar)
    drives = trammel.actuation(four_bar, start)
    assert (drives.mobility, drives.driven, drives.under, drives.over) == (1, ["motor"], 0, 0)
    assert not trammel.constraint_nature(four_bar, start).is_rheonomic
    assert all(row.is_exact for row in trammel.row_natures(four_bar, start))
    axle = trammel.load("@s_t01")  # one relation hidden between its angles
    reach = trammel.reachability(axle, trammel.start_state(axle))
    assert (reach.growth, reach.configuration, reach.hidden) == ([2, 3, 4], 5, 1)
    arm = trammel.load("@seven_axis_arm")
    state = trammel.neutral_state(arm)
    state.q[:] = np.linspace(0.3, 0.9, 7)
    (found,) = trammel.arms(arm, state)
    assert (found.ability, found.rank, found.generic_rank, found.dofs) == ("redundant", 6, 6, 7)


def test_mobility(four_bar):
    found = trammel.mobility(four_bar, trammel.start_state(four_bar))
    assert (found.finite, found.instantaneous, found.gruebler) == (1, 1, -2)
    assert found.verdict == "regular" and len(found.dependent) == 3
    basis = trammel.row_basis(four_bar, trammel.start_state(four_bar))
    assert len(basis.rows) == found.rank == 2 and basis.total == 5


def test_guesses_choose_the_branch_and_may_change(four_bar):
    start = trammel.start_state(four_bar)
    crank, knee = start.q[:2]
    # the coupler mirrored at the line from the crank's tip to the rocker's pivot
    line = -np.arctan2(0.2 * np.sin(crank), 0.5 - 0.2 * np.cos(crank))
    mirrored = 2 * line - 2 * crank - knee
    for knee, foot in ((knee, start.q[2]), (mirrored, -2.35)):
        description = trammel.load("@four_bar").description
        description.guess("knee", position=knee + 0.2)
        description.guess("foot", position=foot - 0.2)
        found = trammel.start_state(trammel.build_model(description))
        assert found.q[0] == start.q[0]  # the file keeps the crank
        assert found.q[1] == pytest.approx(knee, abs=1e-9)
    description.start("knee", position=0.1)
    with pytest.raises(trammel.ModelError, match="joint 'knee' has a position that is kept and a guess of it"):
        trammel.build_model(description)
