#!/usr/bin/python3
"""Times of Trammel's functions, their growth with size, and a comparison with peers.

Every result is checked first; a wrong one is not timed. See docs/performance.md.
"""
import argparse
import functools
import json
import pathlib
import re
import sys

import check
import compare
import instructions
import measure
import peers as peer_programs
import plots
import report
import robots
import rows as rules
from programs import Program, ProgramError

top = pathlib.Path(__file__).resolve().parent.parent


def count(text):
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 up")
    return int(text)


def pattern(text):
    try:
        return re.compile(text)
    except re.error as mistake:
        raise argparse.ArgumentTypeError(f"'{text}' is no regular expression: {mistake}") from None


def parse(arguments):
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add, folder = parser.add_argument, pathlib.Path
    add("--models", metavar="DIR", type=folder, help="also the robots in this folder (*.txt, bench/robot.hpp)")
    add("--peers", action="store_true", help="compare with Pinocchio and MuJoCo, from their wheels")
    add("--rows", metavar="REGEX", type=pattern, default=pattern(""), help="only rows whose 'question model' matches")
    add("--rounds", metavar="N", type=count, default=21, help="rounds of every program (21)")
    add("--milliseconds", metavar="N", type=count, default=4, help="duration of one round (4)")
    add("--growth", metavar="N", type=int, default=16384, help="longest chain; 0: no growth, no batch sizes (16384)")
    add("--large", metavar="N", type=count, help="also a hanging chain of N bodies, such as a million: built, then evaluated")
    add("--instructions", action="store_true", help="count them, by callgrind")
    add("--compare", metavar="FILE", type=folder, help="compare instructions with a stored result (--json) or page; exit code 1 where a count grew by 1 %%")
    add("--json", action="store_true", help="for programs")
    add("--plots", metavar="DIR", type=folder, help="draw growth and batch sizes there, as SVG")
    add("--report", metavar="FILE", type=folder, help="write the tables between the marks of this page")
    # set by ./dev
    add("--portable", metavar="PROGRAM", help=argparse.SUPPRESS)
    add("--native", metavar="PROGRAM", help=argparse.SUPPRESS)
    add("--build", metavar="DIR", type=folder, default=top / "build/bench", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.models and not options.models.is_dir():
        parser.error(f"--models: there is no folder '{options.models}'")
    if options.report and not options.report.is_file():
        parser.error(f"--report: there is no file '{options.report}'; begin with docs/performance.md")
    if options.compare and not (options.instructions and options.compare.is_file()):
        parser.error("--compare needs --instructions, and a file of an earlier measurement")
    if not options.portable and not options.native:
        parser.error("--portable or --native must name a program; `./dev bench` does so")
    return options


def all_robots(options):
    """The generated robots of the rows, then those of the folder."""
    folder = options.build / "models"
    made = {"random_arm7": robots.arm, "random_humanoid": robots.humanoid}
    made |= {f"random_coop{n}": functools.partial(robots.cooperating, arms=n) for n in (2, 4)}
    made |= {"random_fourbar": robots.four_bar}
    made |= {f"random_chain{n}": functools.partial(robots.chain, n=n) for n in (8, 64, 256, 1024)}
    paths = [make(folder) for name, make in made.items()
             if any(options.rows.search(f"{question} {name}") for question in rules.questions)]
    if options.models:
        found = sorted(options.models.glob("*.txt"))
        if not found:
            raise robots.RobotError(f"{options.models}: no robots (*.txt) there")
        paths += found
    for path in paths:
        yield robots.read(path)


def checked_row(question, robot, ours, peers, checker, lanes):
    """A row with its verdict: correct in every program of ours, in every comparison."""
    row = {"question": question, "model": robot.name, "nv": robot.nv, "bodies": len(robot.parents), "checks": [],
           "right": True, "goal": rules.goal(question, robot.kind, lanes), "allocations": None}
    try:
        for program in ours:
            for what, error, most in checker.findings(program, peers, robot, question):
                row["checks"].append({"program": program.name, "against": what, "error": error, "at_most": most})
                if not error <= most:
                    row["right"] = False
                    row["complaint"] = f"{program.name} differs from {what} by {error:.1e}"
        row["allocations"] = ours[0].allocations(robot.path, question)
    except ProgramError as mistake:
        row |= {"right": False, "complaint": str(mistake)}
    return row


def measure_all(options, ours, peers):
    machine = measure.machine()
    lanes = int(re.search(r"(\d+) lanes", ours[-1].about)[1])
    result = {"machine": machine, "ours": {p.name: p.about for p in ours}, "peers": {p.name: p.about for p in peers},
              "anchors": rules.anchors["measured"], "warnings": [], "rows": [], "growth": [], "loop_growth": [],
              "large": [], "batch_sizes": [], "threads": []}
    if machine["load"] > 0.5:
        result["warnings"].append(f"the machine was busy (load {machine['load']:.2f}); times are rough, ratios less so")

    checker, by_model = check.Checker(options.build / "probes"), {}
    for robot in all_robots(options):
        by_model[robot.name] = robot
        for question in rules.questions:
            if rules.is_asked(question, robot) and options.rows.search(f"{question} {robot.name}"):
                row = checked_row(question, robot, ours, peers, checker, lanes)
                if row["right"]:
                    measure.time_row(row, robot, ours, peers, options)
                result["rows"].append(row)
    result["rows"].sort(key=lambda row: rules.questions.index(row["question"]))
    if options.instructions:
        instructions.count(result["rows"], by_model, ours[0])
    if options.growth:
        measure_growth(result, options, ours[-1], checker)
    if options.large:
        result["large"] = [measure_large(result, options.large, ours[-1])]
    return result


def measure_large(result, bodies, program):
    """Measurements of a chain with this number of bodies; a wrong result is reported as a row, too."""
    # relative to the effort that supports it horizontally: rounding over its length
    entry, most = program.large(bodies), 1e-9
    if not entry["error"] <= most:
        result["rows"].append({"question": "forward", "model": f"hanging chain of {bodies}", "nv": bodies, "bodies": bodies,
                               "checks": [], "right": False, "goal": None, "allocations": None,
                               "complaint": f"inverse dynamics of forward dynamics is off by {entry['error']:.1e}"})
    return entry


def lengths_of(first, last):
    """first, twice that, and so on up to last."""
    return [first << k for k in range(max(0, last // first).bit_length())]


def measure_growth(result, options, program, checker):
    """Growth of chains in bodies, of batches in states; wrong results are reported as rows and left out."""
    folder = options.build / "models"
    lengths = [2**k for k in range(3, options.growth.bit_length())]

    def is_right(robot, *questions):
        checked = [checked_row(question, robot, [program], [], checker, None) for question in questions]
        result["rows"] += [row for row in checked if not row["right"]]
        return all(row["right"] for row in checked)

    chains = [robots.read(robots.chain(folder, n)) for n in lengths]
    right = [chain for chain in chains if is_right(chain, "inverse", "forward")]
    result["growth"] = measure.growth(right, program, options)
    families = {"arms on one object": [(n, robots.cooperating(folder, n)) for n in lengths_of(2, min(64, options.growth))],
                "four-bars in a row": [(n, robots.four_bars(folder, n)) for n in lengths_of(16, min(256, options.growth))]}
    read = {name: [(n, robots.read(path)) for n, path in members] for name, members in families.items()}
    right = {name: [(n, robot) for n, robot in members if is_right(robot, "closed")] for name, members in read.items()}
    result["loop_growth"] = measure.loop_growth(right, program, options)
    arm = robots.read(robots.arm(folder))
    if is_right(arm, "inverse_batch", "forward_batch"):
        result["batch_sizes"] = measure.batch_sizes(arm, program, options)
        result["threads"] = measure.threads(arm, program, options)


def main(arguments):
    options = parse(arguments)
    try:
        named = {"portable": options.portable, "native": options.native}
        ours = [Program(name, path) for name, path in named.items() if path]
        found = peer_programs.programs(options.build / "peers") if options.peers else {}
        peers = [Program(name, path) for name, path in found.items()]
        result = measure_all(options, ours, peers)
        for program in [*ours, *peers]:
            program.close()
    except (robots.RobotError, ProgramError, peer_programs.PeerError, OSError) as mistake:
        print(f"bench: {mistake}", file=sys.stderr)
        return 1
    print(json.dumps(result, indent=1) if options.json else report.text(result))
    pictures = plots.draw(options.plots, result) if options.plots else {}
    if options.report:
        try:
            report.put_into(options.report, result, pictures)
        except ValueError as mistake:
            print(f"bench: {mistake}", file=sys.stderr)
            return 1
    is_kept = True
    if options.compare:
        try:
            lines, is_kept = compare.changes(compare.read(options.compare), compare.of_result(result))
        except compare.CompareError as mistake:
            lines, is_kept = [str(mistake)], False
        print("\n".join(lines), file=sys.stderr)
    return 0 if is_kept and all(row["right"] for row in result["rows"]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
