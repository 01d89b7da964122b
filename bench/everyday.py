"""Closed mechanisms of every day: time of each function, compared with Pinocchio, Simbody and MuJoCo.

Results are compared first: accelerations of three states, efforts, the reactions that are unique, the mean acceleration
of a step, derivatives of the independent accelerations. See docs/performance.md.
"""
import sys
import time

import numpy

import measure
import report
import robots
from check import error
from programs import Program, ProgramError

gallery = {"four-bar": "@four_bar", "six-bar": "@six_bar", "excavator": "@excavator", "Delta": "@delta_robot",
           "Stewart platform": "@stewart_platform", "leg with rods": "@leg_with_rods"}
generated = {"two arms, one object": 2, "four arms, one object": 4}  # of seven joints
# title: (ours, a part of its time; ours to compare with; functions of the exact peers; largest difference). The
# differences are Pinocchio's, whose pins in the plane have a redundant row that it regularizes; Simbody's are 1e-9.
functions = {
    "forward dynamics": ("closed", 1, "closed", {"Pinocchio": ["closed", "closed_lcaba"], "Simbody": ["closed"]}, 1e-5),
    "inverse dynamics": ("closed_inverse", 1, "closed_inverse", {"Pinocchio": ["closed_inverse"]}, 1e-5),
    "reactions": ("reactions", 1, "reactions", {"Pinocchio": ["reactions"], "Simbody": ["reactions"]}, 1e-5),
    "derivatives": ("closed_derivatives", 1, "closed_derivatives", {"Pinocchio": ["closed_derivatives"]}, 1e-5),
    "linearization": ("linearize", 1, "linearize", {}, 1e-5),  # no peer has it
    "rk4 step": ("steps", 10, "step", {"Pinocchio": ["step"]}, 1e-5),  # of 1 ms
}
soft = {"forward dynamics": "closed", "rk4 step": "step"}  # of MuJoCo; no witness, and not the best peer
largest_soft = 0.5
columns = {("Pinocchio", False): "Pinocchio, ns", ("Pinocchio", True): "Pinocchio lcaba, ns",
           ("Simbody", False): "Simbody, ns", ("MuJoCo", False): "MuJoCo (soft), ns"}
probe = 1e-4  # of two-sided differences: truncation near 1e-8, rounding of regularized accelerations near 1e-6
most_states = 3  # that are compared


def write_robots(folder, ours):
    """(name, robot) of all mechanisms, in the neutral text format."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, model in gallery.items():
        path = folder / f"{model[1:]}.txt"
        ours.ask("robot_of", model, f'"{path}"')
        yield name, robots.read(path)
    for name, arms in generated.items():
        yield name, robots.read(robots.cooperating(folder, arms))


def compared_states(robot):
    return range(min(most_states, len(robot.states)))


def compared(title, robot, ours, question, peer, way):
    """Largest difference of a peer's results from ours, relative to the largest entry."""
    worst = 0
    for s in compared_states(robot):
        here, there = ours.answer(robot.path, question, s), peer.answer(robot.path, way, s)
        wanted = 3 * robot.nv**2 if title == "derivatives" else len(here)
        if len(there) != wanted:
            raise ProgramError(f"{peer.name}, {way}: {len(there)} numbers instead of {wanted}")
        if title == "derivatives":
            worst = max(worst, derivative_error(robot, here, there))
            continue
        unique = ~numpy.isnan(here)  # redundant rows leave some reactions undetermined
        worst = max(worst, error(there[unique], here[unique]))
    return worst


def along_basis(robot, ours):
    """(T, v_by_q, dq, dv, dtau) of our derivatives along a null-space basis T: positions move along T and velocities
    change by v_by_q, or velocities change along T. Degrees of freedom in our order."""
    nv, ways = robot.nv, int(ours[0])
    parts = numpy.split(ours[1:], [k * nv * ways for k in range(1, 5)])
    return [part.reshape(nv, -1) for part in parts]


