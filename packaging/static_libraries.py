#!/usr/bin/env python3
"""Builds the libraries that a wheel contains, as static position-independent archives, from Debian's source packages.

    packaging/static_libraries.py PREFIX

A wheel must run where none of Debian's libraries are installed, and Debian's archives are made for programs, not for Python
modules. HDF5 and the HTTP server are built without network drivers, encryption and compression by other libraries than zlib.
A library that PREFIX has already is not built again, nor is its version looked up: remove PREFIX for newer ones.
"""
import os
import pathlib
import shutil
import subprocess
import sys

# source package: (what it must leave in PREFIX, options of its CMake, or of its script `configure`)
LIBRARIES = {
    "fmtlib": ("lib/libfmt.a", ["-DFMT_DOC=OFF", "-DFMT_TEST=OFF"]),
    "tinyxml2": ("lib/libtinyxml2.a", ["-Dtinyxml2_BUILD_TESTING=OFF", "-DBUILD_TESTING=OFF"]),
    "cpp-httplib": ("lib/libhttplib.a", ["-DHTTPLIB_COMPILE=ON", "-DHTTPLIB_USE_OPENSSL_IF_AVAILABLE=OFF",
                                             "-DHTTPLIB_USE_ZLIB_IF_AVAILABLE=OFF", "-DHTTPLIB_USE_BROTLI_IF_AVAILABLE=OFF"]),
    "sundials": ("lib/libsundials_cvode.a", ["-DEXAMPLES_ENABLE_C=OFF", "-DEXAMPLES_ENABLE_CXX=OFF", "-DEXAMPLES_INSTALL=OFF",
                                             "-DBUILD_ARKODE=OFF", "-DBUILD_CVODES=OFF", "-DBUILD_IDA=OFF", "-DBUILD_IDAS=OFF",
                                             "-DBUILD_KINSOL=OFF", "-DBUILD_STATIC_LIBS=ON"]),
    "hdf5": ("lib/libhdf5.a", ["--disable-hl", "--disable-tests", "--disable-tools", "--without-szlib", "--with-zlib"]),
}


def run(*command, **more):
    """Runs a command; its output is shown only if it fails."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **more)
    if done.returncode:
        sys.exit(f"{done.stdout[-3000:]}\nstatic_libraries: '{' '.join(map(str, command))}' failed (exit code {done.returncode})")
    return done.stdout


def of_sources(text, suffix):
    """A list of package sources as one of source packages, in Debian's new form (.sources) or the old one (.list)."""
    if suffix == ".sources":
        return text.replace("Types: deb\n", "Types: deb-src\n")
    lines = [line.replace("deb ", "deb-src ", 1) for line in text.splitlines() if line.startswith("deb ")]
    return "\n".join([*lines, ""])


def with_sources(folder):
    """Options for apt-get to read the source lists of this machine's distribution, in a folder of their own."""
    parts = folder / "parts"
    shutil.rmtree(parts, ignore_errors=True)
    for path in (parts, folder / "lists/partial", folder / "cache/archives/partial"):
        path.mkdir(parents=True, exist_ok=True)
    for path in [pathlib.Path("/etc/apt/sources.list"), *pathlib.Path("/etc/apt/sources.list.d").glob("*.*")]:
        if path.suffix in (".sources", ".list") and path.exists():
            (parts / path.name).write_text(of_sources(path.read_text(), path.suffix))
    options = ["Dir::Etc::SourceList=/dev/null", f"Dir::Etc::SourceParts={parts}", f"Dir::State::Lists={folder / 'lists'}",
               f"Dir::Cache={folder / 'cache'}", "APT::Sandbox::User="]
    return [word for option in options for word in ("-o", option)]


def build(name, prefix, folder, apt):
    """Fetches, builds and installs one library."""
    made, options = LIBRARIES[name]
    source = folder / name
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir()
    run("apt-get", *apt, "source", name, cwd=source)
    unpacked, = (path for path in source.iterdir() if (path / "debian/changelog").is_file())
    version = (unpacked / "debian/changelog").read_text().split(")", 1)[0].split("(", 1)[1]
    if name == "hdf5":  # its CMake needs a file that Debian's archive lacks
        run("./configure", f"--prefix={prefix}", "--disable-shared", "--enable-static", "--with-pic", *options, cwd=unpacked)
        run("make", "-C", "src", "-j", os.cpu_count(), "install", cwd=unpacked)
    else:
        run("cmake", "-S", unpacked, "-B", source / "build", "-G", "Ninja", f"-DCMAKE_INSTALL_PREFIX={prefix}",
            "-DCMAKE_INSTALL_LIBDIR=lib", "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=OFF",
            "-DCMAKE_POSITION_INDEPENDENT_CODE=ON", *options)
        run("cmake", "--build", source / "build", "-j", os.cpu_count())
        run("cmake", "--install", source / "build")
    if not (prefix / made).exists():
        sys.exit(f"static_libraries: {name} {version} did not install {made}")
    (prefix / f"{name}.version").write_text(version)  # last: from now on it is complete
    shutil.rmtree(source)
    return f"{name} {version}: built"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if not shutil.which("apt-get"):
        sys.exit("static_libraries: needs Debian's apt-get; elsewhere build the libraries yourself and set CMAKE_PREFIX_PATH")
    prefix = pathlib.Path(sys.argv[1]).resolve()
    missing = [name for name in LIBRARIES if not (prefix / f"{name}.version").exists()]
    if not missing:
        return
    folder = prefix / "sources"
    folder.mkdir(parents=True, exist_ok=True)
    apt = with_sources(folder)
    run("apt-get", *apt, "update")
    for name in missing:
        print(build(name, prefix, folder, apt), file=sys.stderr)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
