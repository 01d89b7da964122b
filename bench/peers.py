"""The peers: from PyPI's wheels in a virtual environment Pinocchio's headers, compiled here, MuJoCo's library,
Exudyn and Drake; and Simbody, Debian's library.

Never Pinocchio's prebuilt library: with -march=native Eigen's alignment differs from the one it was built
with.
"""
import os
import pathlib
import shutil
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
eigen = "/usr/include/eigen3"
# our own options that help it too; its vectorization inside a body makes it faster, so that stays
flags = ["-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-fno-math-errno", "-fno-trapping-math", "-w",
         # as in its CMake package: its list of joint types is long
         "-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
         "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DBOOST_FUSION_INVOKE_MAX_ARITY=12"]
compilers = {"clang": ["clang++", "-ffp-contract=fast"], "g++": ["g++"]}


class PeerError(Exception):
    """A peer is not available; the message is the reason."""


def cache():
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "trammel/peers"


def run(command, what):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise PeerError(f"{what} failed:\n{done.stdout.strip()[-2000:]}")


def environment():
    """The virtual environment with the wheels; made if it is missing."""
    folder = cache()
    if not list(folder.glob("lib/python*/site-packages/cmeel.prefix/include/pinocchio")):
        print(f"bench: fetching the peers into {folder}", file=sys.stderr)
        run([sys.executable, "-m", "venv", "--clear", str(folder)], "making a virtual environment")
        run([str(folder / "bin/pip"), "install", "-q", "pin", "mujoco"], "pip install pin mujoco")
    found = list(folder.glob("lib/python*/site-packages"))
    if not found or not (found[0] / "cmeel.prefix/include/pinocchio").is_dir():
        raise PeerError(f"{folder}: the wheels of pin brought no headers; remove the folder to fetch them again")
    return found[0]


class Recipe:
    """A program to compile; compiled again when the command or a source has changed."""

    def __init__(self, program, source, command):
        sources = [here / "peers" / source, here / "serve.hpp", here / "robot.hpp"]
        self.program = program
        before, after = command
        self._command = [*before, "-I", str(here.parent), str(sources[0]), *after, "-o", str(program)]
        self._made_of = "\n".join([*self._command, *(file.read_text() for file in sources)])
        self._note = program.with_suffix(".made_of")
        self._process = None

    def start(self):
        if self.program.exists() and self._note.exists() and self._note.read_text() == self._made_of:
            return
        print(f"bench: compiling {self.program.name}" + ("; it takes minutes" if "pinocchio" in self.program.name else ""), file=sys.stderr)
        self._note.unlink(missing_ok=True)
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def finish(self):
        if self._process:
            output, _ = self._process.communicate()
            if self._process.returncode:
                raise PeerError(f"compiling {self.program.name} failed:\n{output.strip()[:3000]}")
            self._note.write_text(self._made_of)


def compiled(recipes):
    """The programs of recipes by name; missing ones are compiled in parallel."""
    for recipe in recipes.values():
        recipe.start()
    for recipe in recipes.values():
        recipe.finish()
    return {name: recipe.program for name, recipe in recipes.items()}


def recipes_of_wheels(build, compilers):
    packages, recipes = environment(), {}
    build.mkdir(parents=True, exist_ok=True)
    for name, compiler in compilers.items():
        if not shutil.which(compiler[0]):
            print(f"bench: no {compiler[0]} here; Pinocchio is not built with it", file=sys.stderr)
            continue
        folders = ["-isystem", str(packages / "cmeel.prefix/include"), "-isystem", eigen]
        recipes[f"Pinocchio {name}"] = Recipe(build / f"pinocchio_{compiler[0]}", "pinocchio_rows.cpp",
                                              ([*compiler, *flags, *folders], []))
    for library in (packages / "mujoco").glob("libmujoco.so.*"):
        link = ["-isystem", str(library.parent / "include"), "-Wl,--no-as-needed", str(library),
                f"-Wl,-rpath,{library.parent}"]
        recipes["MuJoCo"] = Recipe(build / "mujoco", "mujoco_rows.cpp", (["g++", "-std=c++17", "-O3", *link], []))
    return recipes


def programs(build):
    """The programs of ./dev bench by name."""
    return compiled(recipes_of_wheels(build, compilers))


def simbody(build):
    """Recipe of Simbody's program. NDEBUG changes the layout of its classes; Debian's library is built without
    it."""
    if not shutil.which("pkg-config"):
        raise PeerError("no pkg-config here, to find Simbody with")
    found = subprocess.run(["pkg-config", "--cflags-only-I", "simbody"], stdout=subprocess.PIPE, text=True)
    if found.returncode:
        raise PeerError("Simbody is not here: Debian's package is libsimbody-dev")
    libraries = ["-lSimTKsimbody", "-lSimTKmath", "-lSimTKcommon"]
    return Recipe(build / "simbody", "simbody_rows.cpp", (["g++", "-std=c++17", "-O3", "-w", *found.stdout.split()], libraries))


def in_python(package):
    """The command of a program in Python; its package is fetched if it is missing."""
    packages, folder = environment(), cache()
    if not list(packages.glob(f"{package}-*.dist-info")):
        print(f"bench: fetching {package} into {folder}", file=sys.stderr)
        run([str(folder / "bin/pip"), "install", "-q", package], f"pip install {package}")
    return [str(folder / "bin/python"), "-B", str(here / f"peers/{package}_rows.py")]


def closed_programs(build, is_wanted):
    """The commands of the programs that know closed mechanisms, by name: those of Pinocchio (by the first compiler
    that is here), MuJoCo, Simbody, Exudyn and Drake that are wanted. Peers that are not available are left out, with
    the reason on stderr."""
    first = next((name for name, compiler in compilers.items() if shutil.which(compiler[0])), None)

    def of_wheel(name):
        recipes = recipes_of_wheels(build, {first: compilers[first]} if name == "Pinocchio" and first else {})
        recipe = next((recipe for long_name, recipe in recipes.items() if long_name.startswith(name)), None)
        if recipe is None:
            raise PeerError("its wheel, or a compiler, is missing")
        return [str(compiled({name: recipe})[name])]

    makers = {"Pinocchio": of_wheel, "MuJoCo": of_wheel,
              "Simbody": lambda name: [str(compiled({name: simbody(build)})[name])],
              "Exudyn": lambda name: in_python("exudyn"), "Drake": lambda name: in_python("drake")}
    found = {}
    for name, make in makers.items():
        try:
            if is_wanted(name):
                found[name] = make(name)
        except PeerError as reason:
            print(f"bench: without {name}: {reason}", file=sys.stderr)
    return found
