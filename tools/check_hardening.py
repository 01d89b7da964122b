#!/usr/bin/env python3
"""Hardening of a linked program or module, read from its ELF headers and dynamic symbols:
position-independent code, read-only relocations bound at the start, stack protector, checked calls of the C
library (FORTIFY)."""
import re
import subprocess
import sys


def read(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def missing(path, has_assertions=False):
    """Missing hardening, by the flag that gives it. `has_assertions`: those of the C++ library are required,
    too."""
    header, segments, dynamic = (read("readelf", "--wide", option, path) for option in ("-h", "-l", "-d"))
    symbols = read("nm", "--dynamic", "--undefined-only", path)
    names = re.findall(r"\b(__\w+_chk(?:_fail)?)\b", symbols)
    lacks = []
    if not re.search(r"Type:\s+DYN", header):
        lacks.append("position-independent code (-fPIE, -pie)")
    if "GNU_RELRO" not in segments:
        lacks.append("read-only relocations (-z relro)")
    if not re.search(r"BIND_NOW|Flags:.*\bNOW\b", dynamic):
        lacks.append("binding at the start (-z now)")
    if "__stack_chk_fail" not in names:
        lacks.append("stack protector (-fstack-protector-strong)")
    if not any(name.endswith("_chk") for name in names):
        lacks.append("checked calls of the C library (-D_FORTIFY_SOURCE=2)")
    if has_assertions and "__glibcxx_assert_fail" not in symbols:
        lacks.append("assertions of the C++ library (-D_GLIBCXX_ASSERTIONS)")
    return lacks


if __name__ == "__main__":
    has_assertions = "--assertions" in sys.argv
    for path in sys.argv[1:]:
        if path == "--assertions":
            continue
        lacks = missing(path, has_assertions)
        if lacks:
            sys.exit(f"{path}: lacks {', '.join(lacks)}")
        print(f"{path}: hardened")
