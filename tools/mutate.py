#!/usr/bin/env python3
"""Mutation test: runs the tests against the small faults of tests/mutants/*.toml.

First every GoogleTest suite runs once without a fault, which measures its time and the faults
it reaches (cached until a program changes). Then each fault runs against the suites that reach it, the
one that found it last time (tests/mutants/found_by.toml, or the last run of this build) first, until one
fails. The others follow by their time times the number of faults they reach: fast and specific suites
first. A crash counts as found, and so does a suite that takes many times the CPU time without the fault.
A fault with a reason runs against the first suites only, whose time together is at most REASON_BUDGET.

Called by ./dev mutate, which builds the preset `mutate` first. Exit code 1 if a fault survives
without a reason in the list.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

import mutants

PROGRAMS = ("trammel_unit_tests", "trammel_property_tests", "trammel_consistency_tests", "trammel_reference_tests")
MODULES = ("dynamics", "constraint", "simulate")
REASON_BUDGET = 20  # CPU seconds, without a fault, of the suites that run against a fault with a reason
START = 0.05  # CPU seconds to start a program
MEMORY = 8 << 30  # limit of a suite's address space in bytes
BEGIN, END = "<!-- made by ./dev mutate: begin -->", "<!-- made by ./dev mutate: end -->"


def suites_of(listing):
    """The names of the suites in the output of --gtest_list_tests."""
    names = [line.split("#")[0].strip() for line in listing.splitlines() if line and not line.startswith(" ")]
    return [name[:-1] for name in names if name.endswith(".") and "DISABLED_" not in name]


def cpu_limit(normal):
    """CPU seconds after which a suite counts as hanging, from its time without a fault."""
    return int(10 + 8 * normal)


class Runner:
    """Runs suites; `folder` contains the programs."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def suites(self, program):
        listing = subprocess.run([self.folder / program, "--gtest_list_tests"], check=True, capture_output=True, text=True)
        return suites_of(listing.stdout)

    def run(self, program, suite, environment, limit=None):
        """(verdict, CPU seconds) of one suite: passed, failed, crashed or hung."""
        def lower():
            if limit:
                resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))  # an infinite loop may fill a list
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        command = [self.folder / program, f"--gtest_filter={suite}.*", "--gtest_brief=1", "--gtest_fail_fast"]
        with tempfile.TemporaryDirectory() as folder:
            process = subprocess.Popen(command, env=os.environ | environment, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, preexec_fn=lower, cwd=folder)
            # a waiting thread uses no CPU time: hence a limit of wall-clock time
            watch = threading.Timer(60 + 10 * limit, process.kill) if limit else None
            if watch:
                watch.start()
            _, status, usage = os.wait4(process.pid, 0)
            if watch:
                watch.cancel()
        seconds = usage.ru_utime + usage.ru_stime
        code = os.waitstatus_to_exitcode(status)
        process.returncode = code
        if code == 0:
            return "passed", seconds
        if code in (-signal.SIGXCPU, -signal.SIGKILL):
            return "hung", seconds
        return ("failed" if code > 0 else "crashed"), seconds


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def measure(runner, kept, jobs, say):
    """Each suite without a fault: {"program/suite": {seconds, reached, passed}}. Cached results of unchanged
    programs are reused."""
    out, todo = {}, []
    for program in PROGRAMS:
        mark = digest(runner.folder / program)
        old = kept.get(program, {})
        if old.get("digest") != mark:
            old = {"digest": mark, "suites": {}}
            todo += [(program, suite) for suite in runner.suites(program)]
        out[program] = old

    def one(item):
        program, suite = item
        with tempfile.TemporaryDirectory() as folder:
            reached = pathlib.Path(folder) / "reached"
            verdict, seconds = runner.run(program, suite, {"TRAMMEL_MUTANT": "0", "TRAMMEL_MUTANT_REACHED": str(reached)})
            numbers = [int(line) for line in reached.read_text().split()] if reached.exists() else []
        return item, {"seconds": round(seconds, 3), "reached": numbers, "passed": verdict == "passed"}

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for count, ((program, suite), entry) in enumerate(pool.map(one, todo), 1):
            out[program]["suites"][suite] = entry
            if not entry["passed"]:
                say(f"{suite} of {program} fails without a fault: it is left out")
            if count % 50 == 0:
                say(f"{count} of {len(todo)} suites measured")
    return out


