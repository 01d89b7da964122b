"""What is written: whole or not at all, to pipes and full disks too; and colors only where seen."""
import os
import pathlib
import pty
import subprocess
import unittest

from program import InFolder, program, top


class Files(InFolder):
    def test_conversion_keeps_the_answers(self):
        before = self.json("eval", "arm.urdf", "mass_matrix", "bias", "--q", "0.3,0.2", "--v", "1,2")
        self.done("convert", "arm.urdf", "arm.toml")
        self.done("convert", "arm.toml", "back.urdf")
        for file in "arm.toml", "back.urdf":
            after = self.json("eval", file, "mass_matrix", "bias", "--q", "0.3,0.2", "--v", "1,2")
            self.assertEqual(after["answers"], before["answers"])

    def test_conversion_reports_what_is_lost_and_goes_to_stdout(self):
        answer = self.done("convert", "@pendulum", "-", "--to", "urdf")
        self.assertIn("<robot name=\"pendulum\">", answer.out)
        self.assertRegex(answer.err, "@pendulum:.*: warning: parameter 'length' is not kept")
        toml = self.done("convert", "arm.urdf", "-", "--to", "toml", "--gravity", "0,0,-1.62")
        self.assertIn("gravity = [0, 0, -1.62]\n", toml.out)

    def test_a_file_that_is_there_is_left_alone(self):
        before = (self.folder / "loop.toml").read_text()
        answer = self.trammel("convert", "arm.urdf", "loop.toml")
        self.assertEqual((answer.code, answer.err),
                         (1, "trammel: loop.toml is there already; add --force to overwrite it\n"))
        self.assertEqual((self.folder / "loop.toml").read_text(), before)
        self.done("convert", "arm.urdf", "loop.toml", "--force")
        self.assertNotEqual((self.folder / "loop.toml").read_text(), before)
        self.assertEqual(os.stat(self.folder / "loop.toml").st_mode & 0o111, 0)

    def test_what_cannot_be_written_leaves_nothing_behind(self):
        before = sorted(self.folder.iterdir())
        for out in "nowhere/arm.toml", "/dev/full":
            answer = self.trammel("convert", "arm.urdf", out, "--to", "toml")
            self.assertEqual(answer.code, 1)
            self.assertTrue(answer.err.startswith(f"trammel: {out} could not be written: "))
        self.assertEqual(self.trammel("convert", "wrong.toml", "out.urdf").code, 1)
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_tables_become_models(self):
        table = top / "models/tables/puma_560.csv"
        text = self.done("generate", "dh", table).out
        self.done("generate", "dh", table, "-o", "puma.toml")
        self.assertEqual((self.folder / "puma.toml").read_text(), text)
        self.assertEqual(self.json("info", "puma.toml")["nq"], 6)
        (self.folder / "bad.csv").write_text("theta, d, a, alpha, mas\n0, 0, 0, 0, 1\n")
        answer = self.trammel("generate", "dh", "bad.csv", "-o", "bad.toml")
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertRegex(answer.err, r"\Abad\.csv:1:21: ")
        self.assertFalse((self.folder / "bad.toml").exists())

    def test_examples_are_listed_printed_and_copied(self):
        source = (top / "models/robots/pendulum.toml").read_text()
        self.assertRegex(self.done("examples").out, r"(?m)^  @pendulum +\S")
        self.assertEqual(self.done("examples", "pendulum").out, source)
        self.assertEqual(self.done("examples", "@pendulum").out, source)
        self.done("examples", "pendulum", "--copy")
        self.assertEqual((self.folder / "pendulum.toml").read_text(), source)
        self.assertEqual(self.trammel("examples", "pendulum", "--copy").code, 1)
        self.done("examples", "pendulum", "-o", "mine.toml")
        self.assertEqual(self.done("check", "-q", "mine.toml").out, "")
        listed = {entry["name"] for entry in self.json("examples")["examples"]}
        self.assertEqual(listed, {path.stem for path in (top / "models").rglob("*.toml")})

    def test_plain_names_of_examples_are_listed_and_accepted(self):
        entries = {entry["name"]: entry["plain_name"] for entry in self.json("examples")["examples"]}
        self.assertEqual((entries["s_t11"], entries["pendulum"]), ("rolling_disk", None))
        plain = [name for name in entries.values() if name]
        self.assertEqual(len({*entries, *plain}), len(entries) + len(plain), "every name stands for one model")
        self.assertRegex(self.done("examples").out, r"(?m)^  @rolling_disk +S-T11: .*\(@s_t11\)$")
        source = (top / "models/reference/saha/s_t11.toml").read_text()
        self.assertEqual(self.done("examples", "rolling_disk").out, source)
        self.assertEqual(self.done("eval", "@rolling_disk", "energy").out, self.done("eval", "@s_t11", "energy").out)
        self.assertIn("did you mean 'rolling_disk'?", self.trammel("examples", "rolling_disc").err)
        (self.folder / "disk.toml").write_text('trammel = 1\nname = "disk"\n[include.disk]\nfile = "@rolling_disk"\n')
        self.done("check", "disk.toml")

    def test_examples_are_listed_by_topic(self):
        everything = self.done("examples").out
        self.assertEqual(len(self.json("examples")["examples"]), everything.count("\n  @"))  # each once, below its main topic
        loops = self.done("examples", "--topic", "loops").out
        self.assertTrue(loops.startswith("loops\n"), loops)
        self.assertRegex(loops, r"(?m)^  @slider_crank ")
        self.assertRegex(loops, r"(?m)^  @excavator ")  # its main topic is arms
        self.assertNotIn("@pendulum", loops)
        listed = {entry["name"] for entry in self.json("examples", "--topic", "loops")["examples"]}
        self.assertEqual(len(listed), loops.count("\n  @"))
        refused = self.trammel("examples", "--topic", "lops")
        self.assertEqual((refused.code, "did you mean 'loops'?" in refused.err), (2, True))
        refused = self.trammel("examples", "--topic", "submarines")
        self.assertEqual((refused.code, "topics are basics, arms" in refused.err), (2, True))
        self.assertEqual(self.trammel("examples", "pendulum", "--topic", "loops").code, 2)
        for other, name in (("stewart", "stewart_platform"), ("delta", "delta_robot"), ("mecanum", "s_t08")):
            self.assertEqual(self.done("examples", other).out, self.done("examples", name).out)

    def test_a_full_disk_is_reported(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([program, "info", "arm.urdf"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr),
                         (1, "trammel: the answer could not be written: No space left on device\n"))

    def test_a_reader_that_leaves_is_no_crash(self):
        done = subprocess.run(["bash", "-c", f"'{program}' --help-all | true; echo ${{PIPESTATUS[0]}}"],
                              capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr), ("0\n", ""))
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run([program, "--help-all"], stdout=writing, stderr=subprocess.PIPE, text=True)
        os.close(writing)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class Color(InFolder):
    def on_terminal(self, *words, **env):
        """What a terminal would get, both streams together."""
        leader, follower = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", **env}
        environment = {key: value for key, value in environment.items() if value is not None}
        child = subprocess.Popen([program, *words], cwd=self.folder, stdout=follower, stderr=follower, env=environment)
        os.close(follower)
        text = b""
        while True:
            try:
                piece = os.read(leader, 4096)
            except OSError:
                break
            if not piece:
                break
            text += piece
        child.wait()
        os.close(leader)
        return text.decode()

    def test_color_is_for_terminals(self):
        colored = self.on_terminal("check", "wrong.toml", NO_COLOR=None)
        self.assertIn("\033[1;31merror:\033[0m body 'crank' has mass -1\r\n  \033[36mhint:\033[0m a mass is zero or more", colored)
        self.assertIn("\033[1m", self.on_terminal("info", "arm.urdf", NO_COLOR=None))
        self.assertNotIn("\033", self.on_terminal("check", "wrong.toml", NO_COLOR="1"))
        self.assertNotIn("\033", self.on_terminal("check", "wrong.toml", NO_COLOR=None, TERM="dumb"))
        self.assertNotIn("\033", self.on_terminal("check", "wrong.toml", "--color", "never", NO_COLOR=None))
        self.assertNotIn("\033", self.trammel("check", "wrong.toml").out)
        self.assertIn("\033[1;31m", self.trammel("check", "wrong.toml", "--color", "always").out)
        self.assertIn("\033[1;31mtrammel:", self.trammel("eval", "arm.urdf", "energ", "--color", "always").err)

    def test_colors_take_nothing_from_the_text(self):
        import re
        plain = self.trammel("check", "wrong.toml").out
        colored = self.trammel("check", "wrong.toml", "--color", "always").out
        self.assertEqual(re.sub("\033\\[[0-9;]*m", "", colored), plain)


class ManPage(unittest.TestCase):
    def test_the_man_page_has_every_command(self):
        page = os.environ.get("TRAMMEL_MAN_PAGE", "")
        if not page:
            self.skipTest("built without help2man")
        text = pathlib.Path(page).read_text()
        self.assertIn('.TH TRAMMEL "1"', text)
        for name in "check", "info", "eval", "convert", "generate", "examples", "completion":
            self.assertIn(f'.SH "TRAMMEL {name.upper()}"', text)


if __name__ == "__main__":
    unittest.main()
