#!/usr/bin/python3
"""Growth of forward dynamics with the number of loops, and functions of everyday closed mechanisms, compared with
peers.

Each size is checked first: accelerations of a state in motion and of one at rest, and the mean acceleration of a step.
Programs take turns; a program whose call, or whose model, takes longer than the limit is left out of larger sizes.
After each size, what is measured so far is written to growth_peers.md and growth_peers.json in the build folder, so
that an interrupted run keeps it. See docs/performance.md.
"""
import argparse
import json
import pathlib
import re
import signal
import sys
import time

import numpy

import everyday
import families
import growth_tables
import measure
import peers
from check import error
from growth_tables import entries, is_soft, is_step
from programs import Program, ProgramError

top = pathlib.Path(__file__).resolve().parent.parent
# Largest difference from ours with which a result counts as right. Exudyn takes the accelerations of velocity products
# from differences, and its step is of second order; lcaba has a penalty and loses digits far from the origin; soft
# constraints are other equations, and a larger difference is another mechanism.
largest_difference = {"Exudyn, initial accelerations": 1e-4, "Exudyn, generalized-alpha step": 1e-2,
                      "Pinocchio, lcaba": 1e-2}
exact, soft = 1e-6, 0.5
quick = {"most": 64, "rounds": 3, "milliseconds": 5, "minutes": 3, "patience": 10}


class Growth:
    """Times and differences of all programs for one family."""

    def __init__(self, family, commands, options):
        self.family, self.commands, self.options = family, commands, options
        self.times = {entry: {} for entry in entries}  # ns, by the number of loops
        self.differences = {entry: {} for entry in entries}  # from Trammel: in motion, at rest
        self.failures = {entry: {} for entry in entries}  # what the table says, by the number of loops
        self.active = {entry for entry in entries if entry[0] in commands}
        self.notes, self.unconfirmed = [], []

    def run(self, end, save):
        """Until `end` on the monotonic clock; calls `save` after each size."""
        for size in self.family.sizes:
            if self.family.loops(size) > self.options.most or not self.active:
                break
            loops = self.family.loops(size)
            if time.monotonic() > end:
                self.notes.append(f"{self.family.short}: from {loops} loops on there was no time left (--minutes)")
                break
            path = self.family.write(self.options.build / "models", size)
            programs = {}
            try:
                self._measure(loops, path, programs, end)
            finally:  # if interrupted, they may be in the middle of a call
                for program in programs.values():
                    program.kill()
                path.unlink()  # of the largest sizes megabytes
            save()

    def _measure(self, loops, path, programs, end):
        turns, ours, agreeing, differing = [], {}, [], []
        for entry in [entry for entry in entries if entry in self.active]:
            name, question = entry[:2]
            try:
                if name not in programs:
                    programs[name] = Program(name, self.commands[name], self.options.patience)
                programs[name].limit = max(5, min(self.options.patience, end - time.monotonic()))
                if name == "Trammel":
                    ours[question] = [programs[name].answer(path, question, state) for state in (0, 1)]
                else:
                    self._check(entry, loops, path, programs, ours, agreeing, differing)
                programs[name].time(path, question, 0.1)  # warms up, and finds out how many calls make a round
            except ProgramError as reason:
                self._drop(entry, loops, str(reason))
                continue
            turns.append(entry)
        if differing and not agreeing:  # no exact program confirms ours
            self.unconfirmed.append(f"{self.family.short}, {loops} loops")
        self._take_turns(loops, path, programs, turns)

    def _check(self, entry, loops, path, programs, ours, agreeing, differing):
        """Compares a peer's results with ours, before it is timed."""
        name, question, title, _ = entry
        same = {"closed_lcaba": "closed"}.get(question, question)
        if same not in ours:
            if "Trammel" not in programs:
                raise ProgramError("there is no result of ours to compare with")
            ours[same] = [programs["Trammel"].answer(path, same, state) for state in (0, 1)]
        found = [programs[name].answer(path, question, state) for state in (0, 1)]
        self.differences[entry][loops] = differences = [error(*both) for both in zip(found, ours[same])]
        limit = largest_difference.get(title, soft if is_soft(entry) else exact)
        is_right = max(differences) <= limit
        if not is_soft(entry) and not is_step(entry):
            (agreeing if is_right else differing).append(entry)
        if not is_right:
            self.failures[entry][loops] = f"wrong by {max(differences):.0e}"
            raise ProgramError("wrong: its accelerations differ from Trammel's by {:.0e} in motion, {:.0e} at rest".format(
                *differences))

    def _take_turns(self, loops, path, programs, turns):
        samples = measure.take_turns([(programs[entry[0]], path, entry[1]) for entry in turns],
                                     self.options.rounds, self.options.milliseconds)
        for entry, values in zip(turns, samples):
            middle = float(numpy.median(values))
            self.times[entry][loops] = middle / entry[3]
            if middle * 1e-9 > self.options.limit:
                self.active.discard(entry)

    def _drop(self, entry, loops, reason):
        self.active.discard(entry)
        self.failures[entry].setdefault(loops, "no result")
        self.notes.append(f"{entry[2]}, {self.family.short}, {loops} loops: {reason}")

    def numbers(self):
        return {entry[2]: {"ns": self.times[entry], "differences": self.differences[entry],
                           "failures": self.failures[entry]} for entry in entries if entry[0] in self.commands}


