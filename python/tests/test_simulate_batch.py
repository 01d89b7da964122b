"""Many runs of one model at once are the same runs, each by itself."""
import numpy as np
import pytest

import trammel
from robots import random_batch, satellite


@pytest.mark.parametrize("method", ["rk4", "semi-implicit-euler"])
def test_runs_are_the_same_as_alone(method):
    model = satellite()
    q, v = random_batch(model, 11)
    run = trammel.simulate_batch(model, q, v, duration=0.1, step=0.01, sample=0.05, method=method,
                                 workspace=trammel.BatchWorkspace(model, threads=2))
    assert run.time == pytest.approx([0, 0.05, 0.1])
    assert run.q.shape == (3, 11, model.nq) and run.v.shape == (3, 11, model.nv)
    assert run.stopped == [None] * 11
    assert run.v[0] == pytest.approx(v)
    for k in (0, 10):
        alone = trammel.simulate(model, trammel.State(q[k], v[k]), duration=0.1, step=0.01, sample=0.05,
                                 method=method)
        assert run.q[-1, k] == pytest.approx(alone.state.q, abs=1e-10)
        assert run.v[-1, k] == pytest.approx(alone.state.v, abs=1e-9)


def test_wrong_words_are_refused():
    model = satellite()
    q, v = random_batch(model, 2)
    with pytest.raises(ValueError, match="there is no method 'magic'"):
        trammel.simulate_batch(model, q, v, method="magic")
    with pytest.raises(ValueError, match="a row a run"):
        trammel.simulate_batch(model, q[0], v)
    with pytest.raises(trammel.EvaluationError, match="the step is 0"):
        trammel.simulate_batch(model, q, v, step=0)
    with pytest.raises(trammel.EvaluationError, match="radau chooses its steps"):
        trammel.simulate_batch(model, q, v, method="radau")


def test_a_run_that_diverges_has_its_reason():
    model = satellite()
    q, v = random_batch(model, 5)
    v[2] = 1e200
    run = trammel.simulate_batch(model, q, v, duration=0.1, step=0.01)
    assert [description is None for description in run.stopped] == [True, True, False, True, True]
    assert "stopped at t = 0 s" in run.stopped[2]
    assert np.all(np.isfinite(run.q))


def test_singular_poses_are_crossed_and_reported_by_run():
    """F2 turns over and lies flat at 0.714 s and 1.228 s (closed form: one pendulum)."""
    model = trammel.load("@f2")
    start = trammel.start_state(model)
    still = np.array(start.v) * 0
    run = trammel.simulate_batch(model, [start.q, start.q], [start.v, still], duration=1.3)
    assert run.stopped == [None, None]
    assert [event.time for event in run.events[0]] == pytest.approx([0.7144, 1.2282], abs=1e-4)
    assert all("singular pose, a branch" in event.what for event in run.events[0])
    assert run.events[1] == []
