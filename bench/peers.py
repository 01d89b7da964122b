"""The peers: Pinocchio from PyPI's wheels in a virtual environment, its headers compiled here.

Never its prebuilt library: with -march=native Eigen aligns otherwise than that was built with."""
import os
import pathlib
import shutil
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
eigen = "/usr/include/eigen3"
# what ours is built with and helps it too; its own vectors inside a body do it good, so they stay
flags = ["-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-fno-math-errno", "-fno-trapping-math", "-w",
         # as its own CMake package says: its list of joints is long
         "-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
         "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DBOOST_FUSION_INVOKE_MAX_ARITY=12"]
compilers = {"clang": ["clang++", "-ffp-contract=fast"], "g++": ["g++"]}


class PeerError(Exception):
    """A peer cannot be had, and why."""


def cache():
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "trammel/peers"


def run(command, what):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise PeerError(f"{what} failed:\n{done.stdout.strip()[-2000:]}")


def environment():
    """The virtual environment with the wheels; made when it is not there."""
    folder = cache()
    if not list(folder.glob("lib/python*/site-packages/cmeel.prefix/include/pinocchio")):
        print(f"bench: fetching the peers into {folder}", file=sys.stderr)
        run([sys.executable, "-m", "venv", "--clear", str(folder)], "making a virtual environment")
        run([str(folder / "bin/pip"), "install", "-q", "pin", "mujoco"], "pip install pin mujoco")
    found = list(folder.glob("lib/python*/site-packages"))
    if not found or not (found[0] / "cmeel.prefix/include/pinocchio").is_dir():
        raise PeerError(f"{folder}: the wheels of pin brought no headers; remove the folder to fetch them again")
    return found[0]


def pinocchio(build):
    """The programs of Pinocchio's rows by name, compiled where what they are made of has changed."""
    prefix = environment() / "cmeel.prefix/include"
    sources = [here / "peers/pinocchio_rows.cpp", here / "serve.hpp", here / "robot.hpp"]
    folders = ["-I", str(here.parent), "-isystem", str(prefix), "-isystem", eigen]
    programs, running = {}, []
    build.mkdir(parents=True, exist_ok=True)
    for name, compiler in compilers.items():
        if not shutil.which(compiler[0]):
            print(f"bench: no {compiler[0]} here; Pinocchio is not built with it", file=sys.stderr)
            continue
        program = programs[f"Pinocchio {name}"] = build / f"pinocchio_{compiler[0]}"
        command = [*compiler, *flags, *folders, str(sources[0]), "-o", str(program)]
        made_of = "\n".join([*command, *(source.read_text() for source in sources)])
        note = program.with_suffix(".made_of")
        if program.exists() and note.exists() and note.read_text() == made_of:
            continue
        print(f"bench: compiling Pinocchio's rows with {compiler[0]}: takes minutes", file=sys.stderr)
        note.unlink(missing_ok=True)
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        running.append((name, process, note, made_of))
    for name, process, note, made_of in running:
        said, _ = process.communicate()
        if process.returncode:
            raise PeerError(f"compiling Pinocchio's rows with {name} failed:\n{said.strip()[:3000]}")
        note.write_text(made_of)
    return programs
