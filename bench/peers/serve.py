"""A program in Python that times one engine on command: the commands about, time and answer of bench/serve.hpp."""
import itertools
import pathlib
import shlex
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import robots  # noqa: E402


def run(about, subject):
    """Answers commands until stdin ends. `subject(robot)` returns an object whose function question(name)
    returns (call, answer): functions of the index of a state."""
    subjects, questions, calls_of = {}, {}, {}

    def question(path, name):
        if path not in subjects:
            subjects[path] = subject(robots.read(pathlib.Path(path)))
        if (path, name) not in questions:
            questions[path, name] = subjects[path].question(name)
        return questions[path, name]

    def timed(call, states, calls):
        start = time.thread_time_ns()
        for _ in range(calls):
            call(next(states))
        return (time.thread_time_ns() - start) / calls

    def nanoseconds(path, name, milliseconds):
        call, _ = question(path, name)
        states = itertools.cycle(range(len(subjects[path].robot.states)))
        calls = calls_of.get((path, name), 1)
        while (path, name) not in calls_of:
            each = timed(call, states, calls)
            if each * calls > 5e5:
                calls_of[path, name] = calls = max(1, round(milliseconds * 1e6 / each))
            else:
                calls *= 2
        timed(call, states, max(1, calls // 8))
        return timed(call, states, calls)

    def reply(words):
        if words[0] == "about":
            return about
        if words[0] == "time":
            return f"{nanoseconds(words[1], words[2], float(words[3])):.17g}"
        if words[0] == "answer":
            return " ".join(f"{x:.17g}" for x in question(words[1], words[2])[1](int(words[3])))
        raise ValueError(f"not understood: {' '.join(words)}")

    for line in sys.stdin:
        try:
            print(reply(shlex.split(line)), flush=True)
        except Exception as mistake:  # the driver reads it, and goes on with the other engines
            print("error", " ".join(str(mistake).split()), flush=True)
