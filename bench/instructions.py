"""Instructions per state by callgrind, a figure that does not depend on the load of the machine."""
import concurrent.futures
import os
import re
import subprocess


def collected(program, path, question, calls):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program], text=True,
                          input=f'calls "{path}" {question} {calls}\n', stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found[1]) if found and done.stdout.startswith("done") else None


def per_state(program, robot, question):
    """From the difference of two counts of calls, so that reading the robot does not count."""
    is_batch = question.endswith("_batch")
    first, more = (1, 2) if is_batch else (1, min(16, len(robot.states)))
    low, high = (collected(program, robot.path, question, calls) for calls in (first, first + more))
    if low is None or high is None:
        return None
    return (high - low) / more / (256 if is_batch else 1)


def count(rows, by_model, program):
    """Fills row["instructions"] of all correct rows, one process per core."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        right = [row for row in rows if row["right"]]
        counts = pool.map(lambda row: per_state(program.path, by_model[row["model"]], row["question"]), right)
        for row, counted in zip(right, counts):
            row["instructions"] = counted
