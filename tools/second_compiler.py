#!/usr/bin/env python3
"""Reads the library and the command line with clang++, without generating code: what g++ accepts and clang does not.

    tools/second_compiler.py BUILD_FOLDER [REGEX]     files of a configured build whose path matches

Takes the commands of BUILD_FOLDER/compile_commands.json. Exit code 1 where clang++ rejects a file, 77 where it is not
installed. `./dev build --preset debug-clang` also compiles and links, and warns.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

TARGETS = re.compile(r"CMakeFiles/(trammel|trammel_core|trammel_files|trammel_computations|trammel_generic|trammel_cli)\.dir/")
# options with a value that g++ alone reads, and a header compiled by it
LEFT_OUT = {"-include", "-o"}


def clang_command(entry):
    """The command of one file for clang++: reads it, and writes nothing."""
    words, kept = iter(shlex.split(entry["command"])[1:]), ["clang++"]
    for word in words:
        if word in LEFT_OUT:
            next(words)
        elif word != "-c" and not word.startswith(("-W", "--param=", "-fno-tree-", "-fno-gnu-")):
            kept.append(word)
    return [*kept, "-w", "-fsyntax-only"]


def rejected(entry):
    """What clang++ says to a file that it rejects, else None."""
    done = subprocess.run(clang_command(entry), cwd=entry["directory"], capture_output=True, text=True, check=False)
    return f"{entry['file']}:\n{done.stderr}" if done.returncode else None


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    if not shutil.which("clang++"):
        print("clang++ is not installed: apt-get install clang")
        sys.exit(77)
    entries = json.loads((pathlib.Path(sys.argv[1]) / "compile_commands.json").read_text())
    matching = re.compile(sys.argv[2] if len(sys.argv) == 3 else "")
    chosen = [entry for entry in entries
              if TARGETS.search(entry["command"]) and entry["file"].endswith(("cpp", "cxx")) and matching.search(entry["file"])]
    if not chosen:
        sys.exit(f"second_compiler: no file of the library in {sys.argv[1]}: configure it first (./dev build)")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        mistakes = [text for text in pool.map(rejected, chosen) if text]
    print(*mistakes, f"{len(chosen)} files read by clang++, {len(mistakes)} rejected", sep="\n")
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
