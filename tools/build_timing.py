#!/usr/bin/env python3
"""Times a cold build, without ccache, in a folder of its own: the demo, then the tests, then one changed file.

Called by ./dev build --timing. Prints wall-clock and CPU time of each part, the time per folder, and the slowest files, from
Ninja's log. Takes as long as a cold build does.

    tools/build_timing.py                 builds build/timing and prints the table
    tools/build_timing.py --log FOLDER    prints the slowest files of an existing build
"""
import collections
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time

PARTS = (("./dev demo", ["demo_arm", "trammel_cli"]), ("./dev test, after it", ["all"]))
CHANGED, PROGRAM = "trammel/constraint/rank/row_basis.cpp", "trammel_unit_tests"


def steps(log):
    """Yields (seconds, output) of the last run of every step in a .ninja_log."""
    last = {}
    for line in log.splitlines():
        fields = line.split("\t")
        if not line.startswith("#") and len(fields) >= 4:
            last[fields[3]] = (int(fields[1]) - int(fields[0])) / 1000
    for output, seconds in last.items():
        yield seconds, output


def folder_of(output):
    """The folder of the source of an object file: trammel/constraint/rank, tests/properties."""
    parts = output.split("/")
    inside = next((k for k, part in enumerate(parts) if part.endswith(".dir")), None)
    return "/".join(parts[:-1]) if inside is None else "/".join([*parts[:max(inside - 1, 0)], *parts[inside + 1:-1]]) or "."


def table(log, most=15):
    """Lines: time per folder, then the slowest files."""
    compiled = [(seconds, output) for seconds, output in steps(log) if output.endswith(".o")]
    by_folder = collections.Counter()
    for seconds, output in compiled:
        by_folder[folder_of(output)] += seconds
    yield f"{sum(by_folder.values()) / 60:6.1f} min  {len(compiled)} files compiled (times of steps that ran side by side, added)"
    yield from (f"{seconds / 60:6.1f} min  {folder}" for folder, seconds in by_folder.most_common(most))
    yield from (f"{seconds:6.1f} s    {output}" for seconds, output in sorted(compiled, reverse=True)[:most])


def timed(command, **more):
    """Wall-clock and CPU seconds of a command, which must succeed."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, stdout=sys.stderr, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - begin, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(root, arguments):
    if arguments[:1] == ["--log"]:
        print("\n".join(table((pathlib.Path(arguments[1]) / ".ninja_log").read_text())))
        return
    build = root / "build/timing"
    shutil.rmtree(build, ignore_errors=True)
    environment = {**os.environ, "CCACHE_DISABLE": "1"}
    timed(["cmake", "--preset", "dev", "-B", build, "--log-level=NOTICE"], cwd=root, env=environment)
    lines = []
    for name, targets in PARTS:
        wall, cpu = timed(["cmake", "--build", build, "-j", str(os.cpu_count()), "--target", *targets], env=environment)
        lines.append(f"{wall / 60:6.1f} min, {cpu / 60:5.1f} min CPU  {name}")
    (root / CHANGED).touch()
    wall, cpu = timed(["cmake", "--build", build, "-j", str(os.cpu_count()), "--target", PROGRAM], env=environment)
    lines.append(f"{wall:6.1f} s,   {cpu:5.1f} s CPU    {CHANGED} to {PROGRAM}")
    print("\n".join([f"cold build, no ccache, {os.cpu_count()} processors:", *lines, *table((build / ".ninja_log").read_text())]))


if __name__ == "__main__":
    main(pathlib.Path(__file__).resolve().parent.parent, sys.argv[1:])
