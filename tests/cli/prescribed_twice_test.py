"""The same motion prescribed twice: the efforts sum to that of one drive and are marked as shared; other motions are refused."""
import csv
import math
import unittest

from program import InFolder

# an arm on a duplicated revolute joint; I about the joint is 0.1 + 0.4^2 kg m^2, its weight acts 0.4 m from it
arm = """trammel = 1
name = "arm"
[body.arm]
mass = 1
com = [0.4, 0, 0]
inertia = [0.1, 0.1, 0.1]
[joint.one]
type = "revolute"
parent = "ground"
child = "arm"
axis = "-y"
drive = "motion"
"""
again = arm[arm.index("[joint.one]"):].replace("joint.one", "joint.two") + "cut = true\n"


def ramp(name, joint, to):
    return f"[input.{name}]\njoint = \"{joint}\"\ncubic = {{ to = {to}, over = 1 }}\n"


class PrescribedTwice(InFolder):
    def write(self, name, *parts):
        (self.folder / name).write_text("".join(parts))
        return name

    def columns(self, file, *names):
        lines = [line for line in (self.folder / file).read_text().splitlines() if not line.startswith("#")]
        rows = list(csv.reader(lines))
        head = [name.strip() for name in rows[0]]
        where = [next(k for k, each in enumerate(head) if each == name or each.startswith(name + " ")) for name in names]
        return [[float(row[k]) for k in where] for row in rows[1:]]

    def test_eval_shares_the_effort_and_marks_it(self):
        model = self.write("twice.toml", arm, again)
        answer = self.json("eval", model, "hybrid_dynamics", "--q", "one=0.3", "--a", "one=1.5,two=1.5")["answers"]["hybrid_dynamics"]
        alone = 0.26 * 1.5 + 9.81 * 0.4 * math.cos(0.3)
        self.assertAlmostEqual(answer["acceleration"]["values"][0], 1.5, delta=1e-12)
        self.assertAlmostEqual(answer["effort"]["values"][0], alone / 2, delta=1e-10)
        self.assertAlmostEqual(answer["loop_effort"]["values"][0], alone / 2, delta=1e-10)
        self.assertEqual((answer["effort"]["unique"], answer["loop_effort"]["unique"]), ([False], [False]))
        text = self.done("eval", model, "hybrid_dynamics", "--q", "one=0.3", "--a", "one=1.5,two=1.5").out
        self.assertIn("(chosen)", text)
        # of one drive
        model = self.write("once.toml", arm, again.replace('drive = "motion"\n', ""))
        answer = self.json("eval", model, "hybrid_dynamics", "--q", "one=0.3", "--a", "one=1.5")["answers"]["hybrid_dynamics"]
        self.assertAlmostEqual(answer["effort"]["values"][0], alone, delta=1e-10)
        self.assertEqual(answer["effort"]["unique"], [True])

    def test_runs_share_it_at_every_sample(self):
        model = self.write("twice.toml", arm, again, ramp("a", "one", 1.2), ramp("b", "two", 1.2))
        self.done("simulate", model, "--duration", "1", "--sample", "0.1", "--record", "positions,efforts", "-o", "run.csv")
        rows = self.columns("run.csv", "time", "q.one", "tau.one", "tau.two")
        self.assertEqual(len(rows), 11)
        for t, q, one, two in rows:
            # a cubic from rest to rest: 1.2 (3 s^2 - 2 s^3)
            self.assertAlmostEqual(q, 1.2 * (3 * t**2 - 2 * t**3), delta=1e-9)
            if 0.05 < t < 0.95:  # at its ends the acceleration jumps
                alone = 0.26 * 1.2 * (6 - 12 * t) + 9.81 * 0.4 * math.cos(q)
                self.assertAlmostEqual(one + two, alone, delta=1e-6)
                self.assertAlmostEqual(one, two, delta=1e-6)

    def test_motions_that_contradict_each_other_are_refused_with_both_values(self):
        model = self.write("twice.toml", arm, again)
        answer = self.trammel("eval", model, "hybrid_dynamics", "--a", "one=1.5,two=2.25")
        self.assertEqual(answer.code, 1)
        self.assertRegex(answer.err, r"joint '(one|two)' contradicts .*joint '(one|two)'.*\((1.5 and 2.25|2.25 and 1.5)\)")
        self.assertIn("inputs.a of joint 'one'", answer.err)
        self.assertIn("inputs.loop_a of joint 'two'", answer.err)
        # in a simulation: from the start, and later
        model = self.write("apart.toml", arm, again, '[input.a]\njoint = "one"\nconstant = 0.2\n[input.b]\njoint = "two"\nconstant = 0.3\n')
        answer = self.trammel("simulate", model, "--duration", "1")
        self.assertEqual(answer.code, 1)
        self.assertIn("0.2", answer.err)
        self.assertIn("0.3", answer.err)
        model = self.write("later.toml", arm, again, ramp("a", "one", 1.2), ramp("b", "two", 1.3))
        answer = self.trammel("simulate", model, "--duration", "1")
        self.assertEqual(answer.code, 1)
        self.assertIn("contradicts", answer.err)


if __name__ == "__main__":
    unittest.main()
