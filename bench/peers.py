"""The peers: from PyPI's wheels in a virtual environment Pinocchio's headers, compiled here, MuJoCo's library,
Exudyn and Drake; and Simbody, Debian's library.

Each is fetched and compiled on its own, so that one that fails leaves the others. Never Pinocchio's prebuilt library:
with -march=native Eigen's alignment differs from the one it was built with.
"""
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

here = pathlib.Path(__file__).resolve().parent
eigen = "/usr/include/eigen3"
# our own options that help it too; its vectorization inside a body makes it faster, so that stays
flags = ["-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-fno-math-errno", "-fno-trapping-math", "-w",
         # as in its CMake package: its list of joint types is long
         "-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
         "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DBOOST_FUSION_INVOKE_MAX_ARITY=12"]
# The releases for which the programs were written, and by which the results were compared. Without them in the
# registry the newest one is taken.
releases = {"pin": "4.1.0", "mujoco": "4.0.0", "exudyn": "1.13.6", "drake": "1.51.1"}
packages_of = {"Pinocchio": "pin", "MuJoCo": "mujoco", "Exudyn": "exudyn", "Drake": "drake"}
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
    """The site-packages of the virtual environment; made if it is missing."""
    folder = cache()
    if not (folder / "bin/pip").exists():
        run([sys.executable, "-m", "venv", "--clear", str(folder)], "making a virtual environment")
    found = list(folder.glob("lib/python*/site-packages"))
    if not found:
        raise PeerError(f"{folder}: there are no site-packages; remove the folder to make them again")
    return found[0]


def fetched(package, is_newest=False):
    """The site-packages with a wheel; fetched if it is missing."""
    packages, folder = environment(), cache()
    if is_newest or not list(packages.glob(f"{package}-*.dist-info")):
        print(f"bench: fetching {package} into {folder}", file=sys.stderr)
        download(package, "" if is_newest else f"=={releases[package]}", folder)
    return packages


def download(package, release, folder):
    """Installs a wheel, and keeps the date on which it was built: nothing installed has it."""
    wheels = folder / "wheels"
    get = [str(folder / "bin/pip"), "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", str(wheels)]
    try:
        run([*get, package + release], f"pip download {package + release}")
    except PeerError:
        if not release:
            raise
        print(f"bench: there is no {package}{release} for this machine; trying the newest", file=sys.stderr)
        run([*get, package], f"pip download {package}")
    wheel = max(wheels.glob(f"{package}-*.whl"), key=lambda file: file.stat().st_mtime)
    with zipfile.ZipFile(wheel) as content:
        built = max(entry.date_time[:3] for entry in content.infolist())
    run([str(folder / "bin/pip"), "install", "-q", "--upgrade", str(wheel)], f"pip install {wheel.name}")
    dates = built_on() | {package: datetime.date(*built).isoformat()}
    (folder / "built_on.json").write_text(json.dumps(dates, indent=1) + "\n")
    wheel.unlink()


def built_on():
    """Dates of the installed wheels, by package."""
    stored = cache() / "built_on.json"
    return json.loads(stored.read_text()) if stored.exists() else {}