class Run:
    """A whole comparison; what is measured so far can be written at any time."""

    def __init__(self, options):
        self.options, self.machine, self.is_complete = options, measure.machine(), False
        self.abouts, self.without = {}, []
        self.growths, self.common = [], None
        self._end = time.monotonic() + 60 * options.minutes

    def start(self):
        """The commands of the programs that are there, and answer."""
        options, commands = self.options, {"Trammel": [self.options.ours]}
        commands |= peers.closed_programs(options.build / "peers", lambda name: re.search(options.only, name),
                                          options.newest, self._is_without)
        self._end = time.monotonic() + 60 * options.minutes  # fetching and compiling does not count
        for name in list(commands):
            try:
                program = Program(name, commands[name], options.patience)
            except ProgramError as reason:
                if name == "Trammel":
                    raise
                self._is_without(name, reason)
                del commands[name]
                continue
            self.abouts[name] = ", ".join(filter(None, [program.about, peers.date(name)]))
            program.close()
        return commands

    def _is_without(self, name, reason):
        print(f"growth: without {name}: {reason}", file=sys.stderr)
        self.without.append(f"{name} is not there: {str(reason).splitlines()[0]}")

    def measure(self):
        commands, options = self.start(), self.options
        chosen = [family for family in families.families if re.search(options.families, family.short)]
        if re.search(options.families, "everyday"):
            self.common = everyday.Everyday(commands, options)
            # a family of many loops needs more time than a mechanism
            self.common.run(self._share(2 * len(chosen) + 1, 2), self.save)
        for k, family in enumerate(chosen):
            print(f"growth: {family.name}", file=sys.stderr)
            self.growths.append(Growth(family, commands, options))
            self.growths[-1].run(self._share(len(chosen) - k), self.save)
        self.is_complete = True

    def _share(self, parts, own=1):
        """End of a part that takes its share of the time left."""
        now = time.monotonic()
        return now + (self._end - now) * own / parts

    def unconfirmed(self):
        return [place for growth in self.growths for place in growth.unconfirmed] + (
            self.common.unconfirmed if self.common else [])

    def text(self, images):
        return growth_tables.text(self, images, top / "docs")

    def save(self):
        folder = self.options.build
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "growth_peers.md").write_text(self.text({}) + "\n")
        (folder / "growth_peers.json").write_text(json.dumps(self.numbers(), indent=1) + "\n")

    def numbers(self):
        return {"machine": self.machine, "programs": self.abouts, "is_complete": self.is_complete,
                "families": {growth.family.short: growth.numbers() for growth in self.growths},
                "everyday": self.common.numbers() if self.common else {}}


def parse(arguments):
    parser = argparse.ArgumentParser(prog="./dev growth --peers", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--quick", action="store_true", help="64 loops at most, 3 rounds of 5 ms, 3 minutes")
    add("--minutes", metavar="M", type=float, default=8, help="all measurements together take about as long (8)")
    add("--most", metavar="N", type=int, default=4096, help="number of loops at most (4096)")
    add("--limit", metavar="S", type=float, default=0.25, help="a program whose call takes longer stops there (0.25 s)")
    add("--patience", metavar="S", type=float, default=30, help="a program may build a model for as long (30 s)")
    add("--rounds", metavar="N", type=int, default=5, help="rounds of every program (5)")
    add("--milliseconds", metavar="N", type=int, default=20, help="duration of one round (20)")
    add("--families", metavar="REGEX", default="", help="only these: row, side-by-side, ladder, lattice, everyday")
    add("--only", metavar="REGEX", default="", help="only these peers")
    add("--newest", action="store_true", help="fetch the newest releases of the peers, not those known to work")
    add("--plots", metavar="DIR", type=pathlib.Path, help="draw them there, as SVG")
    add("--json", metavar="FILE", type=pathlib.Path, help="also store the numbers there")
    add("--ours", metavar="PROGRAM", required=True, help=argparse.SUPPRESS)  # set by ./dev
    add("--build", metavar="DIR", type=pathlib.Path, default=top / "build/bench", help=argparse.SUPPRESS)
    if "--quick" in arguments:
        parser.set_defaults(**quick)
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as an interrupt from the keyboard
    run = Run(options)
    try:
        run.measure()
    except KeyboardInterrupt:
        run.save()
        print(f"growth: interrupted; what was measured is in {options.build}/growth_peers.md", file=sys.stderr)
        return 130
    except ProgramError as reason:
        print(f"growth: {reason}", file=sys.stderr)
        return 2
    run.save()
    print(run.text(growth_tables.pictures(options.plots, run.growths) if options.plots else {}))
    if options.json:
        options.json.write_text(json.dumps(run.numbers(), indent=1) + "\n")
    for place in run.unconfirmed():
        print(f"growth: no peer confirms {place}", file=sys.stderr)
    return 1 if run.unconfirmed() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