def order(number, measured, last):
    """The suites that reach a fault, as (program, suite, seconds): the last that found it first."""
    found = []
    for program in measured:
        for suite, entry in measured[program]["suites"].items():
            if entry["passed"] and number in entry["reached"]:
                cost = (START + entry["seconds"]) * len(entry["reached"])
                found.append((f"{program}/{suite}" != last, cost, (program, suite, entry["seconds"])))
    return [item for _, _, item in sorted(found)]


def within(suites, budget):
    """The first suites whose seconds together are within the budget; at least one."""
    spent, chosen = 0.0, []
    for item in suites:
        spent += item[2]
        if chosen and spent > budget:
            break
        chosen.append(item)
    return chosen


def judge(runner, fault, measured, last):
    """Result of one fault: {verdict, by, seconds}."""
    spent, suites = 0.0, order(fault.number, measured, last)
    if fault.reason:
        suites = within(suites, REASON_BUDGET)
    for program, suite, normal in suites:
        verdict, seconds = runner.run(program, suite, {"TRAMMEL_MUTANT": str(fault.number)}, cpu_limit(normal))
        spent += seconds
        if verdict != "passed":
            return {"verdict": verdict, "by": f"{program}/{suite}", "seconds": round(spent, 1)}
    return {"verdict": "survived" if suites else "not reached", "by": "", "seconds": round(spent, 1)}


def is_killed(result):
    return result["verdict"] in ("failed", "crashed", "hung")


def table(faults, results, minutes):
    """The summary for docs/validation.md."""
    lines = ["| module | faults | found | of these by a crash or a hang | not reached | survive with a reason | survive |",
             "|---|---|---|---|---|---|---|"]
    rows = [(module, [fault for fault in faults if fault.module == module]) for module in MODULES]
    for module, here in rows + [("all", faults)]:
        done = [(fault, results[str(fault.number)]) for fault in here]
        killed = [result for _, result in done if is_killed(result)]
        rough = [result for result in killed if result["verdict"] != "failed"]
        missed = [result for fault, result in done if result["verdict"] == "not reached" and not fault.reason]
        excused = [result for fault, result in done if not is_killed(result) and fault.reason]
        open_ones = [result for fault, result in done if result["verdict"] == "survived" and not fault.reason]
        lines.append(f"| {module} | {len(here)} | {len(killed)} | {len(rough)} | {len(missed)} | {len(excused)} | {len(open_ones)} |")
    lines += ["", f"One run took {minutes:.0f} minutes on two cores, programs built. Survivors:", ""]
    left = [fault for fault in faults if not is_killed(results[str(fault.number)])]
    lines += [f"- {fault.number} `{fault.file}`, {fault.what}: {fault.reason or 'no reason is known: a test is missing'}" for fault in left]
    return "\n".join(lines + ([] if left else ["none."]))


def read_found_by(path):
    """{number: "program/suite"} of the suites that found the faults; empty without the file."""
    return {int(number): suite for number, suite in tomllib.loads(path.read_text()).items()} if path.exists() else {}


def write_found_by(path, results):
    lines = ["# The suite that found each fault in the last complete run; the next run tries it first.",
             "# Written by ./dev mutate --write."]
    lines += [f'{number} = "{result["by"]}"' for number, result in sorted(results.items(), key=lambda item: int(item[0]))
              if is_killed(result)]
    path.write_text("\n".join(lines) + "\n")


