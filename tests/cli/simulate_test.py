"""Motion in time from the command line: a table of numbers, a summary, and what goes wrong."""
import csv
import io
import json
import math
import unittest

from program import InFolder


def table(text):
    rows = list(csv.reader(io.StringIO(text)))
    return rows[0], [[float(cell) for cell in row] for row in rows[1:]]


class Simulate(InFolder):
    def test_a_pendulum_comes_back_after_its_period(self):
        answer = self.done("simulate", "@f1", "--duration", "2.36784194757624", "--tolerance", "1e-11", "-o", "-")
        names, rows = table(answer.out)
        self.assertEqual(names, ["time [s]", "q.pivot [rad]", "v.pivot [rad/s]", "energy.kinetic [J]",
                                 "energy.gravity [J]", "energy.elastic [J]", "energy.total [J]"])
        self.assertEqual(len(rows), 1001)
        self.assertAlmostEqual(rows[-1][1], math.pi, 7)
        self.assertAlmostEqual(rows[500][1], 2 * math.pi, 6)  # on the other side, by way of the bottom

    def test_the_model_says_how_long_and_what(self):
        answer = self.done("simulate", "@me_3b", "-o", "run.csv")
        self.assertRegex(answer.out, r"\Afour links, closed, with friction \(ME-3b\): \d+ steps of dormand-prince")
        self.assertRegex(answer.out, r"energy  95 J at the start, changes by at most")
        self.assertRegex(answer.out, r"loops   open by at most \S+e-1[3-9] m")
        names, rows = table((self.folder / "run.csv").read_text())
        self.assertIn("reaction.chain_tip.force.x [N]", names)
        self.assertEqual(rows[-1][0], 10)
        self.assertAlmostEqual(rows[-1][1], 1.563417, 5)

    def test_efforts_and_wrenches_of_the_command_line_act_all_the_time(self):
        still = self.done("simulate", "arm.urdf", "--duration", "0.1", "--gravity", "0,0,0", "-o", "-").out
        pushed = self.done("simulate", "arm.urdf", "--duration", "0.1", "--gravity", "0,0,0", "--tau", "elbow=1", "-o", "-").out
        self.assertEqual(table(still)[1][-1][1:3], [0, 0])
        self.assertNotEqual(table(pushed)[1][-1][2], 0)

    def test_wrong_usage_is_told_before_anything_runs(self):
        for words, told in {
            ("--duration", "-1"): "option --duration is '-1'",
            ("--step", "0"): "option --step is '0'",
            ("--method", "rk5"): "there is no method 'rk5'\n  hint: did you mean 'rk4'?",
            ("--record", "postions"): "there is no quantity 'postions' to record\n  hint: did you mean 'positions'?",
            ("--a", "0,0"): "option --a says something of one moment",
            ("--duration", "2 m"): "option --duration",
        }.items():
            with self.subTest(words):
                answer = self.trammel("simulate", "arm.urdf", *words)
                self.assertEqual((answer.code, answer.out), (2, ""))
                self.assertTrue(answer.err.startswith("trammel: " + told), answer.err)
        answer = self.trammel("simulate", "arm.urdf", "--tolerance", "1e-30")
        self.assertEqual(answer.code, 1)
        self.assertIn("the relative tolerance is 1e-30", answer.err)
        answer = self.trammel("simulate", "arm.urdf", "--method", "rk4")
        self.assertEqual(answer.code, 1)
        self.assertIn("the method rk4 takes steps of one length: say which", answer.err)

    def test_a_file_that_is_there_stops_it_before_it_runs(self):
        (self.folder / "run.csv").write_text("mine")
        answer = self.trammel("simulate", "@e_05", "-o", "run.csv")  # which would take a while
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertEqual(answer.err, "trammel: run.csv is there already; add --force to overwrite it\n")
        self.assertEqual((self.folder / "run.csv").read_text(), "mine")

    def test_a_folder_that_is_not_there_stops_it_before_it_runs(self):
        for option in "-o", "--report":
            answer = self.trammel("simulate", "arm.urdf", "--duration", "1e6", option, "nowhere/run")  # it would take for ever
            self.assertEqual((answer.code, answer.out), (1, ""))
            self.assertEqual(answer.err, "trammel: nowhere/run could not be written: No such file or directory\n")

    def test_a_run_that_stops_keeps_what_it_has(self):
        # a crank that is told to turn further than its four-bar can: up to cos(angle) = 0.4
        (self.folder / "stuck.toml").write_text("""
            trammel = 1
            body.crank   = { mass = 1, inertia = [0.1, 0.1, 0.1] }
            body.coupler = { mass = 1, inertia = [0.1, 0.1, 0.1] }
            body.rocker  = { mass = 1, inertia = [0.1, 0.1, 0.1] }
            joint.motor  = { type = "revolute", parent = "ground", child = "crank", drive = "motion" }
            joint.knee   = { type = "revolute", parent = "crank", child = "coupler", at = { xyz = [0.8, 0, 0] } }
            joint.foot   = { type = "revolute", parent = "ground", child = "rocker", at = { xyz = [1, 0, 0] } }
            joint.pin    = { type = "revolute", parent = "coupler", child = "rocker", at = { xyz = [0.5, 0, 0] },
                             child_at = { xyz = [0.5, 0, 0] }, cut = true }
            state.position = { motor = 0.3 }
            input.turn = { joint = "motor", cubic = { from = 0.3, to = 2, over = 1 } }
            """.replace("\n                             child_at", " child_at"))
        answer = self.trammel("simulate", "stuck.toml", "-o", "run.csv", "--duration", "2")
        self.assertEqual(answer.code, 1, answer.err)
        self.assertIn("stopped at t = ", answer.err)
        self.assertRegex(answer.err, "no step is short enough: the velocity of joint '.*' asks for")
        names, rows = table((self.folder / "run.csv").read_text())
        angles = [row[names.index("q.motor [rad]")] for row in rows]
        self.assertGreater(len(rows), 100)
        self.assertGreater(max(angles), 1.1)
        self.assertLess(max(angles), math.acos(0.4) + 1e-9)
        self.assertTrue(all(math.isfinite(x) for row in rows for x in row))
        # without forces it comes to the same place, and stops there too
        answer = self.trammel("simulate", "stuck.toml", "--mode", "kinematic", "--duration", "2", "-o", "-")
        self.assertEqual(answer.code, 1)
        self.assertIn("stopped at t = 0.50", answer.err)
        self.assertGreater(table(answer.out)[1][-1][1], 1.1)
        answer = self.trammel("simulate", "@four_bar", "--mode", "kinematic")
        self.assertIn("1 way to move is left to forces", answer.err)

    def test_what_holds_it_still(self):
        # a mass of 2 kg, 0.5 m out on an arm that is led round: m g l cos q, however fast
        (self.folder / "held.toml").write_text(
            'trammel = 1\n[body.arm]\nmass = 2\ncom = [0.5, 0, 0]\ninertia = [0.1, 0.1, 0.1]\n'
            '[joint.j]\ntype = "revolute"\nparent = "ground"\nchild = "arm"\naxis = "y"\ndrive = "motion"\n'
            '[input.lead]\njoint = "j"\nsine = { amplitude = 1, frequency = 5 }\n')
        answer = self.done("simulate", "held.toml", "--mode", "static", "--duration", "1", "--sample", "0.05",
                           "--record", "positions,efforts,velocities", "-o", "-")
        for _, q, tau, v in table(answer.out)[1]:
            self.assertAlmostEqual(tau, -2 * 9.81 * 0.5 * math.cos(q), places=10)
            self.assertEqual(v, 0)
        answer = self.trammel("simulate", "@four_bar", "--mode", "still")
        self.assertEqual(answer.code, 2)
        self.assertIn("it takes dynamic, kinematic or static", answer.err)

    def test_methods_for_stiff_springs(self):
        for method in ("radau", "bdf"):
            answer = self.trammel("simulate", "@four_bar", "--duration", "0.5", "--method", method)
            if answer.code:
                self.assertIn("libsundials-dev", answer.err)
            else:
                self.assertIn(f"steps of {method}", answer.out)

    def test_mistakes_in_inputs_have_their_place(self):
        (self.folder / "inputs.toml").write_text(
            'trammel = 1\n[body.b]\nmass = 1\n[joint.j]\ntype = "prismatic"\nparent = "ground"\nchild = "b"\naxis = "x"\n'
            '[input.a]\njoint = "j"\ntable = { times = [0, 2, 1], values = [1, 2, 3] }\n'
            '[input.b]\njoint = "j"\nramp = { to = 1, over = 0 }\n')
        answer = self.trammel("simulate", "inputs.toml")
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertIn("inputs.toml:11:", answer.err)
        self.assertIn("input 'a' goes from 2 s to 1 s", answer.err)
        self.assertIn("input 'b' lasts 0 s", answer.err)

    def test_recordings_become_pictures(self):
        self.done("simulate", "@double_pendulum", "--duration", "1", "-o", "run.csv", "--report", "run.html")
        page = (self.folder / "run.html").read_text()
        self.assertIn("<html", page)
        self.assertIn("double pendulum", page)
        picture = self.done("plot", "run.csv", "q.*").out
        self.assertTrue(picture.startswith("<svg"), picture[:80])
        self.done("plot", "run.csv", "-o", "all.html")
        self.assertEqual((self.folder / "all.html").read_text().count("<svg"), 3)  # rad, rad/s, J
        for words, told in {("run.csv",): "the columns have 3 units", ("run.csv", "q.zz*"): "run.csv has no column 'q.zz*'"}.items():
            answer = self.trammel("plot", *words)
            self.assertEqual((answer.code, answer.out), (2, ""))
            self.assertTrue(answer.err.startswith("trammel: " + told), answer.err)
        (self.folder / "cut.csv").write_text("time [s],q [rad]\n0,1\n0.1,1.x\n0.2")
        answer = self.trammel("plot", "cut.csv")
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertIn("cut.csv:3:5: error: '1.x' is no number", answer.err)
        self.assertIn("cut.csv:4:1: error: the row has 1 cells, the first line 2", answer.err)

    def test_a_motion_as_a_series(self):
        picture = self.done("snapshot", "@e_05", "--at", "0,5,10").out
        self.assertTrue(picture.startswith("<svg"), picture[:80])
        for caption in "t = 0 s", "t = 5 s", "t = 10 s":
            self.assertIn(caption, picture)
        answer = self.trammel("snapshot", "@e_05", "--at", "5,1")
        self.assertEqual((answer.code, answer.out), (2, ""))

    def test_json_tells_how_it_went(self):
        summary = json.loads(self.done("simulate", "@four_bar", "--duration", "1", "--json").out)
        self.assertTrue(summary["is_complete"])
        self.assertLess(summary["loops"]["largest_gap"], 1e-12)


if __name__ == "__main__":
    unittest.main()
