"""Files that are none: devices, pipes, folders, links; and files that are named twice."""
import json
import os
import pathlib
import shutil
import subprocess
import unittest

from program import InFolder, program

quick = ["@pendulum", "--duration", "0.1"]


class HostileText(InFolder):
    def test_nested_lists_of_a_state_take_no_stack(self):
        deep = "[" * 200000 + "]" * 200000
        for text in f'{{"position": {{"pivot": {deep}}}}}', f'{{"state": {{"position": {deep}}}}}', f'{{"state": {deep}}}', deep:
            (self.folder / "deep.json").write_text(text)
            answer = self.trammel("eval", "@pendulum", "energy", "--state", "deep.json")
            self.assertEqual((answer.code, answer.out), (1, ""), text[:30])
            self.assertIn("deep.json: error: ", answer.err)

    def test_names_of_files_need_not_be_utf8(self):
        path = os.path.join(os.fsencode(self.folder), b"arm\xff.toml")
        shutil.copy(self.folder / "loop.toml", path)
        for words in ["check"], ["info"], ["eval", "energy"], ["simulate", "--duration", "0.1"]:
            done = subprocess.run([program, words[0], path, *words[1:], "--json"], cwd=self.folder, capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            json.loads(done.stdout.decode())

    def test_a_name_that_only_resembles_utf8_is_refused(self):
        (self.folder / "surrogate.urdf").write_bytes(b'<robot name="\xed\xa0\x80"><link name="a"/></robot>\n')
        answer = self.trammel("info", "surrogate.urdf", "--json")
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertIn("surrogate.urdf:1:14: error: byte 0xed is not text", answer.err)


class NoRegularFiles(InFolder):
    """Read in bounded time and memory: the time limit of `trammel` (60 s) is the test."""

    def setUp(self):
        super().setUp()
        for name in "pipe.html", "pipe.journal", "pipe.csv":
            os.mkfifo(self.folder / name)
        for name in "folder.html", "folder.journal", "folder.csv":
            (self.folder / name).mkdir()
        for ending in "html", "journal", "csv":
            os.symlink("/dev/zero", self.folder / f"zero.{ending}")

    def commands(self, name):
        return [["view", f"{name}.html"], ["recover", f"{name}.journal", "-o", "out.csv"], ["plot", f"{name}.csv"]]

    def refused(self, name, fact):
        for words in self.commands(name):
            answer = self.trammel(*words)
            self.assertEqual((answer.code, answer.out), (1, ""), words)
            self.assertIn(f"{words[1]}: ", answer.err)
            self.assertIn(fact, answer.err)

    def test_devices_pipes_and_folders_are_refused_at_once(self):
        self.refused("zero", "this is not a regular file")
        self.refused("pipe", "this is not a regular file")
        self.refused("folder", "this is a folder")
        self.refused("nothing", "there is no such file")

    def test_files_of_the_kernel_that_state_no_size_are_read_within_bounds(self):
        (self.folder / "status.html").symlink_to("/proc/self/status")  # text: a valid, if poor, page
        for source in "/proc/self/mem", "/proc/kmsg", "/proc/kcore":
            if not pathlib.Path(source).exists():
                continue
            for ending, command in (("html", "view"), ("journal", "recover"), ("csv", "plot")):
                link = self.folder / f"kernel.{ending}"
                link.unlink(missing_ok=True)
                link.symlink_to(source)
                more = ["-o", "out.csv"] if command == "recover" else []
                answer = self.trammel(command, link.name, *more)
                self.assertEqual((answer.code, answer.out), (1, ""), (source, command))
        (self.folder / "model.toml").symlink_to("/proc/kmsg")
        self.assertEqual(self.trammel("check", "model.toml").code, 1)

    def test_a_large_file_of_another_kind_is_refused_by_its_beginning(self):
        with open(self.folder / "hole.csv", "wb") as hole:
            hole.truncate(40 << 30)  # a sparse file: takes no disk space
        os.link(self.folder / "hole.csv", self.folder / "hole.html")
        os.link(self.folder / "hole.csv", self.folder / "hole.journal")
        self.assertIn("is no run: neither HDF5 nor text", self.trammel("plot", "hole.csv").err)
        self.assertIn("this is no page: it is not text", self.trammel("view", "hole.html").err)
        self.assertIn("is no journal", self.trammel("recover", "hole.journal").err)

    def test_a_device_is_no_journal_and_stays(self):
        os.mkfifo(self.folder / "pipe")
        for force in [], ["--force"]:
            answer = self.trammel("simulate", *quick, "--journal", "pipe", *force)
            self.assertEqual((answer.code, answer.out), (1, ""))
            self.assertIn("pipe is there already and is no journal: it is left alone", answer.err)
        self.assertTrue((self.folder / "pipe").is_fifo())


class NamedTwice(InFolder):
    def refused(self, *words):
        before = {file: file.read_bytes() for file in self.folder.iterdir() if file.is_file()}
        # so long that only a refusal at the start ends in time
        answer = self.trammel("simulate", *words, "--duration", "1e7", "--force")
        self.assertEqual((answer.code, answer.out), (2, ""), answer.err)
        self.assertEqual({file: file.read_bytes() for file in self.folder.iterdir() if file.is_file()}, before)
        return answer.err

    def links(self, to, *names):
        """Names whose endings are written, for a file that has another."""
        for name in names:
            (self.folder / name).symlink_to(to)

    def test_one_file_for_two_things_is_refused_at_the_start(self):
        (self.folder / "old.csv").write_text("mine")
        self.links("old.csv", "old.html")
        self.links("loop.toml", "model.csv", "model.html")
        self.assertEqual(self.refused("@pendulum", "-o", "a.csv", "-o", "a.csv"),
                         "trammel: -o and -o are the same file: a.csv\n  hint: name another file for one of them\n")
        self.assertIn("-o old.csv and --report old.html are the same file",
                      self.refused("@pendulum", "-o", "old.csv", "--report", "old.html"))
        self.assertIn("-o and the journal are the same file: a.csv", self.refused("@pendulum", "-o", "a.csv", "--journal", "a.csv"))
        self.assertIn("-o a.csv and -o ./a.csv are the same file", self.refused("@pendulum", "-o", "a.csv", "-o", "./a.csv"))
        self.assertIn("-o and -o are the same file: -", self.refused("@pendulum", "-o", "-", "-o", "-"))
        self.assertIn("-o model.csv and the model loop.toml are the same file", self.refused("loop.toml", "-o", "model.csv"))
        self.assertIn("--report model.html and the model loop.toml", self.refused("loop.toml", "--report", "model.html"))

    def test_links_do_not_hide_it(self):
        (self.folder / "there").mkdir()
        (self.folder / "link.csv").symlink_to("a.csv")
        (self.folder / "a.csv").write_text("mine")
        (self.folder / "here").symlink_to("there")
        self.assertIn("-o a.csv and -o link.csv are the same file", self.refused("@pendulum", "-o", "a.csv", "-o", "link.csv"))
        self.assertIn("are the same file", self.refused("@pendulum", "-o", "there/a.csv", "-o", "here/a.csv"))

    def test_other_commands_too(self):
        self.done("simulate", *quick, "-o", "run.csv", "--journal", "kept.csv")
        self.links("run.csv", "run.svg", "run.html")
        self.links("loop.toml", "model.csv", "model.svg")
        for words in (["recover", "kept.csv", "-o", "kept.csv"], ["plot", "run.csv", "-o", "run.svg"],
                      ["linearize", "loop.toml", "-o", "run.csv", "--report", "run.html"],
                      ["snapshot", "loop.toml", "-o", "model.svg"], ["design", "loop.toml", "-o", "model.csv"],
                      ["inverse", "loop.toml", "-o", "model.csv"]):
            answer = self.trammel(*words, "--force")
            self.assertEqual((answer.code, answer.out), (2, ""), words)
            self.assertIn("are the same file", answer.err)

    def test_a_file_that_the_model_includes_is_refused_too(self):
        (self.folder / "wagon.csv").write_text("name, type, x, y, axle [deg], radius, rollers [deg], mass, axial, across, driven\n"
                                              ", platform, 0, 0, , , , 10, 0.3, 0.2,\n"
                                              "left, fixed, -0.2, 0, 0, 0.1, , 0.5, 0.002, 0.001, yes\n"
                                              "right, fixed, 0.2, 0, 0, 0.1, , 0.5, 0.002, 0.001, yes\n")
        (self.folder / "wagon.toml").write_text('trammel = 1\n[include.wagon]\nfile = "wagon.csv"\nprefix = ""\n')
        self.assertEqual(self.refused("wagon.toml", "-o", "wagon.csv"),
                         "trammel: -o and the included file are the same file: wagon.csv\n"
                         "  hint: name another file for one of them\n")

    def test_devices_may_be_named_twice(self):
        self.done("simulate", *quick, "-o", "/dev/null", "-o", "/dev/null")


class Journals(InFolder):
    def test_only_a_journal_is_overwritten_by_a_journal(self):
        before = (self.folder / "loop.toml").read_bytes()
        for force in [], ["--force"], ["--resume"]:
            answer = self.trammel("simulate", "@pendulum", "--journal", "loop.toml", "--duration", "1e7", *force)
            self.assertEqual((answer.code, answer.out), (1, ""))
            self.assertEqual(answer.err, "trammel: loop.toml is there already and is no journal: it is left alone; "
                                         "name another --journal\n")
        self.assertEqual((self.folder / "loop.toml").read_bytes(), before)
        # the one next to -o, too
        (self.folder / "run.csv.journal").write_text("my diary")
        self.assertEqual(self.trammel("simulate", *quick, "-o", "run.csv", "--force").code, 1)
        self.assertEqual((self.folder / "run.csv.journal").read_text(), "my diary")
        self.done("simulate", *quick, "--journal", "run.journal")
        self.done("simulate", *quick, "--journal", "run.journal", "--force")

    def test_another_run_is_named_without_the_words_of_the_system(self):
        run = subprocess.Popen([program, "simulate", "@e_05", "--duration", "1e6", "-o", "run.csv"], cwd=self.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while not (self.folder / "run.csv.journal").exists() and run.poll() is None:
                pass
            answer = self.trammel("simulate", "@e_05", "--duration", "1e6", "-o", "run.csv", "--force")
        finally:
            run.kill()
            run.wait()
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertIn("run.csv.journal: error: is being written by another run\n  hint: ", answer.err)
        self.assertNotIn("Resource", answer.err)


class Links(InFolder):
    def test_a_link_to_nothing_is_refused_at_the_start(self):
        (self.folder / "run.csv").symlink_to("nowhere/a.csv")
        for force in [], ["--force"]:
            answer = self.trammel("simulate", "@pendulum", "--duration", "1e7", "-o", "run.csv", *force)
            self.assertEqual((answer.code, answer.out), (1, ""))
            self.assertEqual(answer.err, "trammel: run.csv is a link to nowhere/a.csv, which is not there; "
                                         "name that file, or remove the link\n")

    def test_a_link_is_followed_by_force(self):
        (self.folder / "there").mkdir()
        (self.folder / "there/real.csv").write_text("old")
        (self.folder / "run.csv").symlink_to("there/real.csv")
        self.assertEqual(self.trammel("simulate", *quick, "-o", "run.csv").code, 1)
        self.done("simulate", *quick, "-o", "run.csv", "--force")
        self.assertTrue((self.folder / "run.csv").is_symlink())
        self.assertTrue((self.folder / "there/real.csv").read_text().startswith("time [s]"))
        self.assertEqual([file.name for file in (self.folder / "there").iterdir()], ["real.csv"])

    def test_a_folder_is_no_file(self):
        (self.folder / "run.csv").mkdir()
        answer = self.trammel("simulate", "@pendulum", "--duration", "1e7", "-o", "run.csv", "--force")
        self.assertEqual((answer.code, answer.err), (1, "trammel: run.csv could not be written: Is a directory\n"))


# calls of the program under test, in order, into the file CALLS
SHIM = r"""
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
static void note(const char* call, const char* what) {
  FILE* file = fopen(getenv("CALLS"), "a");
  fprintf(file, "%s %s\n", call, what);
  fclose(file);
}
extern "C" int fsync(int handle) {
  struct stat facts;
  fstat(handle, &facts);
  note("fsync", S_ISDIR(facts.st_mode) ? "folder" : "file");
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(handle);
}
extern "C" int rename(const char* from, const char* to) {
  note("rename", to);
  return ((int (*)(const char*, const char*))dlsym(RTLD_NEXT, "rename"))(from, to);
}
extern "C" int link(const char* from, const char* to) {
  note("link", to);
  return ((int (*)(const char*, const char*))dlsym(RTLD_NEXT, "link"))(from, to);
}
extern "C" int unlink(const char* path) {
  note("unlink", path);
  return ((int (*)(const char*))dlsym(RTLD_NEXT, "unlink"))(path);
}
"""


@unittest.skipUnless(shutil.which("g++"), "g++ is not here")
class PowerCut(InFolder):
    def calls(self, *words):
        log = self.folder / "calls"
        log.write_text("")
        answer = self.trammel("simulate", *quick, *words, env={"LD_PRELOAD": str(self.folder / "shim.so"), "CALLS": str(log)})
        if "runtime does not come first" in answer.err:
            self.skipTest("a sanitizer wants to be the first library")
        self.assertEqual(answer.code, 0, answer.err)
        return log.read_text().splitlines()

    def test_what_is_written_is_on_the_disk_before_and_after_it_has_its_name(self):
        built = subprocess.run(["g++", "-x", "c++", "-", "-shared", "-fPIC", "-o", "shim.so", "-ldl"], input=SHIM, text=True,
                               cwd=self.folder, capture_output=True)
        self.assertEqual(built.returncode, 0, built.stderr)
        for words, named in (["-o", "run.csv"], "link run.csv"), (["-o", "run.csv", "--force"], "rename run.csv"):
            calls = self.calls(*words)
            if not calls:
                self.skipTest("a library cannot be put before the C library here")
            at = calls.index(named)
            self.assertEqual(calls[at - 1], "fsync file")
            after = calls[at + 1 :]
            gone = next(k for k, call in enumerate(after) if call.startswith("unlink") and call.endswith("run.csv.journal"))
            self.assertIn("fsync folder", after[:gone])


if __name__ == "__main__":
    unittest.main()
