"""Runs that are ended from outside: Ctrl-C, a limit on the clock, a journal that is taken away; and runs that grind."""
import csv
import json
import signal
import subprocess
import time
import unittest

from program import InFolder, program

endless = ["@e_05", "--duration", "5e5", "--sample", "0.5"]
# a damper of 1e9 N m s on some 0.3 kg m^2: explicit methods step by 1e-9 s
stiff = """trammel = 1
name = "stiff"
[body.rod]
mass = 1.0
com = [0.5, 0, 0]
inertia = [0.01, 0.1, 0.1]
[joint.hinge]
type = "revolute"
parent = "ground"
child = "rod"
axis = "y"
spring = { damping = 1e9 }
"""


class Ended(InFolder):
    def start(self, *words):
        return subprocess.Popen([program, "simulate", *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def ended(self, run, by=signal.SIGINT, after=1.0):
        time.sleep(after)
        run.send_signal(by)
        out, err = run.communicate(timeout=60)
        return run.returncode, out, err

    def test_without_a_file_it_says_so_and_ends_with_130(self):
        for by, code in (signal.SIGINT, 130), (signal.SIGTERM, 143):
            ended, out, err = self.ended(self.start(*endless), by)
            self.assertEqual(ended, code, err)
            self.assertRegex(err, r"(?m)^trammel: simulate: stopped at t = \S+ s: interrupted\n  hint: nothing of it is stored: "
                                  r"with -o FILE or --journal FILE")
            self.assertIn("samples", out)  # summary up to there

    def test_view_says_so_too(self):
        run = subprocess.Popen([program, "view", *endless], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        code, out, err = self.ended(run)
        self.assertEqual((code, out), (130, ""), err)
        self.assertRegex(err, r"(?m)^trammel: simulate: stopped at t = \S+ s: interrupted\n  hint: nothing is shown of it$")

    def test_with_a_file_the_journal_is_named(self):
        for by, code in (signal.SIGINT, 130), (signal.SIGTERM, 143):
            run = self.start(*endless, "-o", "run.csv", "--force")
            ended, out, err = self.ended(run, by)
            self.assertEqual((ended, out), (code, ""), err)
            self.assertRegex(err, r"trammel: simulate: stopped at t = \S+ s: interrupted\n  hint: run.csv.journal has all up to "
                                  r"t = \S+ s: add --resume to go on from there, or trammel recover run.csv.journal")
            self.done("recover", "run.csv.journal", "--force")
        self.assertGreater(len((self.folder / "run.csv").read_text().splitlines()), 1)

    def test_what_goes_to_stdout_or_a_page_is_written(self):
        code, out, err = self.ended(self.start(*endless, "-o", "-", "--report", "run.html"), after=2)
        self.assertEqual(code, 130)
        rows = list(csv.reader(out.splitlines()))
        self.assertEqual(rows[0][0], "time [s]")
        self.assertGreater(len(rows), 2)
        self.assertIn("the recording up to there is written", err)
        self.assertIn("</html>", (self.folder / "run.html").read_text())

    def test_a_limit_on_the_clock_ends_a_run_like_that(self):
        for method in "dormand-prince", "radau", "bdf", "rk4":
            words = [*endless, "--method", method, "--step", "0.01", "--wall-limit", "0.5 s", "-o", "run.csv", "--force"]
            begin = time.monotonic()
            answer = self.trammel("simulate", *words)
            self.assertLess(time.monotonic() - begin, 30)  # on a busy machine
            self.assertEqual((answer.code, answer.out), (124, ""), answer.err)
            self.assertRegex(answer.err, r"stopped at t = \S+ s: the limit of 0.5 s of wall-clock time is reached\n"
                                         r"  hint: run.csv.journal has all up to t = \S+ s")
            left = self.json("recover", "run.csv.journal", "--force")
            self.assertFalse(left["is_complete"])
            self.assertGreater(left["samples"], 1)
        # and continues
        answer = self.trammel("simulate", *words[:-1], "--resume", "--force")
        self.assertEqual(answer.code, 124)
        self.assertGreater(self.json("recover", "run.csv.journal", "--force")["samples"], left["samples"])
        # without a file, and in other modes and commands
        self.assertEqual(self.trammel("simulate", *endless, "--wall-limit", "0.2").code, 124)
        self.assertEqual(self.trammel("simulate", "@crank_rocker", "--mode", "kinematic", "--duration", "1e5", "--sample", "0.001",
                                      "--wall-limit", "0.2").code, 124)
        self.assertEqual(self.trammel("snapshot", "@e_05", "--at", "0,1e7", "--wall-limit", "0.2").code, 124)
        answer = self.trammel("simulate", "@pendulum", "--wall-limit", "0")
        self.assertEqual((answer.code, answer.err), (2, "trammel: option --wall-limit is '0'\n  hint: it takes a time above 0\n"))

    def test_a_limit_that_is_not_reached_changes_nothing(self):
        words = ["@double_pendulum", "--duration", "1"]
        free = self.done("simulate", *words, "-o", "-").out
        self.assertEqual(self.done("simulate", *words, "-o", "-", "--wall-limit", "1 h").out, free)

    def test_a_journal_that_is_removed_takes_no_sample_with_it(self):
        words = ["@e_05", "--duration", "30", "--sample", "0.05", "--record", "positions,reactions,power"]
        whole = self.done("simulate", *words, "-o", "-").out
        run = self.start(*words, "-o", "run.csv")
        while not (self.folder / "run.csv.journal").exists():
            self.assertIsNone(run.poll())
        (self.folder / "run.csv.journal").unlink()
        _, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 0, err)
        self.assertEqual((self.folder / "run.csv").read_text(), whole)
        # an interrupted run writes it again
        run = self.start(*endless, "-o", "other.csv")
        while not (self.folder / "other.csv.journal").exists():
            self.assertIsNone(run.poll())
        (self.folder / "other.csv.journal").unlink()
        code, _, err = self.ended(run, after=2.5)
        self.assertEqual(code, 130)
        self.assertIn("warning: the journal was removed while the run goes on", err)
        self.assertIn("other.csv.journal has all up to", err)
        self.done("recover", "other.csv.journal")


class Grinding(InFolder):
    def test_a_run_that_grinds_says_so_once(self):
        (self.folder / "stiff.toml").write_text(stiff)
        words = ["simulate", "stiff.toml", "--duration", "10", "--wall-limit"]
        answer = self.trammel(*words, "6")
        self.assertEqual(answer.code, 124, answer.err)
        self.assertRegex(answer.err, r"(?m)^warning: simulate: steps of [\d.]+e-\d\d s at t = \S+ s: at this pace the rest takes \d+ \w+; "
                                     r"stiff \(a hard spring, damper or gain\)\? try --method radau\. --wall-limit TIME ends")
        self.assertEqual(answer.err.count("at this pace"), 1)
        self.assertNotIn("at this pace", self.trammel(*words, "5", "--quiet").err)
        # the advice works
        self.assertEqual(self.done(*words, "50", "--method", "radau").err, "")


class Steps(InFolder):
    def test_a_step_that_does_not_move_time_is_refused_at_the_start(self):
        for method in "rk4", "dormand-prince", "semi-implicit-euler", "radau":
            for command in "simulate", "snapshot", "view":
                answer = self.trammel(command, "@pendulum", "--step", "1e-300", "--method", method)
                self.assertEqual((answer.code, answer.out), (2, ""))
                self.assertEqual(answer.err, "trammel: option --step is 1e-300 s, which does not move time: t + step = t at t = 10 s. "
                                             "The smallest step that does is 1.8e-15 s; one of 1e-07 s or more (option step) ends "
                                             "within 1e+08 steps\n")
        answer = self.trammel("simulate", "@pendulum", "--step", "1e-9", "--method", "rk4")
        self.assertEqual((answer.code, answer.out), (2, ""))
        self.assertIn("option --step is 1e-09 s: 10 s would take more than 1e+08 steps", answer.err)
        self.assertIn("of 1e-07 s or more", answer.err)

    def test_a_step_of_the_file_is_reported_with_its_place(self):
        (self.folder / "stiff.toml").write_text(stiff + '[run]\nmethod = "rk4"\nstep = 1e-300\n')
        for words in ["check", "stiff.toml"], ["simulate", "stiff.toml"]:
            answer = self.trammel(*words)
            self.assertEqual(answer.code, 1)
            self.assertIn("stiff.toml:15:8: error: the step is 1e-300 s, which does not move time", answer.out + answer.err)
        self.done("simulate", "stiff.toml", "--step", "0.01", "--duration", "0.1", "--method", "radau")


if __name__ == "__main__":
    unittest.main()
