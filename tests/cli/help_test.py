"""Help is part of the contract: exactly the texts in golden/, two examples a command, and they run."""
import re
import shutil
import subprocess
import os
import unittest

from program import InFolder, here, program, top, trammel

names = ["check", "info", "eval", "simulate", "recover", "inverse", "linearize", "design", "view", "plot", "snapshot", "convert", "generate", "examples", "completion"]


class Help(unittest.TestCase):
    maxDiff = None

    def golden(self, name):
        return (here / "golden" / f"{name}.txt").read_text()

    def test_the_help_of_every_command_is_the_golden_one(self):
        for name in names:
            with self.subTest(name):
                answer = trammel(name, "--help")
                self.assertEqual((answer.code, answer.err), (0, ""))
                self.assertEqual(answer.out, self.golden(name))
                self.assertEqual(trammel(name, "-h").out, answer.out)

    def test_the_program_alone_prints_its_help(self):
        for words in [], ["--help"], ["-h"]:
            answer = trammel(*words)
            self.assertEqual((answer.code, answer.err), (0, ""))
            self.assertEqual(answer.out, self.golden("trammel"))

    def test_no_command_is_without_golden_help(self):
        listed = re.findall(r"^  (\w+)  ", trammel().out.split("Options:")[0], re.M)
        self.assertEqual(listed, names)
        self.assertEqual({path.stem for path in (here / "golden").iterdir()}, {*names, "trammel"})

    def test_a_command_without_arguments_prints_its_help_on_stderr(self):
        for name in set(names) - {"examples"}:
            with self.subTest(name):
                answer = trammel(name)
                self.assertEqual((answer.code, answer.out), (2, ""))
                self.assertEqual(answer.err, self.golden(name))

    def test_all_help_at_once_has_every_command(self):
        text = trammel("--help-all").out
        self.assertTrue(text.startswith(self.golden("trammel")))
        for name in names:
            self.assertIn(f"\n*trammel {name}*\n", text)

    def test_the_version_tells_build_and_instruction_set(self):
        answer = trammel("--version")
        self.assertRegex(answer.out, r"\Atrammel \d+\.\d+\.\d+\nbuild: .+\ninstruction set: \w+, \d+ states side by side\n\Z")
        version = re.search(r"project\(trammel VERSION (\S+)", (top / "CMakeLists.txt").read_text())[1]
        self.assertTrue(answer.out.startswith(f"trammel {version}\n"))


class Examples(InFolder):
    def setUp(self):
        super().setUp()
        for table in "puma_560.csv", "mecanum.csv":
            shutil.copy(top / "models/tables" / table, self.folder)
        shutil.copy(top / "models/robots/six_axis_arm.toml", self.folder / "arm.toml")
        (self.folder / "arm.csv").write_text("name, length, mass\nupper, 0.4, 2\nfore, 0.3, 1\n")
        (self.folder / "wrong.toml").unlink()

    def test_every_command_has_two_examples_and_they_run(self):
        for name in names:
            if name == "recover":  # a killed run leaves only its journal
                (self.folder / "run.csv").unlink()
                self.done("simulate", "@pendulum", "--duration", "0.1", "--journal", "run.csv.journal")
            if name == "convert":  # which writes it
                (self.folder / "arm.toml").unlink()
            examples = re.findall(r"^  (.*)$", trammel(name, "--help").out.split("Examples:\n")[1], re.M)
            self.assertEqual(len(examples), 2, name)
            for line in examples:
                with self.subTest(line):
                    # the home folder of the user is not changed
                    line = line.replace("~/.config/fish/completions/", "")
                    if name == "view":  # it would run until it is ended
                        line += " --for 0.1"
                    done = subprocess.run(["bash", "-c", line], cwd=self.folder, capture_output=True, text=True,
                                          env={**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"})
                    self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_the_gallery_says_to_try_works(self):
        tried = 0
        for file in (top / "models").rglob("*.toml"):
            for line in re.findall(r"^# Try: (trammel .*)$", file.read_text(), re.M):
                tried += 1
                with self.subTest(line):
                    done = subprocess.run(["bash", "-c", line], cwd=self.folder, capture_output=True, text=True,
                                          env={**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"})
                    self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(tried, 0)


if __name__ == "__main__":
    unittest.main()
