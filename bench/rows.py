"""Rows of the benchmark: functions by robot, their goals, and the time of the best peer."""
import json
import pathlib

import numpy

questions = ["inverse", "forward", "mass", "kinematics_jacobian", "inverse_derivatives", "forward_derivatives",
             "inverse_batch", "forward_batch", "mass_batch", "closed", "closed_batch"]
titles = {"inverse": "inverse dynamics", "forward": "forward dynamics", "mass": "mass matrix",
          "kinematics_jacobian": "kinematics + Jacobian", "inverse_derivatives": "d(inverse)",
          "forward_derivatives": "d(forward)", "inverse_batch": "inverse, batch", "forward_batch": "forward, batch",
          "mass_batch": "mass matrix, batch", "closed": "forward dynamics, loops", "closed_batch": "forward, loops, batch"}
anchors = json.loads((pathlib.Path(__file__).parent / "anchors.json").read_text())


def is_asked(question, robot):
    """For robots with loops, only functions for loops. Matrices of thousands by thousands would measure
    memory."""
    if robot.has_loops or single(question) == "closed":
        return robot.has_loops and single(question) == "closed"
    most = 64 if question.endswith("_batch") else 256 if question.endswith("_derivatives") else 1024
    return robot.nv <= most


def single(question):
    return question.removesuffix("_batch")


def goal(question, kind, lanes):
    """Goal: at most this part of the best peer's time; None if there is none."""
    if question in ("inverse", "forward"):
        return 0.45
    if question in ("mass", "kinematics_jacobian"):
        return 0.60
    if question.endswith("_derivatives") or question == "closed":
        return 0.50
    if question in ("mass_batch", "closed_batch") or lanes not in (4, 8):
        return None
    if kind.startswith("arm7"):
        return {8: 0.10, 4: 0.18}[lanes]
    return 0.12 if kind in ("humanoid", "chain64") and lanes == 8 else None


def anchor(question, kind):
    """(best / Pinocchio g++, peer), or None: arms fall back to the Panda, chains to the chain of 64."""
    fallback = "arm7_panda" if kind.startswith("arm7") else "chain64" if kind.startswith("chain") else kind
    for key in (kind, fallback):
        found = anchors["rows"].get(key, {}).get(single(question))
        if found:
            return found[0] / found[1], found[2]
    return None


def best_peer(question, kind, clang, gcc):
    """(times, name) of the best peer: Pinocchio [clang] now, or Pinocchio [g++] now times the anchors'
    ratio, whichever has the smaller median. Takes the times of all rounds, or None if there are none."""
    candidates = []
    if clang is not None:
        candidates.append((numpy.array(clang), "Pinocchio [clang]"))
    if gcc is not None:
        ratio, who = anchor(question, kind) or (1, "Pinocchio [g++]")
        candidates.append((numpy.array(gcc) * ratio, who if ratio == 1 else f"{who} by anchor"))
    return min(candidates, key=lambda candidate: numpy.median(candidate[0]), default=None)
