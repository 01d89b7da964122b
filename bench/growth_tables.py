"""Tables and plots of the comparison with peers: Markdown and SVG. See bench/growth_peers.py."""
import datetime
import math
import os

import numpy

import plots
import report

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


def is_step(entry):
    return entry[1].startswith("step")


def is_soft(entry):
    return "(soft)" in entry[2]


def seconds(ns):
    digits = 2 - math.floor(math.log10(ns / 1e3)) if ns > 0 else 0
    return f"{ns / 1e3:,.{max(0, min(digits - 1, 2))}f}"


def digits(x):
    return f"{x:.0e}" if x else "0"


def exponent(times):
    """Slope of log time by log loops over the last three sizes."""
    points = sorted(times.items())[-3:]
    if len(points) < 3:
        return None
    loops, ns = numpy.log(numpy.array(points)).T
    return float(numpy.polyfit(loops, ns, 1)[0])


def time_table(growth, steps):
    """us per call by the number of loops; where a program stopped, why."""
    chosen = [entry for entry in entries if is_step(entry) == steps and (growth.times[entry] or growth.failures[entry])]
    sizes = sorted({loops for entry in chosen for loops in {**growth.times[entry], **growth.failures[entry]}})
    heads = ["us per step" if steps else "us per call", *map(str, sizes), "exponent"]
    lines = []
    for entry in chosen:
        times, slope = growth.times[entry], exponent(growth.times[entry])
        cells = [seconds(times[loops]) if loops in times else growth.failures[entry].get(loops, "") for loops in sizes]
        lines.append([entry[2], *cells, f"{slope:.1f}" if slope is not None else ""])
    return heads, lines


def ratio_table(growths):
    """Ours by theirs, and the differences of the accelerations, or of their mean over a step."""
    heads = ["peer", "family", "differs in motion, fewest loops", "at rest", "differs most, where timed",
             "ours / peer, fewest loops", "ours / peer, most loops"]
    lines = []
    for entry in entries:
        if entry[0] == "Trammel":
            continue
        ours = next(other for other in entries if other[0] == "Trammel" and is_step(other) == is_step(entry))
        for growth in growths:
            both = sorted(set(growth.times[entry]) & set(growth.times[ours]))
            if not both:
                continue
            first, last = both[0], both[-1]
            differences = growth.differences[entry]
            cells = [*map(digits, differences[first]), digits(max(max(differences[loops]) for loops in both))]
            ratios = [growth.times[ours][loops] / growth.times[entry][loops] for loops in (first, last)]
            lines.append([entry[2], growth.family.short, *cells, f"{ratios[0]:.2g} ({first})", f"{ratios[1]:.2g} ({last})"])
    return heads, lines


def pictures(folder, growths):
    """Plots of forward dynamics, one per family; returns the files by their titles."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for growth in growths:
        lines = {entry[2]: [(loops, ns / 1e3) for loops, ns in sorted(growth.times[entry].items())]
                 for entry in entries if not is_step(entry) and growth.times[entry]}
        if not lines:
            continue
        title = f"Forward dynamics: {growth.family.name}"
        made[title] = folder / f"peers-{growth.family.short}.svg"
        plots.plot(made[title], title, "loops", "us per call", lines, base=10, right=200)
    return made


def head(run):
    lines = [f"{datetime.date.today().isoformat()}. CPU: {run.machine['cpu']}, {run.machine['cores']} cores. "
             f"Load before: {run.machine['load']:.2f}."]
    lines += [f"{name}: {about}." for name, about in run.abouts.items()]
    lines += [f"{reason}." for reason in run.without]
    return "\n".join(f"* {line}" for line in lines)


def text(run, images, page):
    """All tables of a run, complete or not, in Markdown."""
    parts = [head(run)]
    notes = []
    if run.common:
        parts += ["**everyday closed mechanisms**", report.markdown(run.common.table())]
        notes += run.common.notes
    for growth in run.growths:
        parts.append(f"**{growth.family.name}**")
        parts += [report.markdown(time_table(growth, steps)) for steps in (False, True)]
        notes += growth.notes
    if run.growths:
        parts += ["**agreement and ratios**", report.markdown(ratio_table(run.growths))]
        parts += [f"![{title}]({os.path.relpath(file, page)})" for title, file in images.items()]
    if run.unconfirmed():
        notes += [f"No peer confirms {place}." for place in run.unconfirmed()]
    if not run.is_complete:
        notes.append("The run is not complete.")
    if notes:
        parts.append("Where a program stopped:\n\n" + "\n".join(f"* {note}" for note in notes))
    return "\n\n".join(parts)
