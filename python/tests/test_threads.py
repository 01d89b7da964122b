"""Any number of threads may ask one model."""
import threading

import numpy as np
import pytest

import trammel
from robots import random_batch, random_state, satellite


def chain(n):
    said = trammel.Description("chain")
    for k in range(n):
        said.body(f"b{k}", trammel.thin_rod(1.0, 0.1, com=(0.05, 0, 0)))
        said.joint(f"j{k}", "revolute", f"b{k - 1}" if k else "ground", f"b{k}",
                   at=(0.1 if k else 0.0, 0, 0), axis="zy"[k % 2])
    return trammel.build_model(said)


@pytest.mark.parametrize("model", [satellite(), chain(300)], ids=["short", "long"])
def test_threads_get_the_answers_of_one(model):
    states = [random_state(model, seed) for seed in range(8)]
    expected = [(trammel.forward_dynamics(model, s), trammel.inverse_dynamics(model, s))
                for s in states]
    wrong = []

    def ask(k):
        for _ in range(30):
            for s, (a, tau) in list(zip(states, expected))[k::2]:
                if not (np.array_equal(trammel.forward_dynamics(model, s), a)
                        and np.array_equal(trammel.inverse_dynamics(model, s), tau)):
                    wrong.append(k)

    threads = [threading.Thread(target=ask, args=(k % 2,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_batches_run_beside_other_threads():
    model = chain(60)
    q, v = random_batch(model, 20)
    q, v = np.tile(q, (100, 1)), np.tile(v, (100, 1))
    expected = trammel.forward_dynamics_batch(model, q, v, v)
    ticks, answers, done = [], [], threading.Event()

    def ask():
        answers.append(trammel.forward_dynamics_batch(model, q, v, v))
        done.set()

    thread = threading.Thread(target=ask)
    thread.start()
    while not done.is_set():
        ticks.append(1)
    thread.join()
    assert np.array_equal(answers[0], expected)
    # with the lock held throughout, this thread would have counted before and after only
    assert len(ticks) > 10


def test_one_workspace_is_for_one_thread_at_a_time():
    model = chain(2000)
    room = trammel.Workspace(model)
    state = random_state(model)
    refused, answers = [], []

    def ask():
        for _ in range(200):
            try:
                answers.append(trammel.forward_dynamics(model, state, workspace=room)[0])
            except RuntimeError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(answers)) == 1  # never spoiled
    assert set(refused) <= {"the workspace is in use by another thread; make one for each thread, "
                            "or give none"}
