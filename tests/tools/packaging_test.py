"""packaging/: what needs no build. The rest is in ./dev test --package."""
import pathlib
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
import check_deb
import check_wheel
import static_libraries
import wheel


class Wheel(unittest.TestCase):
    def made_of(self, names):
        path = pathlib.Path(tempfile.mkdtemp()) / "trammel.whl"
        self.addCleanup(path.unlink)
        with zipfile.ZipFile(path, "w") as archive:
            for name in names:
                archive.writestr(name, "")
        return path

    notes = [f"trammel-0.1.0.dist-info/licenses/linked/{package}.txt" for package in [*wheel.LINKED, "pybind11"]]
    ours = "trammel-0.1.0.dist-info/licenses/LICENSE"

    def test_with_all_license_notes_it_is_accepted(self):
        wheel.inspect(self.made_of([*self.notes, self.ours, "trammel-0.1.0.dist-info/licenses/linked/"]))

    def test_without_one_of_them_it_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "11 license notes belong into it"):
            wheel.inspect(self.made_of(self.notes))

    def test_with_shared_libraries_it_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "auditwheel added .*libfmt"):
            wheel.inspect(self.made_of([*self.notes, self.ours, "trammel.libs/libfmt.so.9"]))

    def test_libraries_that_are_compiled_have_notes(self):
        names = {package.removeprefix("lib").removesuffix("-dev") for package in wheel.LINKED}
        self.assertLessEqual({name.replace("fmtlib", "fmt") for name in static_libraries.LIBRARIES}, names)

    def test_commands_of_the_readme_are_found_but_not_the_one_that_shows_mistakes(self):
        commands = check_wheel.commands_of(ROOT / "README.md")
        self.assertEqual(commands[0], "trammel examples pendulum -o my.toml")
        self.assertGreaterEqual(len(commands), 5)
        self.assertFalse([line for line in commands if "#" in line or line.startswith("trammel check")])


class SourceLists(unittest.TestCase):
    def test_both_forms_become_lists_of_sources(self):
        sources = static_libraries.of_sources("Types: deb\nURIs: http://mirror/debian\nSuites: bookworm\n", ".sources")
        self.assertEqual(sources.splitlines()[0], "Types: deb-src")
        self.assertEqual(static_libraries.of_sources("# main\ndeb [arch=amd64] http://mirror/debian bookworm main\n", ".list"),
                         "deb-src [arch=amd64] http://mirror/debian bookworm main\n")


class Chroot(unittest.TestCase):
    def test_files_of_apt_do_not_count_as_left_and_those_of_programs_do(self):
        for path in ("/var/lib/dpkg/info/trammel.list", "/var/cache/apt/pkgcache.bin", "/srv/check/my.toml", "/etc/ld.so.cache"):
            self.assertTrue(check_deb.OWN_FILES.match(path), path)
        for path in ("/usr/lib/python3/dist-packages/trammel/__pycache__", "/var/lib/trammel", "/etc/trammel", "/devices"):
            self.assertFalse(check_deb.OWN_FILES.match(path), path)


if __name__ == "__main__":
    unittest.main()