def our_order(robot):
    """Index in the file's [linear; angular] of each of our degrees of freedom: a free base has [angular; linear]."""
    return [3, 4, 5, 0, 1, 2, *range(6, robot.nv)] if robot.is_floating else list(range(robot.nv))


def derivative_error(robot, ours, theirs):
    """Pinocchio has partial derivatives by all q, v and efforts; along the motions that the loops admit they must be
    ours."""
    T, v_by_q, by_q, by_v, by_tau = along_basis(robot, ours)
    nv, order = robot.nv, our_order(robot)
    dq, dv, dtau = (part[numpy.ix_(order, order)] for part in theirs.reshape(3, nv, nv))
    return max(error(dq @ T + dv @ v_by_q, by_q), error(dv @ T, by_v), error(dtau, by_tau))


def difference_error(robot, ours, peer):
    """Our derivatives against two-sided differences of a peer's accelerations along the motions that the loops admit.
    Off the manifold by the square of a difference, which is the same on both sides."""
    worst, order = 0, our_order(robot)
    for s in compared_states(robot):
        T, v_by_q, *derivatives = along_basis(robot, ours.answer(robot.path, "closed_derivatives", s))
        q, v, a, tau = robot.states[s]
        still = numpy.zeros(robot.nv)
        changes = [(*pair, still) for pair in zip(T.T, v_by_q.T)] + [(still, column, still) for column in T.T]
        changes += [(still, still, effort) for effort in numpy.eye(robot.nv)]
        moved = []
        for change in changes:
            for sign in (1, -1):
                dq, dv, dtau = (numpy.zeros(robot.nv) for _ in range(3))
                for out, by in zip((dq, dv, dtau), change):  # in the file's order
                    out[order] = sign * probe * by
                moved.append((robots.moved(robot, q, dq), v + dv, a, tau + dtau))
        path = robots.write(robot.path.with_name(f"{robot.path.stem}_probe{s}.txt"), robot.head, moved)
        found = [peer.answer(path, "closed", k)[order] for k in range(len(moved))]
        slopes = numpy.array([(found[k] - found[k + 1]) / (2 * probe) for k in range(0, len(found), 2)]).T
        ways = T.shape[1]
        for columns, ours_there in zip(numpy.split(slopes, [ways, 2 * ways], axis=1), derivatives):
            worst = max(worst, error(columns, ours_there))
        path.unlink()
    return worst


