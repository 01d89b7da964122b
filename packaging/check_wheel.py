#!/usr/bin/env python3
"""Installs a wheel into a new environment without a compiler on the PATH, and uses it there.

    packaging/check_wheel.py PYTHON WHEEL

Runs the README's examples, the command line's optional parts (HDF5, bdf, pages) and tests of the Python package, with the newest
numpy and with 1.24; removes the package and compares files. Prints times: pip install with the first result, and `import
trammel`. Limits hold for processor time, since other programs may be running.
"""
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIRST_RESULT = "import trammel; m = trammel.load('@pendulum'); print(trammel.forward_dynamics(m, trammel.neutral_state(m)))"
OLDEST_NUMPY = "numpy==1.24.*"
TESTS = ["batch", "errors", "numpy", "pendulum", "simulate", "user_laws"]  # python/tests: arrays in both directions


def run(*command, **more):
    """Runs a command and returns its standard output; ends this program with all it printed if it fails."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **more)
    if done.returncode:
        sys.exit(f"{done.stdout[-4000:]}{done.stderr[-4000:]}\nwheel: '{' '.join(map(str, command))}' failed (exit code {done.returncode})")
    return done.stdout


def seconds_of(action):
    """The result of an action, its time, and the processor time of the commands that it ran."""
    def processor():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime
    begin, used = time.monotonic(), processor()
    result = action()
    return result, time.monotonic() - begin, processor() - used


def commands_of(page):
    """The command lines of a page: lines `$ trammel ...` without comments, but for those that show a broken file."""
    lines = [line[2:].split("   #")[0] for line in page.read_text().splitlines() if line.startswith("$ trammel")]
    return [line for line in lines if not line.startswith("trammel check ")]


class Environment:
    """A new virtual environment: no compiler, no library and no Python package of this machine; pip keeps its settings."""

    def __init__(self, python, place):
        run(python, "-m", "venv", place / "env")
        self.place, self.programs = place, place / "env/bin"
        self.variables = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "LD_", "CMAKE", "PKG_CONFIG"))}
        self.variables["PATH"] = str(self.programs)

    def run(self, *command):
        return run(*command, env=self.variables, cwd=self.place)

    def python(self, *words):
        return self.run(self.programs / "python", *words)

    def pip(self, *words):
        return self.python("-m", "pip", "--disable-pip-version-check", *words)

    def shell(self, line):
        return self.run("/bin/sh", "-c", line)

    def files(self):
        """All files but those of the interpreter's own cache; folders such as share/man stay after pip."""
        return {path for path in (self.place / "env").rglob("*") if not path.is_dir() and "__pycache__" not in path.parts}


def check_times(environment, wheel):
    """Prints the time from `pip install` to the first result, and that of the import."""
    def first_result():
        environment.pip("install", "-q", wheel)
        return environment.python("-c", FIRST_RESULT)
    result, elapsed, used = seconds_of(first_result)
    if not re.match(r"\[\s*18\.39375", result):
        sys.exit(f"wheel: the pendulum falls with {result.strip()}, not 18.39375 rad/s^2")
    print(f"pip install and first result: {elapsed:.1f} s ({used:.1f} s of processor time; limit 20)")
    if used > 20:
        sys.exit("wheel: that is too long")
    for module, limit in (("numpy", None), ("trammel", 0.15)):
        times = [seconds_of(lambda: environment.python("-c", f"import {module}"))[1:] for _ in range(7)]
        least = min(used for _, used in times)
        print(f"python -c 'import {module}': {min(times)[0]:.3f} s ({least:.3f} s of processor time{f'; limit {limit}' if limit else ''})")
        if limit and least > limit:
            sys.exit("wheel: that is too long")


def check_examples(environment):
    """The README's Python example and commands, and parts of the command line that other builds may lack."""
    shutil.copy(ROOT / "examples/pendulum.py", environment.place)
    printed = environment.python("pendulum.py")
    if not re.search(r"falls with 18\.393[78] rad/s\^2", printed):
        sys.exit(f"wheel: examples/pendulum.py prints another result: {printed}")
    commands = commands_of(ROOT / "README.md")
    for line in commands:
        environment.shell(line)
    environment.shell("trammel simulate @pendulum --duration 0.1 --quiet -o run.h5")  # HDF5
    environment.shell("trammel simulate @pendulum --duration 0.1 --quiet --method bdf -o bdf.csv")  # SUNDIALS
    empty = [name for name in ("run.csv", "run.html", "torques.csv", "layout.svg", "run.h5", "bdf.csv") if not (environment.place / name).stat().st_size]
    if empty or len(commands) < 5:
        sys.exit(f"wheel: the README's {len(commands)} commands left empty {empty}")
    if "<script" not in (environment.place / "run.html").read_text():
        sys.exit("wheel: the page of reports is missing: it was built without npm")
    for page in ("share/man/man1/trammel.1", "share/bash-completion/completions/trammel"):
        if not (environment.place / "env" / page).is_file():
            sys.exit(f"wheel: {page} is not in the environment")
    version = environment.shell("trammel --version")
    if ", wide" not in version:
        sys.exit(f"wheel: it has no kernels for wider instruction sets: {version}")
    print(f"{version.splitlines()[0]}: {len(commands)} commands of the README, its Python example, HDF5 and bdf passed")


def check_tests(environment):
    """Tests of the Python package with the numpy of the environment."""
    numpy = environment.python("-c", "import numpy; print(numpy.__version__)").strip()
    environment.variables.update(TRAMMEL_SOURCE=str(ROOT), TRAMMEL_PYBIND11="3.0", TRAMMEL_PROGRAMS=str(environment.programs),
                                 PYTHONDONTWRITEBYTECODE="1")
    printed = environment.python("-m", "pytest", "-q", "-p", "no:cacheprovider", *(ROOT / f"python/tests/test_{name}.py" for name in TESTS))
    print(f"python/tests with numpy {numpy}: {printed.splitlines()[-1]}")
    return numpy


def main():
    python, wheel = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        environment = Environment(python, pathlib.Path(folder))
        before = environment.files()
        check_times(environment, wheel)
        requirements = re.findall(r"^Requires: (.*)$", environment.pip("show", "trammel"), re.M)
        if requirements != ["numpy"]:
            sys.exit(f"wheel: it requires {requirements}, not numpy alone")
        check_examples(environment)
        others = environment.files()
        environment.pip("uninstall", "-q", "-y", "trammel", "numpy")
        if left := environment.files() - before:
            sys.exit(f"wheel: uninstalled, it leaves {sorted(map(str, left))[:10]}")
        print(f"uninstalled: none of {len(others - before)} files left")
        environment.pip("install", "-q", wheel, "pytest")
        newest = check_tests(environment)
        environment.pip("install", "-q", OLDEST_NUMPY)
        oldest = check_tests(environment)
        if not newest.startswith("2.") or not oldest.startswith("1.24."):
            sys.exit(f"wheel: numpy {newest} and {oldest} were tested, not 2.x and 1.24")


if __name__ == "__main__":
    main()
