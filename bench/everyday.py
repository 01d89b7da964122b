"""Closed mechanisms of every day: time of each function, compared with Pinocchio and Simbody.

Results are compared first: accelerations of three states, the reactions that are unique, derivatives of the independent
accelerations. See docs/performance.md.
"""
import sys

import numpy

import measure
import report
import robots
from check import error
from programs import Program, ProgramError

gallery = {"four-bar": "@four_bar", "six-bar": "@six_bar", "excavator": "@excavator", "Delta": "@delta_robot",
           "Stewart platform": "@stewart_platform", "leg with rods": "@leg_with_rods"}
generated = {"two arms, one object": 2, "four arms, one object": 4}  # of seven joints
# title: (ours, a part of its time; questions of the peers; largest difference)
functions = {
    "forward dynamics": ("closed", 1, {"Pinocchio": ["closed", "closed_lcaba"], "Simbody": ["closed"]}, 1e-5),
    "inverse dynamics": ("closed_inverse", 1, {}, 0),
    "reactions": ("reactions", 1, {"Simbody": ["reactions"]}, 1e-6),
    "derivatives": ("closed_derivatives", 1, {"Pinocchio": ["closed_derivatives"]}, 1e-5),
    "rk4 step": ("steps", 10, {"Pinocchio": ["step"]}, None),  # of 1 ms; accelerations are compared above
}


def write_robots(folder, ours):
    """(name, robot) of all mechanisms, in the neutral text format."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, model in gallery.items():
        path = folder / f"{model[1:]}.txt"
        ours.ask("robot_of", model, f'"{path}"')
        yield name, robots.read(path)
    for name, arms in generated.items():
        yield name, robots.read(robots.cooperating(folder, arms))


def compared(title, robot, ours, question, peer, way):
    """Largest difference of a peer's results from ours, relative to the largest entry."""
    states = range(min(3, len(robot.states)))
    if title == "derivatives":
        return max(derivative_error(robot, ours.answer(robot.path, question, s), peer.answer(robot.path, way, s))
                   for s in states)
    worst = 0
    for s in states:
        here, there = ours.answer(robot.path, question, s), peer.answer(robot.path, way, s)
        unique = ~numpy.isnan(here)  # redundant rows leave some reactions undetermined
        worst = max(worst, error(there[unique], here[unique]))
    return worst


def derivative_error(robot, ours, theirs):
    """Our linearization x' = A x + B u, y = C x has the derivatives of the independent accelerations along the
    motions that the loops admit, y = (q, v). Pinocchio has partial derivatives by all q, v and efforts; along
    C they must be ours."""
    nv, n = robot.nv, int(ours[0])
    dofs = ours[1:1 + n].astype(int)
    rest = ours[1 + n:]
    inputs = (len(rest) - 2 * n * n - 2 * nv * 2 * n) // n
    A, B, C = numpy.split(rest, [2 * n * n, 2 * n * n + n * inputs])
    A, B, C = A.reshape(n, 2 * n), B.reshape(n, inputs), C.reshape(2 * nv, 2 * n)
    dq, dv, dtau = theirs.reshape(3, nv, nv)
    if robot.is_floating:  # the file has [linear; angular] for a free base, ours is [angular; linear]
        order = [3, 4, 5, 0, 1, 2, *range(6, nv)]
        dq, dv, dtau = (part[numpy.ix_(order, order)] for part in (dq, dv, dtau))
    found = (dq @ C[:nv] + dv @ C[nv:])[dofs]
    worst = error(found, A)
    return max(worst, error(dtau[dofs], B)) if inputs == nv else worst


def measured(robot, title, programs, options):
    """Cells of one row: our ns, those of the peers, and the largest difference."""
    question, calls, ways, most = functions[title]
    ours, notes, turns, worst = programs["Trammel"], [], [("Trammel", question)], []
    for name in [name for name in ways if name in programs]:
        for way in ways[name]:
            try:
                if most is not None:
                    difference = compared(title, robot, ours, question, programs[name], way)
                    if not difference <= most:
                        raise ProgramError(f"{name}, {way}: differs by {difference:.0e}")
                    worst.append(difference)
                programs[name].time(robot.path, way, 0.1)
                turns.append((name, way))
            except ProgramError as reason:
                notes.append(f"{robot.name}, {title}: {reason}")
    samples = measure.take_turns([(programs[name], robot.path, way) for name, way in turns], options.rounds,
                                 options.milliseconds)
    times = {turn: float(numpy.median(values)) for turn, values in zip(turns, samples)}
    times["Trammel", question] /= calls
    return times, max(worst, default=None), notes


def table(commands, options):
    """(table, notes): ns per call of every mechanism and function."""
    programs = {name: Program(name, commands[name], options.patience)
                for name in ("Trammel", "Pinocchio", "Simbody") if name in commands}
    heads = ["mechanism", "function", "Trammel, ns", "Pinocchio, ns", "Pinocchio lcaba, ns", "Simbody, ns", "ours / best peer", "differs by"]
    lines, notes = [], []
    for name, robot in write_robots(options.build / "models", programs["Trammel"]):
        print(f"growth: {name}", file=sys.stderr)
        for title, (question, _, _, _) in functions.items():
            try:
                times, worst, more = measured(robot, title, programs, options)
            except ProgramError as reason:
                notes.append(f"{robot.name}, {title}: {reason}")
                continue
            notes += more
            ours = times.pop(("Trammel", question))
            lcaba = times.pop(("Pinocchio", "closed_lcaba"), None)
            peers = {who: ns for (who, _), ns in times.items()}
            best = min([*peers.values(), *([lcaba] if lcaba else [])], default=None)
            told = [peers.get("Pinocchio"), lcaba, peers.get("Simbody")]
            lines.append([f"{name} (nv {robot.nv}, {len(robot.loops)} loops)", title, report.nanoseconds(ours),
                          *(report.nanoseconds(ns) if ns else "" for ns in told),
                          f"{ours / best:.2f}" if best else "", f"{worst:.0e}" if worst is not None else ""])
    for program in programs.values():
        program.close()
    return (heads, lines), notes
