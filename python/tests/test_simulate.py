"""Motion in time."""
import os
import pathlib
import subprocess

import numpy as np
import pytest

import trammel


def test_a_pendulum_swings_and_keeps_its_energy():
    run = trammel.simulate(trammel.load("@f1"), duration=2.36784194757624, tolerance=1e-11)
    assert run.time[0] == 0 and len(run.time) == 1001
    np.testing.assert_allclose(run["q.pivot"][-1], np.pi, atol=1e-8)  # one period
    np.testing.assert_allclose(run["energy.total"], run["energy.total"][0], atol=1e-9)
    assert run.units[run.names.index("q.pivot")] == "rad"
    assert run.state.time == pytest.approx(2.36784194757624) and run.stopped is None
    with pytest.raises(KeyError, match="the run has no column 'q.pivod'; did you mean 'q.pivot'"):
        run["q.pivod"]
    with pytest.raises(KeyError, match="the run has no column 'torque'; it has time, q.pivot"):
        run["torque"]


def test_a_pattern_gives_several_columns():
    run = trammel.simulate(trammel.load("@four_bar"), duration=0.1, sample=0.01, record=["positions", "velocities"])
    assert run["q.*"].shape == (11, 3) and run["?.motor"].shape == (11, 2)
    np.testing.assert_array_equal(run["q.*"][:, 1], run["q.knee"])
    with pytest.raises(KeyError, match="no column 'tau"):
        run["tau.*"]


def test_defaults_come_from_the_model():
    model = trammel.load("@me_2b")  # its [run]: 1.5 s, a sample in 0.05 s, efforts among others
    run = trammel.simulate(model)
    assert run.time[-1] == 1.5 and len(run.time) == 31
    np.testing.assert_allclose(run["tau.roll"][25], 5, atol=1e-9)  # N m at 1.25 s, as published
    assert len(trammel.simulate(model, sample=0.5, record=["q.*"]).names) == 6
    description = trammel.simulate(model, duration=1, sample=0.1, record=["energy"])
    assert description.time[-1] == 1 and len(description.time) == 11 and "tau.roll" not in description.names


def test_loops_stay_closed():
    run = trammel.simulate(trammel.load("@four_bar"), duration=1, record=["violations"], sample=0.1)
    assert run.values.shape == (11, 3)
    assert run["violation.position"].max() < 1e-12


def test_a_function_may_drive():
    model = trammel.load("@pendulum")
    state = trammel.neutral_state(model)
    state.q[0] = 1.0
    run = trammel.simulate(model, state, duration=20, effort=lambda time, q, v: [-3 * v[0]])
    assert abs(run["v.pivot"][-1]) < 1e-2 * abs(run["v.pivot"]).max()
    with pytest.raises(ValueError, match="effort gave 2 numbers, the model has nv = 1"):
        trammel.simulate(model, state, effort=lambda time, q, v: [0, 0])


def test_a_run_comes_back_from_its_file(tmp_path):
    program = pathlib.Path(os.environ["TRAMMEL_PROGRAMS"]) / "trammel"
    subprocess.run([program, "simulate", "@double_pendulum", "--duration", "2", "--sample", "0.01",
                    "-o", tmp_path / "run.h5", "--journal", tmp_path / "run.journal", "--quiet"], check=True)
    live = trammel.simulate(trammel.load("@double_pendulum"), duration=2, sample=0.01)
    for name in "run.h5", "run.journal":
        run = trammel.load_run(tmp_path / name)
        assert run.names == live.names and run.units == live.units and run.stopped is None
        np.testing.assert_array_equal(run.values, live.values)
        np.testing.assert_array_equal(run.state.q, live.state.q)
        assert (run.steps, run.rejected) == (live.steps, live.rejected)
    journal = tmp_path / "run.journal"
    journal.write_bytes(journal.read_bytes()[:-1])  # its last block is gone, and with it its end
    assert trammel.load_run(str(journal)).stopped == "the run was interrupted"


def test_a_file_that_is_no_run_is_refused(tmp_path):
    (tmp_path / "run.csv").write_text("time [s],q [rad]\n0,1\n")
    with pytest.raises(ValueError, match="is a table alone"):
        trammel.load_run(tmp_path / "run.csv")
    with pytest.raises(trammel.ModelError, match="there is no such file"):
        trammel.load_run(tmp_path / "nothing.h5")


def test_a_stopped_run_has_its_samples():
    model = trammel.load("@pendulum")
    state = trammel.neutral_state(model)
    state.v[0] = 1.0
    with pytest.raises(trammel.RunStopped, match="stopped at t = .* joint 'pivot'") as stopped:
        trammel.simulate(model, state, effort=lambda time, q, v: [100 * v[0] ** 3], sample=1e-5)
    assert np.isfinite(stopped.value.run.values).all() and len(stopped.value.run.time) > 2
    with pytest.raises(trammel.EvaluationError, match="the duration is -1 s"):
        trammel.simulate(model, duration=-1)
    with pytest.raises(ValueError, match="there is no method 'euler'"):
        trammel.simulate(model, method="euler")
    with pytest.raises(ValueError, match="did you mean 'positions'"):
        trammel.simulate(model, record=["position"])
