#!/usr/bin/env python3
"""Capabilities of docs/capabilities.csv that the tests of the last run have shown.

A test names the capabilities it shows and the public functions it calls (tests/support/capability.hpp). An id counts when
a test that ran and passed in the last `./dev test` named it; a place in the tests where any run failed
does not count, and a test that does not call the functions it names is an error (capability_calls.py).
"""
import argparse
import collections
import csv
import json
import pathlib
import sys
import textwrap

import capability_calls

SEEDS = {"Y": "[Yesiloglu 2007], complex topology", "S": "[Saha 1991], nonholonomic systems",
         "R": "[Rodriguez 1988], several arms on one object", "G": "[Gutenkunst 2012], modular robots in symbols",
         "M": "[van der Merwe 1995], general joints and closed chains"}


class Refused(Exception):
    """The capabilities cannot be determined; the message has the reason and the next step."""


KINDS = {"test": "a test shows it", "missing": "the product lacks it", "statement": "nothing to show"}


def read_table(path):
    """{id: row}; every capability that no test shows has a reason."""
    with open(path, newline="", encoding="utf-8") as file:
        table = {row["id"]: row for row in csv.DictReader(file)}
    for id, row in table.items():
        if row["kind"] not in KINDS:
            raise Refused(f"{path.name}: {id} is of kind '{row['kind']}'; there are {', '.join(KINDS)}")
        if row["kind"] != "test" and not row["reason"]:
            raise Refused(f"{path.name}: {id} is {row['kind']} without a reason")
    return table


def newest_build(root):
    """The build folder of the last test run."""
    results = list(root.glob("build/*/test-results/*/*.json"))
    if not results:
        raise Refused("no test results yet: run ./dev test")
    return max(results, key=lambda path: path.stat().st_mtime).parents[2]


def read_places(build):
    """{id: {place: passed}} from the results in build/test-results/<program>/*.json."""
    places = collections.defaultdict(dict)
    for folder in sorted(build.glob("test-results/*/")):
        program = build / "bin" / folder.name
        if not program.exists():
            raise Refused(f"{folder.name} has results but is not built any more: run ./dev test")
        for path in sorted(folder.glob("*.json")):
            if path.stat().st_mtime < program.stat().st_mtime:
                raise Refused(f"{folder.name} is newer than its results: run ./dev test")
            for suite in json.loads(path.read_text(encoding="utf-8"))["testsuites"]:
                for test in suite["testsuite"]:
                    if "capability" not in test or test["result"] == "SKIPPED":
                        continue
                    passed = test["result"] == "COMPLETED" and not test.get("failures")
                    place = test["capability_place"]
                    for id in test["capability"].split(","):
                        places[id][place] = places[id].get(place, True) and passed
    return places


def sort_out(table, places):
    """(shown, missing, set aside): ids, {id: reason}, {id: reason}."""
    for id in sorted(places.keys() - table.keys()):
        raise Refused(f"{', '.join(sorted(places[id]))}: there is no capability '{id}'")
    for id in sorted(id for id in places if table[id]["kind"] == "missing"):
        raise Refused(f"{', '.join(sorted(places[id]))}: the table says that {id} is missing")
    shown = [id for id in table if any(places.get(id, {}).values())]
    rest = [id for id in table if id not in set(shown)]
    aside = {id: table[id]["reason"] for id in rest if table[id]["kind"] == "statement"}
    missing = {id: table[id]["reason"] or "no test of the last run shows it" for id in rest if id not in aside}
    return shown, missing, aside


def in_ranges(ids, table):
    """'Y-01..Y-04 Y-07': consecutive ids of the table as a range."""
    order = {id: place for place, id in enumerate(table)}
    runs = []
    for id in ids:
        if runs and order[id] == order[runs[-1][-1]] + 1:
            runs[-1].append(id)
        else:
            runs.append([id])
    return " ".join(f"{run[0]}..{run[-1]}" if len(run) > 2 else " ".join(run) for run in runs)


def print_by_seed(table, shown, missing, aside):
    for letter, title in SEEDS.items():
        mine = [id for id in table if id.startswith(letter)]
        if not mine:
            continue
        here = [[id for id in ids if id in mine] for ids in (shown, missing, aside)]
        print(f"{title}: {len(here[0])} of {len(mine)} shown, {len(here[1])} missing, {len(here[2])} set aside")
        if here[0]:
            print_wrapped("shown", in_ranges(here[0], table))
        reasons = collections.defaultdict(list)  # ids with the same reason together
        for id in here[1]:
            reasons[missing[id]].append(id)
        for reason, ids in reasons.items():
            print_wrapped("missing", f"{in_ranges(ids, table)}: {reason}")
        for id in here[2]:
            print_wrapped("aside", f"{id}: {aside[id]}")
    print(f"together: {len(shown)} of {len(table)} shown, {len(missing)} missing, {len(aside)} set aside")


def print_wrapped(word, text):
    print(textwrap.fill(text, 98, initial_indent=f"  {word:<8} ", subsequent_indent=" " * 11,
                        break_on_hyphens=False))


def explain(row, places, calls):
    print(f"{row['id']}  {row['capability']}\n  check: {row['check']}")
    if row["kind"] != "test":
        print(f"  {'missing' if row['kind'] == 'missing' else 'set aside'}: {row['reason']}")
    for place, passed in sorted(places.items()):
        print(f"  {'shown by' if passed else 'FAILED at'} {place}: {', '.join(calls.get(place, []))}")
    if not places and row["kind"] == "test":
        print("  no test of the last run shows it")


def main(arguments, root):
    parser = argparse.ArgumentParser(prog="./dev capabilities", description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="machine-readable output")
    parser.add_argument("--explain", metavar="ID", help="how one capability is checked, and by which test")
    parser.add_argument("--build", type=pathlib.Path, help="the build folder (default: of the last test run)")
    options = parser.parse_args(arguments)
    try:
        table = read_table(root / "docs" / "capabilities.csv")
        if options.explain and options.explain not in table:
            raise Refused(f"there is no capability '{options.explain}'")
        wrong = list(capability_calls.complaints(root))
        if wrong:
            raise Refused("\n".join(wrong))
        places = read_places(options.build or newest_build(root))
        shown, missing, aside = sort_out(table, places)
    except Refused as why:
        print(f"capabilities: {why}", file=sys.stderr)
        return 1
    if options.json:
        print(json.dumps({"shown": shown, "missing": list(missing), "reasons": missing, "set_aside": aside}, ensure_ascii=False))
    elif options.explain:
        found = capability_calls.claims(root, capability_calls.Sources(root))
        calls = {claim.place: claim.names for claim in found if claim.id == options.explain}
        explain(table[options.explain], places.get(options.explain, {}), calls)
    else:
        print_by_seed(table, shown, missing, aside)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], pathlib.Path(__file__).resolve().parent.parent))
