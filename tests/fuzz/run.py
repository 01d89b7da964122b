#!/usr/bin/env python3
"""Runs the fuzz targets, one after the other, then the driver that mutates the models of the gallery.

Each target grows a corpus of its own in the build folder, beginning with the stored one; --merge puts the
inputs that reach something new into the stored corpus, small ones only. A finding is kept as a file with the
command that reproduces it. Exit code 1: there was one.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
top = here.parent.parent
TARGETS = ("formula", "journal", "mesh", "state", "table", "toml", "urdf")
DICTIONARY = {"formula": "formula", "state": "toml", "table": "toml", "toml": "toml", "urdf": "urdf"}
LONGEST = {"formula": 400, "journal": 4000, "mesh": 2000, "state": 1000, "table": 2000, "toml": 4000, "urdf": 4000}  # [bytes]


def options(target):
    """What is a finding beside a crash: 10 s for one input, 1 GB."""
    words = [f"-max_len={LONGEST[target]}", "-timeout=10", "-rss_limit_mb=1024"]
    return words + ([f"-dict={here}/{DICTIONARY[target]}.dict"] if target in DICTIONARY else [])


def fuzz(target, arguments):
    """One target for some minutes: (executions, findings)."""
    program = arguments.build / "bin" / f"trammel_fuzz_{target}"
    grown, findings = arguments.build / "corpus" / target, arguments.build / "findings"
    grown.mkdir(parents=True, exist_ok=True)
    findings.mkdir(exist_ok=True)
    log = arguments.build / f"fuzz_{target}.log"
    words = [program, grown, here / "corpus" / target, *options(target), f"-seed={arguments.seed}",
             f"-max_total_time={round(60 * arguments.minutes)}", "-print_final_stats=1", f"-artifact_prefix={findings}/{target}-"]
    with log.open("w") as stream:
        code = subprocess.run([str(word) for word in words], stdout=stream, stderr=stream).returncode
    text = log.read_text(errors="replace")
    executions = int((re.findall(r"number_of_executed_units: *(\d+)", text) or [0])[-1])
    found = re.findall(r"Test unit written to (\S+)", text)
    if code != 0:
        print("\n".join(line for line in text.splitlines() if re.search(r"ERROR|SUMMARY|runtime error|what\(\)|terminate", line)))
        for file in found:
            print(f"reproduce: {program.relative_to(top)} {file}")
    return executions, max(len(found), code != 0)


def merge(target, arguments):
    """The fewest inputs that reach every edge (counts apart) that the grown and the stored corpus reach, in place of the
    stored one."""
    program, stored = arguments.build / "bin" / f"trammel_fuzz_{target}", here / "corpus" / target
    with tempfile.TemporaryDirectory(dir=arguments.build) as folder:
        words = [program, "-set_cover_merge=1", "-use_counters=0", *options(target), folder, stored, arguments.build / "corpus" / target]
        subprocess.run([str(word) for word in words], check=True, capture_output=True)
        # inputs stored by intent have names; those found by libFuzzer have their checksums as names
        named = {file.name for file in stored.iterdir() if not re.fullmatch("[0-9a-f]{40}", file.name)}
        contents = {(stored / name).read_bytes() for name in named}
        for file in stored.iterdir():
            if file.name not in named:
                file.unlink()
        for file in pathlib.Path(folder).iterdir():
            if file.read_bytes() not in contents:
                shutil.copy(file, stored / file.name)
    files = list(stored.iterdir())
    print(f"{target}: {len(files)} inputs, {sum(file.stat().st_size for file in files)} bytes are stored")


def main():
    parser = argparse.ArgumentParser(prog="./dev fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", nargs="*", metavar="TARGET", help=f"of {' '.join(TARGETS)} models; all unless given")
    parser.add_argument("--minutes", type=float, default=1, help="for each target (1)")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers (1)")
    parser.add_argument("--merge", action="store_true", help="only put what was found earlier into the stored corpus")
    parser.add_argument("--build", type=pathlib.Path, default=top / "build/fuzz", help=argparse.SUPPRESS)
    parser.add_argument("--program", type=pathlib.Path, default=top / "build/dev/bin/trammel", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    wanted = arguments.target or [*TARGETS, "models"]
    for target in wanted:
        if target not in (*TARGETS, "models"):
            parser.error(f"there is no target '{target}': {' '.join(TARGETS)} models")
    findings = 0
    for target in wanted:
        if arguments.merge:
            if target != "models":
                merge(target, arguments)
        elif target == "models":
            findings += subprocess.run([sys.executable, "-B", here / "models", "--program", arguments.program, "--seed", str(arguments.seed),
                                        "--minutes", str(arguments.minutes), "--output", arguments.build / "findings"]).returncode != 0
        else:
            executions, found = fuzz(target, arguments)
            findings += found
            print(f"{target}: {arguments.minutes:g} minutes, {executions} executions, {found} findings", flush=True)
    return findings > 0


if __name__ == "__main__":
    sys.exit(main())
