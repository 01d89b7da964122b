#!/usr/bin/python3
"""Growth of forward dynamics with the number of loops, and functions of everyday closed mechanisms, compared with
peers.

Each size is checked first: accelerations of a state in motion and of one at rest. Programs take turns; a program
whose call, or whose model, takes longer than the limit is left out of larger sizes. See docs/performance.md.
"""
import argparse
import json
import math
import os
import pathlib
import re
import sys

import numpy

import everyday
import families
import measure
import peers
import plots
import report
from check import error
from programs import Program, ProgramError

top = pathlib.Path(__file__).resolve().parent.parent
# what each program computes: (program, question, column, a part of time); "step" is one step of 1 ms
entries = [
    ("Trammel", "closed", "Trammel", 1),
    ("Pinocchio", "closed", "Pinocchio, constraintDynamics", 1),
    ("Pinocchio", "closed_lcaba", "Pinocchio, lcaba", 1),
    ("Simbody", "closed", "Simbody", 1),
    ("MuJoCo", "closed", "MuJoCo (soft)", 1),
    ("Exudyn", "closed", "Exudyn, initial accelerations", 1),
    ("Drake", "closed", "Drake, step of 1 us (soft)", 1),
    ("Trammel", "steps", "Trammel, rk4 step", 10),
    ("Pinocchio", "step", "Pinocchio, rk4 step", 1),
    ("MuJoCo", "step", "MuJoCo, Euler step (soft)", 1),
    ("Exudyn", "steps", "Exudyn, generalized-alpha step", 10),
    ("Drake", "step", "Drake, SAP step (soft)", 1),
]
# Programs that solve the same equations are left out where they differ by more than 1e-6; soft ones never. Exudyn
# takes the accelerations of velocity products from differences; lcaba has a penalty and loses digits far from the origin.
most_different = {"Exudyn, initial accelerations": 1e-4, "Pinocchio, lcaba": 1e-2}


def is_step(entry):
    return entry[1].startswith("step")


def is_soft(entry):
    return "(soft)" in entry[2]


class Growth:
    """Times and differences of all programs for one family."""

    def __init__(self, family, commands, options):
        self.family, self.commands, self.options = family, commands, options
        self.times = {entry: {} for entry in entries}  # ns, by the number of loops
        self.differences = {entry: {} for entry in entries}  # (in motion, at rest) from Trammel
        self.active = {entry for entry in entries if entry[0] in commands}
        self.notes, self.wrong = [], []

    def run(self):
        for size in self.family.sizes:
            if self.family.loops(size) > self.options.most or not self.active:
                break
            loops, path = self.family.loops(size), self.family.write(self.options.build / "models", size)
            self._measure(loops, path)
            path.unlink()  # of the largest sizes megabytes
        return self

    def _measure(self, loops, path):
        programs, turns, ours = {}, [], None
        agreeing, differing = [], []
        for entry in [entry for entry in entries if entry in self.active]:
            name, question, title, _ = entry
            try:
                if name not in programs:
                    programs[name] = Program(name, self.commands[name], self.options.patience)
                if not is_step(entry):
                    found = [programs[name].answer(path, question, state) for state in (0, 1)]
                    if name == "Trammel":
                        ours = found
                    if ours is not found and ours is not None:
                        self.differences[entry][loops] = [error(there, here) for there, here in zip(found, ours)]
                        (agreeing if self._agrees(entry, loops) else differing).append(entry)
                        if not self._agrees(entry, loops):
                            raise ProgramError("its accelerations differ from Trammel's by {:.0e} in motion, {:.0e} at "
                                               "rest".format(*self.differences[entry][loops]))
                programs[name].time(path, question, 0.1)  # warms up, and finds out how many calls make a round
            except ProgramError as reason:
                self._drop(entry, loops, str(reason))
                continue
            turns.append(entry)
        if differing and all(is_soft(entry) for entry in agreeing):  # no exact program confirms ours
            self.wrong.append(f"{self.family.short}, {loops} loops")
        self._take_turns(loops, path, programs, turns)
        for program in programs.values():
            program.close()

    def _agrees(self, entry, loops):
        return is_soft(entry) or max(self.differences[entry][loops]) < most_different.get(entry[2], 1e-6)

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
        self.notes.append(f"{entry[2]}, {self.family.short}, {loops} loops: {reason}")

    def exponent(self, entry):
        """Slope of log time by log loops over the last three sizes."""
        points = sorted(self.times[entry].items())[-3:]
        if len(points) < 3:
            return None
        loops, times = numpy.log(numpy.array(points)).T
        return float(numpy.polyfit(loops, times, 1)[0])


def seconds(ns):
    digits = 2 - math.floor(math.log10(ns / 1e3)) if ns > 0 else 0
    return f"{ns / 1e3:,.{max(0, min(digits - 1, 2))}f}"


def digits(x):
    return f"{x:.0e}" if x else "0"


def time_table(growth, steps):
    """us per call by the number of loops."""
    chosen = [entry for entry in entries if is_step(entry) == steps and growth.times[entry]]
    sizes = sorted({loops for entry in chosen for loops in growth.times[entry]})
    heads = ["us per step" if steps else "us per call", *map(str, sizes), "exponent"]
    lines = []
    for entry in chosen:
        times, slope = growth.times[entry], growth.exponent(entry)
        cells = [seconds(times[loops]) if loops in times else "" for loops in sizes]
        lines.append([entry[2], *cells, f"{slope:.1f}" if slope is not None else ""])
    return heads, lines


