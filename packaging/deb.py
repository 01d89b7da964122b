#!/usr/bin/env python3
"""Builds the Debian packages trammel, libtrammel-dev and python3-trammel by CMake and CPack: build/deb/packages.

    ./dev deb               builds them, for the Debian of this machine
    ./dev deb --check       also installs, uses and removes them in a chroot (check_deb.py; needs root)

The build has the options of the preset release, so its compiled files come from ccache where that has been built.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build/deb"
PACKAGES = ["trammel", "libtrammel-dev", "python3-trammel"]


def run(*command, **more):
    """Runs a command and returns its output; ends this program with what it printed if it fails."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode:
        sys.exit(f"{done.stdout[-6000:]}\ndeb: '{' '.join(map(str, command))}' failed (exit code {done.returncode})")
    return done.stdout


def build():
    """The three packages, dated by the last commit."""
    date = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
    environment = {**os.environ, **({"SOURCE_DATE_EPOCH": date} if date else {})}
    run("cmake", "-S", ROOT, "-B", FOLDER, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_INSTALL_PREFIX=/usr", "-DTRAMMEL_DEBIAN=ON",
        "-DTRAMMEL_TESTS=OFF", "-DPython_EXECUTABLE=/usr/bin/python3", "-DTRAMMEL_PYTHON_DIR=lib/python3/dist-packages", env=environment)
    run("cmake", "--build", FOLDER, "-j", os.cpu_count())
    shutil.rmtree(FOLDER / "packages", ignore_errors=True)
    run("cpack", "-G", "DEB", cwd=FOLDER, env=environment)
    made = sorted((FOLDER / "packages").glob("*.deb"))
    names = {run("dpkg-deb", "--field", package, "Package").strip() for package in made}
    if names != set(PACKAGES):
        sys.exit(f"deb: made {sorted(names)}, not {sorted(PACKAGES)}")
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, prog="./dev deb")
    parser.add_argument("--check", action="store_true", help="install, use and remove the packages in a chroot")
    options = parser.parse_args()
    made = build()
    for package in made:
        print(f"{package.relative_to(ROOT)}: {package.stat().st_size / 1e6:.1f} MB", flush=True)
    if options.check:
        os.execv(sys.executable, [sys.executable, "-B", str(ROOT / "packaging/check_deb.py"), *map(str, made)])


if __name__ == "__main__":
    main()