def put(page, text):
    """Replaces the text between the marks of a page."""
    old = page.read_text()
    if old.count(BEGIN) != 1 or old.count(END) != 1:
        sys.exit(f"mutate: {page} has not the marks {BEGIN} and {END}")
    page.write_text(old[:old.index(BEGIN)] + f"{BEGIN}\n\n{text}\n\n{END}" + old[old.index(END) + len(END):])


def choose(faults, results, options):
    """The faults to run."""
    if options.number:
        unknown = sorted(set(options.number) - {fault.number for fault in faults})
        if unknown:
            sys.exit(f"mutate: there is no fault {', '.join(map(str, unknown))}; --list names them")
        return [fault for fault in faults if fault.number in options.number]
    if options.survivors:
        return [fault for fault in faults if str(fault.number) not in results or not is_killed(results[str(fault.number)])]
    return faults


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(prog="./dev mutate", description=__doc__.split("\n\n")[0])
    parser.add_argument("number", type=int, nargs="*", help="only these faults")
    parser.add_argument("--survivors", action="store_true", help="only faults that survived the last run, and new ones")
    parser.add_argument("--list", action="store_true", help="list the faults, run nothing")
    parser.add_argument("--write", action="store_true", help="write the table into docs/validation.md, and found_by.toml (after a complete run)")
    parser.add_argument("--jobs", type=int, default=2, help="number of faults in parallel (2)")
    parser.add_argument("--build", type=pathlib.Path, default=root / "build/mutate", help=argparse.SUPPRESS)
    options = parser.parse_args()

    def say(text):
        print(text, file=sys.stderr, flush=True)

    try:
        faults = mutants.read_list(root / mutants.LIST)
    except mutants.ListError as mistakes:
        sys.exit(str(mistakes))
    if options.list:
        print("\n".join(f"{fault.number} {fault.file}: {fault.what}" for fault in faults))
        return 0

    begin = time.monotonic()
    store = options.build / "mutants.json"
    kept = json.loads(store.read_text()) if store.exists() else {}
    results = {number: result for number, result in kept.get("results", {}).items() if int(number) in {f.number for f in faults}}
    runner = Runner(options.build / "bin")
    measured = measure(runner, kept.get("measured", {}), options.jobs, say)
    minutes = kept.get("minutes", 0.0)

    def save():
        store.write_text(json.dumps({"measured": measured, "results": results, "minutes": minutes}, indent=1))
    save()

    found_by = read_found_by(root / mutants.LIST / mutants.FOUND_BY)

    def last(fault):
        return results.get(str(fault.number), {}).get("by") or found_by.get(fault.number)

    chosen = choose(faults, results, options)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = {pool.submit(judge, runner, fault, measured, last(fault)): fault for fault in chosen}
        for count, run in enumerate(concurrent.futures.as_completed(runs), 1):
            fault, result = runs[run], run.result()
            results[str(fault.number)] = result
            say(f"[{count}/{len(runs)}] {fault.number} {result['verdict']} {result['by']} ({result['seconds']} s) "
                f"{fault.file}: {fault.what}")
            save()
    if len(chosen) == len(faults):
        minutes = (time.monotonic() - begin) / 60
        save()

    if all(str(fault.number) in results for fault in faults):
        text = table(faults, results, minutes)
        print(text)
        if options.write:
            put(root / "docs/validation.md", text)
            write_found_by(root / mutants.LIST / mutants.FOUND_BY, results)
    elif options.write:
        sys.exit("mutate: not all faults have run; nothing is written")
    bare = [fault for fault in chosen if not is_killed(results[str(fault.number)]) and not fault.reason]
    stale = [fault for fault in chosen if is_killed(results[str(fault.number)]) and fault.reason]
    for fault in bare:
        say(f"{fault.name}: {results[str(fault.number)]['verdict']}; write a test that finds it, or a reason beside it")
    for fault in stale:
        say(f"{fault.name}: is found by {results[str(fault.number)]['by']}; its reason is out of date")
    return 1 if bare or stale else 0


if __name__ == "__main__":
    sys.exit(main())
