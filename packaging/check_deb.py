#!/usr/bin/env python3
"""Installs Debian packages of Trammel in a chroot, uses them and removes them; needs root (exit code 77 without).

    packaging/check_deb.py PACKAGE.deb...

The chroot is a minimal Debian by debootstrap, of the release and the mirror of this machine, kept as an archive in the cache.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "trammel"
COMPILER = ["g++", "cmake", "make", "pkg-config"]
PLACE = "/srv/check"  # of our files in the chroot
# files that apt-get and dpkg keep about their own work
OWN_FILES = re.compile(r"/(var/(lib/(apt|dpkg|systemd)|cache|log)|srv|tmp|etc/ld\.so\.cache|dev|proc)(/|$)")


def run(*command, **more):
    """Runs a command and returns its output; ends this program with what it printed if it fails."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)
    if done.returncode:
        sys.exit(f"{done.stdout[-6000:]}\ndeb: '{' '.join(map(str, command))}' failed (exit code {done.returncode})")
    return done.stdout


def fail(text):
    sys.exit(f"deb: {text}")


def release_and_mirror():
    """The name of this machine's Debian release, and the archive from which apt-get takes it."""
    release = re.search(r"^VERSION_CODENAME=(\w+)", pathlib.Path("/etc/os-release").read_text(), re.M)[1]
    for line in run("apt-get", "indextargets", "--format", "$(CREATED_BY) $(RELEASE) $(SITE)").splitlines():
        created_by, suite, site = line.split()[:3]
        if created_by == "Packages" and suite == release:
            return release, site
    return fail(f"apt-get on this machine has no source of the release {release}")


def new_chroot(place):
    """Unpacks the minimal system into a folder; made by debootstrap the first time."""
    release, mirror = release_and_mirror()
    archive = CACHE / f"debian-{release}.tar"
    if not archive.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        run("debootstrap", "--variant=minbase", release, place / "made", mirror)
        run("tar", "-cf", archive.with_suffix(".part"), "-C", place / "made", ".")
        archive.with_suffix(".part").rename(archive)
        shutil.rmtree(place / "made")
    system = place / "system"
    system.mkdir()
    run("tar", "-xf", archive, "-C", system)
    shutil.copy("/etc/resolv.conf", system / "etc/resolv.conf")
    settings = [line for line in run("apt-config", "dump").splitlines() if re.match(r"Acquire::(https?::|Check-Valid|Retries)", line)]
    settings += ['APT::Install-Recommends "false";', 'APT::AutoRemove::SuggestsImportant "false";']
    (system / "etc/apt/apt.conf.d/99machine").write_text("\n".join([*settings, ""]))
    return system


class Chroot:
    """Commands in a minimal Debian."""

    def __init__(self, folder):
        self.folder = folder
        proxies = {key: value for key, value in os.environ.items() if key.lower().endswith("_proxy")}
        self.variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", **proxies}

    def run(self, *command):
        return run("chroot", self.folder, *command, env=self.variables)

    def shell(self, script):
        return self.run("/bin/sh", "-ec", script)

    def succeeds(self, script):
        return subprocess.run(["chroot", self.folder, "/bin/sh", "-ec", script], env=self.variables, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False).returncode == 0

    def apt(self, *words):
        return self.run("apt-get", "-q", "-y", *words)

    def files(self):
        paths = (os.path.join(folder, name) for folder, folders, names in os.walk(self.folder) for name in [*folders, *names])
        return {path for path in (path[len(str(self.folder)):] for path in paths) if not OWN_FILES.match(path)}

    def packages(self):
        return set(self.run("dpkg-query", "-W", "-f", "${Package}\n").split())


def check_programs(system):
    """The command line with its man page and completions, and the Python package."""
    printed = system.shell(f"cd {PLACE}; trammel examples pendulum -o my.toml; trammel simulate my.toml --duration 0.1 --quiet -o run.h5 --report run.html;"
                        "trammel simulate @pendulum --duration 0.1 --quiet --method bdf -o bdf.csv;"
                        "trammel eval @pendulum forward_dynamics; test -s run.h5; grep -q '<script' run.html; test -s bdf.csv")
    if not re.search(r"18\.393[78]", printed):
        fail(f"trammel eval prints another result: {printed}")
    for page in ("man/man1/trammel.1.gz", "bash-completion/completions/trammel", "zsh/vendor-completions/_trammel",
                 "fish/vendor_completions.d/trammel.fish", "doc/trammel/copyright"):
        system.shell(f"test -s /usr/share/{page}")
    printed = system.shell(f"cd {PLACE}; python3 -c \"import trammel; m = trammel.load('@pendulum'); print(trammel.__file__, "
                        "trammel.forward_dynamics(m, trammel.neutral_state(m)))\"")
    if "/usr/lib/python3/dist-packages/trammel" not in printed or "18.39375" not in printed:
        fail(f"python3-trammel prints another result: {printed}")


def check_consumer(system, install):
    """A C++ program is compiled against libtrammel-dev, by CMake and by pkg-config; without it neither finds Trammel."""
    shutil.copytree(ROOT / "tests/package/install/consumer", system.folder / PLACE[1:] / "consumer")
    configure = f"cd {PLACE}/consumer; cmake -B build"
    by_hand = f"cd {PLACE}/consumer; g++ -std=c++20 main.cpp $(pkg-config --cflags --libs trammel) -o by-hand"
    if system.succeeds(configure) or system.succeeds(by_hand):
        fail("a C++ program finds Trammel without libtrammel-dev")
    install("libtrammel-dev")
    shutil.rmtree(system.folder / PLACE[1:] / "consumer/build")
    system.shell(f"{configure}; cmake --build build; build/consumer")
    system.shell(f"{by_hand}; ./by-hand")
    include = system.shell("realpath $(pkg-config --variable=includedir trammel)").strip()
    if include != "/usr/include":
        fail(f"pkg-config says that the headers are in {include}")


def main():
    packages = {run("dpkg-deb", "--field", path, "Package").strip(): pathlib.Path(path) for path in sys.argv[1:]}
    if os.geteuid() != 0:
        print("deb: a chroot needs root: not checked")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        system = Chroot(new_chroot(pathlib.Path(folder)))
        (system.folder / PLACE[1:]).mkdir(parents=True)
        system.apt("update")

        def install(*names):
            for name in names:
                shutil.copy(packages[name], system.folder / PLACE[1:] / f"{name}.deb")
            system.apt("install", *(f"{PLACE}/{name}.deb" for name in names))

        files, installed = system.files(), system.packages()
        install("trammel", "python3-trammel")
        check_programs(system)
        print(f"trammel, python3-trammel: installed with {len(system.packages() - installed) - 2} packages, used", flush=True)
        system.apt("purge", "--autoremove", "trammel", "python3-trammel")
        if left := [*system.packages() - installed, *system.files() - files]:
            fail(f"removed, the packages leave {sorted(left)[:10]}")
        print("removed: the files of the system are those of before")

        system.apt("install", *COMPILER)
        check_consumer(system, install)
        system.apt("purge", "libtrammel-dev")
        if left := {path for path in system.files() if "trammel" in path}:
            fail(f"removed, libtrammel-dev leaves {sorted(left)[:10]}")
        print("libtrammel-dev: consumers by CMake and pkg-config built and run, not without it; removed")


if __name__ == "__main__":
    main()
