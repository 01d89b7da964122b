"""Runs the program on a model and judges how it ended.

A finding is: a signal, exit code 3 (a bug by its own word) or another one that docs/cli.md does not have, no end in
time, more memory than a small model may need, JSON that is none, or a number that is none (null where only a
number may stand) with exit code 0.
"""
import json
import os
import resource
import signal
import subprocess

MEMORY = 4 << 30  # [bytes] of address space, including threads and libraries
EXIT_CODES = {0: "done", 1: "the work failed", 2: "wrong usage", 124: "reached --wall-limit"}
# keys under which null has a meaning of its own (schemas/cli)
NULLS = {
    "check": {"file", "line", "column", "hint"},
    "eval": {"frame", "unit", "length"},
    "simulate": {"is_conserved"},
    "linearize": {"stabilisable", "unit", "frame"},
    "inverse": {"unit", "frame", "place"},
    "design": {"place", "singular_because", "condition", "unit", "frame"},
}
EVALUATED = ["forward_dynamics", "inverse_dynamics", "reactions", "mass_matrix", "energy", "momentum", "poses", "multipliers",
             "hybrid_dynamics", "constraint_jacobian", "minimal_equations", "wheel_contacts", "contact_forces", "locked_joints",
             "forward_dynamics_derivatives", "loop_motion", "drive_efforts", "row_natures", "branches", "spatial_operators",
             "mass_matrix_factors", "orthogonal_complement", "gravity_load", "com", "accelerations", "limits"]
METHODS = ["dormand-prince", "extrapolation", "radau", "bdf"]


def command_lines(model, random):
    """What is asked of a model file: always the same first questions, then some in turn."""
    run = ["--duration", "0.1", "--wall-limit", "3", "--json"]
    lines = [["check", model, "--json"], ["info", model, "--json"], ["eval", model, "forward_dynamics", "energy", "--json"],
             ["simulate", model, *run]]
    others = [["linearize", model, "--json"], ["linearize", model, "--equilibrium", "--json"],
              ["simulate", model, *run, "--method", random.choice(METHODS)],
              ["simulate", model, *run, "--method", random.choice(["rk4", "semi-implicit-euler"]), "--step", "0.01"],
              ["simulate", model, *run, "--mode", random.choice(["kinematic", "static"])],
              ["simulate", model, *run, "--record", "positions,velocities,accelerations,efforts,reactions,energy,power,condition,violations"],
              ["convert", model, "-", "--to", "toml"], ["convert", model, "-", "--to", "urdf"],
              ["snapshot", model, "--at", "0,0.05", "-o", "snapshot.svg", "--force", "--wall-limit", "3"],
              ["inverse", model, "--json"], ["design", model, "--json"], ["info", model, "--svg", "tree.svg", "--force"]]
    quantities = random.sample(EVALUATED, 4)
    others += [["eval", model, *quantities, "--json"], ["eval", model, random.choice(EVALUATED), "--v", "0.5", "--json"]]
    return lines + random.sample(others, 3)


def limit_process():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def nulls(value, key=None):
    """Keys under which null stands, each where it is nearest."""
    if value is None:
        yield key
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from nulls(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from nulls(each, key)


def refuse_constant(word):
    raise ValueError(f"{word} is no JSON")


def wrong_json(command, text):
    """What is wrong with an answer, or None."""
    try:
        answer = json.loads(text, parse_constant=refuse_constant)
    except ValueError as error:
        return f"the answer is no JSON: {error}"
    if command[0] in NULLS and "limits" not in command:
        for key in nulls(answer):
            if key not in NULLS[command[0]]:
                return f"'{key}' is null: a number that is none"
    return None


def judge(command, code, out, err, timed_out):
    """What is found, in words that name its kind; None: nothing."""
    if timed_out:
        return "hang: no end in time"
    if code < 0:
        return f"crash: {signal.Signals(-code).name}"
    if code not in EXIT_CODES:
        return f"exit code {code}: {err.strip().splitlines()[0] if err.strip() else ''}"
    if "not enough memory" in err:
        return "memory: a small model needs more than it may"
    if code == 0 and "--json" in command:
        return wrong_json(command, out)
    if code == 1 and not (out + err).strip():
        return "silence: exit code 1 without a word"
    return None


def run(program, command, folder, seconds):
    """Runs one command in a folder; what is found, or None."""
    process = subprocess.Popen([program, *command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, errors="replace", preexec_fn=limit_process, env={**os.environ, "NO_COLOR": "1"})
    try:
        out, err = process.communicate(timeout=seconds)
        return judge(command, process.returncode, out, err, False), process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return judge(command, 0, "", "", True), None


