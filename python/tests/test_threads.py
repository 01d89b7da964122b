"""Any number of threads may call functions of one model."""
import sys
import threading
import time

import numpy as np
import pytest

import trammel
from robots import random_batch, random_state, satellite


def chain(n):
    description = trammel.Description("chain")
    for k in range(n):
        description.body(f"b{k}", trammel.thin_rod(1.0, 0.1, com=(0.05, 0, 0)))
        description.joint(f"j{k}", "revolute", f"b{k - 1}" if k else "ground", f"b{k}",
                   at=(0.1 if k else 0.0, 0, 0), axis="zy"[k % 2])
    return trammel.build_model(description)


@pytest.mark.parametrize("model", [satellite(), chain(300)], ids=["short", "long"])
def test_threads_get_the_answers_of_one(model):
    states = [random_state(model, seed) for seed in range(8)]
    expected = [(trammel.forward_dynamics(model, s), trammel.inverse_dynamics(model, s))
                for s in states]
    wrong = []

    def evaluate(k):
        for _ in range(30):
            for s, (a, tau) in list(zip(states, expected))[k::2]:
                if not (np.array_equal(trammel.forward_dynamics(model, s), a)
                        and np.array_equal(trammel.inverse_dynamics(model, s), tau)):
                    wrong.append(k)

    threads = [threading.Thread(target=evaluate, args=(k % 2,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_workspace_with_threads_gives_the_same_bits():
    description = trammel.Description("arms")
    for k in range(1500):
        description.body(f"b{k}", trammel.thin_rod(1.0, 0.1, com=(0.05, 0, 0)))
        description.joint(f"j{k}", "revolute", f"b{k - 1}" if k % 3 else "ground", f"b{k}",
                          at=(0.1, 0, 0), axis="zy"[k % 2])
    model = trammel.build_model(description)
    state = random_state(model, 1)
    expected = trammel.forward_dynamics(model, state)
    for threads in (2, 3):
        workspace = trammel.Workspace(model, threads=threads)
        assert workspace.threads == threads
        assert np.array_equal(trammel.forward_dynamics(model, state, workspace=workspace), expected)
    assert trammel.Workspace(chain(10), threads=2).threads == 1  # a small model gains nothing
    with pytest.raises(ValueError, match="give 1 or more"):
        trammel.Workspace(model, threads=-1)


def test_batches_run_in_parallel_with_other_threads():
    model = chain(60)
    q, v = random_batch(model, 20)
    q, v = np.tile(q, (1000, 1)), np.tile(v, (1000, 1))
    expected = trammel.forward_dynamics_batch(model, q, v, v)

    def ticks_in_the_middle():
        """How often another thread came to run while the batch was half done."""
        span, ticks, done = [], [], threading.Event()

        def evaluate():
            start = time.perf_counter()
            answer = trammel.forward_dynamics_batch(model, q, v, v)
            span.extend((start, time.perf_counter()))
            done.set()
            assert np.array_equal(answer, expected)

        thread = threading.Thread(target=evaluate)
        thread.start()
        while not done.is_set():
            ticks.append(time.perf_counter())
        thread.join()
        quarter = (span[1] - span[0]) / 4
        return sum(span[0] + quarter < tick < span[1] - quarter for tick in ticks)

    # a busy machine may leave the other thread out for a while, so not every time
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # else half the time passes before the batch begins
    try:
        seen = 0
        for _ in range(12):
            seen += ticks_in_the_middle() > 10
            if seen == 3:
                break
        assert seen == 3
    finally:
        sys.setswitchinterval(usual)


def test_one_workspace_is_for_one_thread_at_a_time():
    model = chain(2000)
    workspace = trammel.Workspace(model)
    state = random_state(model)
    expected = trammel.forward_dynamics(model, state)
    refused, wrong = set(), []

    def evaluate():
        for _ in range(100):
            try:
                if not np.array_equal(trammel.forward_dynamics(model, state, workspace=workspace), expected):
                    wrong.append(1)
            except RuntimeError as error:
                refused.add(str(error))

    for _ in range(30):  # until they meet
        threads = [threading.Thread(target=evaluate) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if refused:
            break
    assert not wrong
    assert refused == {"the workspace is in use by another thread; make one for each thread, or give "
                       "none"}