def ratio_table(all_growth):
    """Ours by theirs, and the differences of the accelerations."""
    heads = ["peer", "family", "differs in motion, 8 loops", "at rest", "differs most", "ours / peer, 8 loops", "ours / peer, most loops"]
    lines = []
    for entry in entries:
        if entry[0] == "Trammel":
            continue
        ours = ("Trammel", "steps", "Trammel, rk4 step", 10) if is_step(entry) else entries[0]
        for growth in all_growth:
            both = sorted(set(growth.times[entry]) & set(growth.times[ours]))
            if not both:
                continue
            first, last = both[0], both[-1]
            differences = growth.differences[entry]
            cells = ["", "", ""]
            if differences:
                cells = [*map(digits, differences[first]), digits(max(map(max, differences.values())))]
            ratios = [growth.times[ours][loops] / growth.times[entry][loops] for loops in (first, last)]
            lines.append([entry[2], growth.family.short, *cells, f"{ratios[0]:.2g}", f"{ratios[1]:.2g} ({last})"])
    return heads, lines


def pictures(folder, all_growth):
    """Plots of forward dynamics, one per family; returns the files by their titles."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for growth in all_growth:
        lines = {entry[2]: [(loops, ns / 1e3) for loops, ns in sorted(growth.times[entry].items())]
                 for entry in entries if not is_step(entry) and growth.times[entry]}
        title = f"Forward dynamics: {growth.family.name}"
        made[title] = folder / f"peers-{growth.family.short}.svg"
        plots.plot(made[title], title, "loops", "us per call", lines, base=10, right=200)
    return made


def machine_line(machine):
    return f"CPU: {machine['cpu']}, {machine['cores']} cores. Load before: {machine['load']:.2f}."


def text(machine, abouts, all_growth, images, page, common):
    parts = ["\n".join(f"* {line}" for line in [machine_line(machine), *(f"{name}: {about}." for name, about in abouts.items())])]
    for growth in all_growth:
        parts.append(f"**{growth.family.name}**")
        parts += [report.markdown(time_table(growth, steps)) for steps in (False, True)]
    notes = [note for growth in all_growth for note in growth.notes]
    if all_growth:
        parts += ["**agreement and ratios**", report.markdown(ratio_table(all_growth))]
        parts += [f"![{title}]({os.path.relpath(file, page)})" for title, file in images.items()]
    if common:
        parts += ["**everyday closed mechanisms**", report.markdown(common[0])]
        notes += common[1]
    if notes:
        parts.append("Where a program stopped:\n\n" + "\n".join(f"* {note}" for note in notes))
    return "\n\n".join(parts)


def parse(arguments):
    parser = argparse.ArgumentParser(prog="./dev growth --peers", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--most", metavar="N", type=int, default=4096, help="number of loops at most (4096)")
    add("--limit", metavar="S", type=float, default=0.25, help="a program whose call takes longer stops there (0.25 s)")
    add("--patience", metavar="S", type=float, default=120, help="a program may build a model for as long (120 s)")
    add("--rounds", metavar="N", type=int, default=5, help="rounds of every program (5)")
    add("--milliseconds", metavar="N", type=int, default=20, help="duration of one round (20)")
    add("--families", metavar="REGEX", default="", help="only these: row, side-by-side, ladder, lattice, everyday")
    add("--only", metavar="REGEX", default="", help="only these peers")
    add("--plots", metavar="DIR", type=pathlib.Path, help="draw them there, as SVG")
    add("--json", metavar="FILE", type=pathlib.Path, help="also store the numbers there")
    add("--ours", metavar="PROGRAM", required=True, help=argparse.SUPPRESS)  # set by ./dev
    add("--build", metavar="DIR", type=pathlib.Path, default=top / "build/bench", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def commands_of(options):
    found = peers.closed_programs(options.build / "peers", lambda name: re.search(options.only, name))
    return {"Trammel": [options.ours]} | found


def main(arguments):
    options = parse(arguments)
    machine = measure.machine()
    commands = commands_of(options)
    abouts = {name: Program(name, command).about for name, command in commands.items()}
    chosen = [family for family in families.families if re.search(options.families, family.short)]
    all_growth = []
    for family in chosen:
        print(f"growth: {family.name}", file=sys.stderr)
        all_growth.append(Growth(family, commands, options).run())
    images = pictures(options.plots, all_growth) if options.plots else {}
    common = everyday.table(commands, options) if re.search(options.families, "everyday") else None
    print(text(machine, abouts, all_growth, images, top / "docs", common))
    if options.json:
        numbers = {growth.family.short: {entry[2]: growth.times[entry] for entry in entries} for growth in all_growth}
        options.json.write_text(json.dumps(numbers, indent=1))
    wrong = [place for growth in all_growth for place in growth.wrong]
    # no witnesses: lcaba is an approximation here, and Pinocchio's derivatives by position are not those of its own
    # accelerations where loops are not closed over a free base
    wrong += [note for note in common[1] if "differs" in note and not re.search("lcaba|derivatives", note)] if common else []
    for place in wrong:
        print(f"growth: no peer confirms {place}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
