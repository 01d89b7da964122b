"""Wrong calls raise with a reason; Ctrl-C and wall_limit end long calls."""
import copy
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import trammel
from robots import pendulum


@pytest.fixture
def model():
    return trammel.load("@double_pendulum")


@pytest.mark.parametrize("given, reason", [
    (None, r"returned None"), ("push", r"returned a str"), (1.0, r"returned a float"),
    (object(), r"returned a object"), ([[1.0, 2.0]], r"returned a list")])
def test_a_wrong_effort_raises_with_the_name_of_its_function(model, given, reason):
    with pytest.raises(TypeError, match=r"simulate: effort\(time, q, v\) " + reason + ": it has to return a list or an array of numbers"):
        trammel.simulate(model, effort=lambda time, q, v: given, duration=1)


def test_other_functions_are_named_too(model):
    with pytest.raises(TypeError, match=r"simulate: effort\(time, q, v\): an array of complex128"):
        trammel.simulate(model, effort=lambda time, q, v: 1j * v, duration=1)
    with pytest.raises(TypeError, match=r"simulate: value\(time, q, v\) of event 'top' returned None: it has to return a number"):
        trammel.simulate(model, events=[trammel.Event("top", lambda time, q, v: None)], duration=1)
    with pytest.raises(TypeError, match="simulate: a wrench law gives is no array of numbers|array of <U"):
        body = model.bodies[1].name
        trammel.simulate(model, wrench_laws={body: lambda place: "push"}, duration=1)


@pytest.mark.parametrize("tau", [
    np.array([1j, 0]), np.array([1 + 0j, 0], np.complex64), np.array(["2020-01-01", "2020-01-02"], "datetime64[D]"),
    np.array([1, 2], "timedelta64[s]"), np.array(["1", "2"]), [1j, 0]], ids=str)
def test_only_real_numbers_are_efforts(model, tau):
    state = trammel.neutral_state(model)
    with pytest.raises(TypeError, match="where real numbers are needed|give numbers"):
        trammel.forward_dynamics(model, state, tau)
    with pytest.raises(TypeError, match="where real numbers are needed|give numbers"):
        trammel.State(tau, [0, 0])
    with pytest.raises(TypeError, match="where real numbers are needed|give numbers"):
        trammel.simulate_batch(model, [tau], [[0, 0]])


def test_all_real_numbers_are(model):
    state = trammel.neutral_state(model)
    wanted = trammel.forward_dynamics(model, state, [1.0, 0.0])
    for tau in ([1, 0], (True, False), np.array([1, 0], np.int8), np.array([1, 0], np.float32), np.array([1.0, 0], ">f8"),
                np.array([1.0, 0], object), np.array([1.0, 7.0, 0.0])[::2]):
        np.testing.assert_array_equal(trammel.forward_dynamics(model, state, tau), wanted)


def test_an_object_that_was_never_initialized_is_refused(model):
    state = trammel.neutral_state(model)
    empty = trammel.Model.__new__(trammel.Model)
    for use in (lambda: empty.nq, lambda: trammel.neutral_state(empty), lambda: trammel.forward_dynamics(empty, state), lambda: repr(empty),
                lambda: trammel.State.__new__(trammel.State).q, lambda: trammel.FrameRef.__new__(trammel.FrameRef).body,
                lambda: trammel.forward_dynamics(model, state, workspace=trammel.Workspace.__new__(trammel.Workspace))):
        with pytest.raises((TypeError, RuntimeError), match="never initialized|non-held"):
            use()
    del empty
    for kind in vars(trammel).values():  # none of them dies
        if isinstance(kind, type) and type(kind).__name__ == "pybind11_type":
            with pytest.raises((TypeError, RuntimeError)):
                repr(kind.__new__(kind)) and [getattr(kind.__new__(kind), name) for name in dir(kind) if not name.startswith("_")] and 1 / 0
    np.testing.assert_array_equal(copy.deepcopy(state).q, state.q)


def interrupted(work, after=0.3):
    """How long `work` went on after Ctrl-C."""
    begin = time.monotonic()
    timer = threading.Timer(after, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        try:
            work()
        finally:
            timer.cancel()  # of work that failed at once
    return time.monotonic() - begin - after


def test_ctrl_c_ends_a_run(model):
    for more in {}, {"method": "radau"}, {"method": "rk4", "step": 0.1}, {"effort": lambda time, q, v: 0 * v}:
        assert interrupted(lambda: trammel.simulate(model, duration=5e6, sample=1e5, **more)) < 20
    # afterwards all is as before
    assert trammel.simulate(model, duration=0.1).stopped is None
    rocker = trammel.load("@crank_rocker")
    assert interrupted(lambda: trammel.simulate(rocker, mode="kinematic", duration=1e6, sample=0.01)) < 20


def test_ctrl_c_ends_a_batch(model):
    q, v = np.full((1000, 2), 0.3), np.zeros((1000, 2))
    for threads in 1, 2:
        workspace = trammel.BatchWorkspace(model, threads)
        assert interrupted(lambda: trammel.simulate_batch(model, q, v, duration=1e5, step=1e-2, workspace=workspace)) < 20
        assert trammel.simulate_batch(model, q, v, duration=0.1, workspace=workspace).stopped[0] is None


def test_a_handler_of_the_users_own_is_called_and_the_run_goes_on(model):
    called = []
    before = signal.signal(signal.SIGALRM, lambda *_: called.append(True))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(trammel.RunStopped):
            trammel.simulate(model, duration=1e9, sample=1e5, wall_limit=0.5)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert called == [True]


def test_the_clock_ends_a_run(model):
    with pytest.raises(trammel.RunStopped, match="the limit of 0.2 s of wall-clock time is reached") as caught:
        trammel.simulate(model, duration=1e7, sample=0.1, wall_limit=0.2)
    run = caught.value.run
    assert run.time.size > 2 and run.state.time > 0
    assert trammel.simulate(model, duration=1, wall_limit=1e3).stopped is None
    for wrong in 0, -1, float("nan"):
        with pytest.raises(ValueError, match="simulate: wall_limit is .*: give a time above 0"):
            trammel.simulate(model, wall_limit=wrong)
    batch = trammel.simulate_batch(model, np.zeros((3, 2)), np.zeros((3, 2)), duration=1e4, wall_limit=0.2)
    assert all("the limit of 0.2 s of wall-clock time is reached" in reason for reason in batch.stopped)


def test_steps_that_never_end_are_refused(model):
    with pytest.raises(RuntimeError, match="simulate: the step is 1e-300 s, which does not move time"):
        trammel.simulate(model, step=1e-300)
    with pytest.raises(trammel.EvaluationError, match="simulate_batch: the step is 1e-300 s, which does not move time"):
        trammel.simulate_batch(model, np.zeros((3, 2)), np.zeros((3, 2)), step=1e-300)


def test_threads_without_number_are_refused():
    with pytest.raises(ValueError, match=r"BatchWorkspace: 100000 threads: give at most \d+ here"):
        trammel.BatchWorkspace(pendulum(), threads=100_000)


def test_too_many_threads_are_refused():
    def limit():  # stacks larger than all memory: every thread is refused
        resource.setrlimit(resource.RLIMIT_STACK, (64 << 30, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_AS, (32 << 30, 32 << 30))
    code = """import trammel
try:
    trammel.BatchWorkspace(trammel.load('@pendulum'), threads=4)
except RuntimeError as error:
    print(error)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, preexec_fn=limit,
                          env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("only 1 of 4 threads could be had"), done.stdout