class Row:
    """One function of one mechanism: our time, those of the peers or why there is none, and the difference."""

    def __init__(self, mechanism, robot, title):
        self.mechanism, self.robot, self.title = mechanism, robot, title
        self.times, self.failures, self.notes = {}, {}, []  # by (program, function)
        self.differences, self.differing = {}, {}  # of exact witnesses that agree, and that differ

    def measure(self, programs, options):
        ours, calls, _, ways, _ = functions[self.title]
        turns = [("Trammel", ours)]
        programs["Trammel"].time(self.robot.path, ours, 0.1)
        asked = [(name, way) for name, some in ways.items() for way in some]
        asked += [("MuJoCo", soft[self.title])] if self.title in soft else []
        for name, way in [turn for turn in asked if turn[0] in programs]:
            try:
                self._check(programs, name, way)
                programs[name].time(self.robot.path, way, 0.1)
                turns.append((name, way))
            except ProgramError as reason:
                self.failures.setdefault((name, way), "no result")
                self.notes.append(f"{self.mechanism}, {self.title}: {reason}")
        if self.title == "derivatives":
            self._check_by_differences(programs)
        samples = measure.take_turns([(programs[name], self.robot.path, way) for name, way in turns], options.rounds,
                                     options.milliseconds)
        self.times = {turn: float(numpy.median(values)) for turn, values in zip(turns, samples)}
        self.times["Trammel", ours] /= calls

    def _check(self, programs, name, way):
        _, _, question, _, most = functions[self.title]
        difference = compared(self.title, self.robot, programs["Trammel"], question, programs[name], way)
        is_right = difference <= (largest_soft if name == "MuJoCo" else most)
        if name != "MuJoCo":
            (self.differences if is_right else self.differing)[f"{name}, {way}"] = difference
        if not is_right:
            self.failures[name, way] = f"wrong by {difference:.0e}"
            raise ProgramError(f"{name}, {way}: wrong, differs by {difference:.0e}")

    def _check_by_differences(self, programs):
        for name in [name for name in ("Simbody", "Pinocchio") if name in programs]:
            try:
                difference = difference_error(self.robot, programs["Trammel"], programs[name])
            except ProgramError as reason:
                self.notes.append(f"{self.mechanism}, {self.title}: {reason}")
                continue
            is_right = difference <= functions[self.title][4]
            (self.differences if is_right else self.differing)[f"differences of {name}"] = difference
            if not is_right:
                self.notes.append(f"{self.mechanism}, {self.title}: differ from differences of {name}'s accelerations "
                                  f"by {difference:.0e}")

    def is_unconfirmed(self):
        return bool(self.differing) and not self.differences

    def ratio(self):
        """Our time by that of the best exact peer."""
        ours = functions[self.title][0]
        theirs = [ns for (name, _), ns in self.times.items() if name not in ("Trammel", "MuJoCo")]
        return self.times["Trammel", ours] / min(theirs) if theirs and ("Trammel", ours) in self.times else None

    def cells(self):
        by_column = {}
        for (name, way), ns in self.times.items():
            by_column[name, way.endswith("lcaba")] = report.nanoseconds(ns)
        for (name, way), reason in self.failures.items():
            by_column[name, way.endswith("lcaba")] = reason
        worst = max(self.differences.values(), default=None)
        return [f"{self.mechanism} (nv {self.robot.nv}, {len(self.robot.loops)} loops)", self.title,
                by_column.get(("Trammel", False), "no result"), *(by_column.get(column, "") for column in columns),
                f"{self.ratio():.2f}" if self.ratio() else "", f"{worst:.0e}" if worst is not None else ""]

    def numbers(self):
        return {"ns": {", ".join(turn): ns for turn, ns in self.times.items()},
                "failures": {", ".join(turn): reason for turn, reason in self.failures.items()},
                "differences": self.differences, "differing": self.differing}


class Everyday:
    """All mechanisms and functions."""

    def __init__(self, commands, options):
        self.options, self.rows, self.notes, self.unconfirmed = options, [], [], []
        self.commands = {name: commands[name] for name in ("Trammel", "Pinocchio", "Simbody", "MuJoCo") if name in commands}

    def run(self, end, save):
        """Until `end` on the monotonic clock; calls `save` after each mechanism."""
        programs = {}
        try:
            for name, command in self.commands.items():
                programs[name] = Program(name, command, self.options.patience)
            for name, robot in write_robots(self.options.build / "models", programs["Trammel"]):
                if time.monotonic() > end:
                    self.notes.append(f"from {name} on there was no time left (--minutes)")
                    break
                print(f"growth: {name}", file=sys.stderr)
                for title in functions:
                    self._measure(Row(name, robot, title), programs)
                save()
        finally:  # if interrupted, they may be in the middle of a call
            for program in programs.values():
                program.kill()

    def _measure(self, row, programs):
        self.rows.append(row)
        try:
            row.measure(programs, self.options)
        except ProgramError as reason:
            row.notes.append(f"{row.mechanism}, {row.title}: {reason}")
        self.notes += row.notes
        if row.is_unconfirmed():
            self.unconfirmed.append(f"{row.title} of the {row.mechanism}")

    def table(self):
        heads = ["mechanism", "function", "Trammel, ns", *columns.values(), "ours / best exact peer", "differs by"]
        return heads, [row.cells() for row in self.rows]

    def numbers(self):
        return {f"{row.mechanism}, {row.title}": row.numbers() for row in self.rows}
