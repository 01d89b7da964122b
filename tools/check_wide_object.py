#!/usr/bin/env python3
"""Checks that a wide-kernel object defines a single symbol, its entry, and has no static initializers."""
import pathlib
import subprocess
import sys

path = pathlib.Path(sys.argv[1])
names = subprocess.run(["nm", "--extern-only", "--defined-only", "--format=posix", path],
                       check=True, capture_output=True, text=True).stdout.splitlines()
found = [line.split()[0] for line in names]
sections = subprocess.run(["objdump", "-h", path], check=True, capture_output=True, text=True).stdout
if found != [path.stem]:
    sys.exit(f"{path.name}: defines {', '.join(found) or 'nothing'}; it should define {path.stem} alone")
if ".init_array" in sections or ".ctors" in sections:
    sys.exit(f"{path.name}: has static initialisers, which would run wide instructions on every machine")
print(f"{path.name}: sealed")
