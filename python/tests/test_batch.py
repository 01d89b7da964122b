"""Many states at once: the same answers as one by one, in arrays that are not copied."""
import numpy as np
import pytest

import trammel
from robots import random_batch, satellite

N = 37  # no multiple of the lanes


@pytest.fixture(scope="module")
def model():
    return satellite()


@pytest.fixture(scope="module")
def batch(model):
    return random_batch(model, N)


def test_dynamics_of_a_batch_are_those_of_each_state(model, batch):
    q, v = batch
    x = np.random.default_rng(3).uniform(-1, 1, (N, model.nv))
    a = trammel.forward_dynamics_batch(model, q, v, x)
    tau = trammel.inverse_dynamics_batch(model, q, v, x)
    M = trammel.mass_matrix_batch(model, q, v)
    assert a.shape == tau.shape == (N, model.nv) and M.shape == (N, model.nv, model.nv)
    for k in range(N):
        state = trammel.State(q[k], v[k])
        assert a[k] == pytest.approx(trammel.forward_dynamics(model, state, x[k]), abs=1e-11)
        assert tau[k] == pytest.approx(trammel.inverse_dynamics(model, state, x[k]), abs=1e-11)
        assert M[k] == pytest.approx(trammel.mass_matrix(model, state), abs=1e-12)


def test_poses_of_a_batch_are_those_of_each_state(model, batch):
    q, v = batch
    poses = trammel.kinematics_batch(model, q, v)
    assert poses.R.shape == (N, len(model.bodies), 3, 3) and poses.p.shape == (N, len(model.bodies), 3)
    assert np.shares_memory(poses.R, poses.numbers) and np.shares_memory(poses.p, poses.numbers)
    for k in range(0, N, 9):
        where = trammel.kinematics(model, trammel.State(q[k], v[k]))
        for i, body in enumerate(model.bodies):
            one = trammel.pose(model, where, body.name)
            assert poses.R[k, i] == pytest.approx(one.R, abs=1e-13)
            assert poses.p[k, i] == pytest.approx(one.p, abs=1e-13)


def test_any_number_of_threads_answers_to_the_last_bit(model, batch):
    q, v = (np.tile(x, (40, 1)) for x in batch)
    tau = np.zeros((len(q), model.nv))
    alone = trammel.forward_dynamics_batch(model, q, v, tau)
    for threads in (2, 3):
        workspace = trammel.BatchWorkspace(model, threads)
        assert workspace.threads == threads
        assert np.array_equal(trammel.forward_dynamics_batch(model, q, v, tau, workspace=workspace), alone)
    assert trammel.BatchWorkspace(model, 0).threads >= 1
    with pytest.raises(ValueError, match="-1 threads: give 1 or more, or 0 for one a core"):
        trammel.BatchWorkspace(model, -1)


def test_out_and_workspace(model, batch):
    q, v = batch
    tau = np.zeros((N, model.nv))
    workspace = trammel.BatchWorkspace(model)
    out = np.empty((N, model.nv))
    assert trammel.forward_dynamics_batch(model, q, v, tau, workspace=workspace, out=out) is out
    assert out == pytest.approx(trammel.forward_dynamics_batch(model, q, v, tau), abs=0)
    # out may be what is read
    trammel.forward_dynamics_batch(model, q, v, tau, out=tau)
    assert tau == pytest.approx(out, abs=0)
    poses = np.empty((N, len(model.bodies), 4, 3))
    assert trammel.kinematics_batch(model, q, v, out=poses).numbers is poses
    square = np.empty((N, model.nv, model.nv))
    assert trammel.mass_matrix_batch(model, q, v, out=square) is square


def test_rows_that_are_not_contiguous_are_accepted(model, batch):
    q, v = batch
    tau = np.zeros((N, model.nv))
    wide = np.hstack([q, q])
    assert trammel.forward_dynamics_batch(model, wide[:, :model.nq], np.asfortranarray(v), tau) == \
        pytest.approx(trammel.forward_dynamics_batch(model, q, v, tau), abs=0)


def test_no_states_are_no_answers(model):
    none = trammel.forward_dynamics_batch(
        model, np.empty((0, model.nq)), np.empty((0, model.nv)), np.empty((0, model.nv)))
    assert none.shape == (0, model.nv)


def test_failures_name_the_state(model, batch):
    q, v = (x.copy() for x in batch)
    tau = np.zeros((N, model.nv))
    v[11, 2] = np.nan
    with pytest.raises(trammel.EvaluationError, match="state 11"):
        trammel.forward_dynamics_batch(model, q, v, tau)
    with pytest.raises(ValueError, match="q has 1 dimensions; give it two, a row a state"):
        trammel.forward_dynamics_batch(model, q[0], v, tau)
    with pytest.raises(ValueError, match="forward_dynamics_batch: "):
        trammel.forward_dynamics_batch(model, q[:, :-1], batch[1], tau)
    with pytest.raises(ValueError, match="forward_dynamics_batch: "):
        trammel.forward_dynamics_batch(model, q[:-1], batch[1], tau)
    with pytest.raises(ValueError, match="out has shape"):
        trammel.forward_dynamics_batch(model, q, batch[1], tau, out=np.empty((N, 1)))


def test_loops_in_a_batch_are_those_of_each_state():
    model = trammel.load("@four_bar")
    start = trammel.start_state(model)
    random = np.random.default_rng(2)
    states = []
    for _ in range(9):
        state = trammel.State(start.q + random.uniform(-0.05, 0.05, model.nq), random.uniform(-1, 1, model.nv))
        states.append(trammel.assemble(model, state))
    q, v = np.array([s.q for s in states]), np.array([s.v for s in states])
    tau = random.uniform(-1, 1, (9, model.nv))
    a = trammel.forward_dynamics_batch(model, q, v, tau)
    efforts = trammel.inverse_dynamics_batch(model, q, v, a)
    forces = trammel.reactions_batch(model, q, v, tau)
    assert forces.shape == (9, len(model.joints), 6)
    for k, state in enumerate(states):
        # condition of the rows times rounding
        assert efforts[k] == pytest.approx(trammel.inverse_dynamics(model, state, a[k]), abs=1e-9)
        assert forces[k] == pytest.approx(trammel.reactions(model, state, tau=tau[k]), abs=1e-9)
    near_q, near_v = trammel.project_to_manifold_batch(model, q + 1e-4, v)
    assert np.abs(near_q - q).max() < 1e-3 and near_q.shape == q.shape and near_v.shape == v.shape
    again_q, _ = trammel.project_to_manifold_batch(model, near_q, near_v)
    assert again_q == pytest.approx(near_q, abs=1e-12)  # on the manifold
    q[4, 0] = np.nan
    with pytest.raises(trammel.EvaluationError, match="project_to_manifold_batch: in state 4 q"):
        trammel.project_to_manifold_batch(model, q, v)
    with pytest.raises(ValueError, match="reactions_batch: tau is "):
        trammel.reactions_batch(model, q, v, tau[:, :1])