def date(name):
    """When the installed release of a peer was built, as far as it is known."""
    if name == "Simbody":
        asked = ["dpkg-query", "-W", "-f", "Debian's ${Version}", "libsimbody-dev"]
        if not shutil.which(asked[0]):
            return ""
        return subprocess.run(asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    built = built_on().get(packages_of.get(name))
    return f"wheel of {built}" if built else ""


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


def say_without(name, reason):
    print(f"bench: without {name}: {reason}", file=sys.stderr)


def compiled(recipes, is_without=say_without):
    """The programs of recipes by name; missing ones are compiled in parallel. One that fails is left out, and the
    reason told to `is_without`."""
    programs = {}
    for recipe in recipes.values():
        recipe.start()
    for name, recipe in recipes.items():
        try:
            recipe.finish()
            programs[name] = recipe.program
        except PeerError as reason:
            is_without(name, reason)
    return programs


def pinocchio(build, compiler):
    """Recipe of Pinocchio's program, by a compiler."""
    headers = fetched("pin") / "cmeel.prefix/include"
    if not (headers / "pinocchio").is_dir():
        raise PeerError(f"the wheels of pin brought no headers; remove {cache()} to fetch them again")
    if not shutil.which(compiler[0]):
        raise PeerError(f"no {compiler[0]} here")
    folders = ["-isystem", str(headers), "-isystem", eigen]
    return Recipe(build / f"pinocchio_{compiler[0]}", "pinocchio_rows.cpp", ([*compiler, *flags, *folders], []))


def mujoco(build):
    """Recipe of MuJoCo's program."""
    libraries = list((fetched("mujoco") / "mujoco").glob("libmujoco.so.*"))
    if not libraries:
        raise PeerError(f"the wheels of mujoco brought no library; remove {cache()} to fetch them again")
    link = ["-isystem", str(libraries[0].parent / "include"), "-Wl,--no-as-needed", str(libraries[0]),
            f"-Wl,-rpath,{libraries[0].parent}"]
    return Recipe(build / "mujoco", "mujoco_rows.cpp", (["g++", "-std=c++17", "-O3", *link], []))


def simbody(build):
    """Recipe of Simbody's program. NDEBUG changes the layout of its classes; Debian's library is built without
    it."""
    if not shutil.which("pkg-config"):
        raise PeerError("no pkg-config here, to find Simbody with")
    found = subprocess.run(["pkg-config", "--cflags-only-I", "simbody"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                           text=True)
    if found.returncode:
        raise PeerError("Simbody is not here: Debian's package is libsimbody-dev")
    libraries = ["-lSimTKsimbody", "-lSimTKmath", "-lSimTKcommon"]
    return Recipe(build / "simbody", "simbody_rows.cpp", (["g++", "-std=c++17", "-O3", "-w", *found.stdout.split()], libraries))


def in_python(package):
    """The command of a program in Python."""
    fetched(package)
    return [str(cache() / "bin/python"), "-B", str(here / f"peers/{package}_rows.py")]


def made(makers, is_without=say_without):
    """What the makers by name return; those that fail are left out, as above."""
    found = {}
    for name, make in makers.items():
        try:
            found[name] = make()
        except PeerError as reason:
            is_without(name, reason)
    return found


def programs(build):
    """The programs of ./dev bench by name."""
    build.mkdir(parents=True, exist_ok=True)
    makers = {f"Pinocchio {name}": lambda compiler=compiler: pinocchio(build, compiler)
              for name, compiler in compilers.items()}
    return compiled(made(makers | {"MuJoCo": lambda: mujoco(build)}))


def closed_programs(build, is_wanted, is_newest=False, is_without=say_without):
    """The commands of the programs that know closed mechanisms, by name: those of Pinocchio (by the first compiler
    that is here), Simbody, MuJoCo, Exudyn and Drake that are wanted."""
    build.mkdir(parents=True, exist_ok=True)
    if is_newest:
        made({name: lambda package=package: fetched(package, is_newest)
              for name, package in packages_of.items() if is_wanted(name)})
    first = next((compiler for compiler in compilers.values() if shutil.which(compiler[0])), ["g++"])
    recipes = {"Pinocchio": lambda: pinocchio(build, first), "MuJoCo": lambda: mujoco(build),
               "Simbody": lambda: simbody(build)}
    scripts = {"Exudyn": lambda: in_python("exudyn"), "Drake": lambda: in_python("drake")}
    programs = compiled(made({name: make for name, make in recipes.items() if is_wanted(name)}, is_without), is_without)
    found = {name: [str(program)] for name, program in programs.items()}
    return found | made({name: make for name, make in scripts.items() if is_wanted(name)}, is_without)
