"""Motion in time from the command line: a table of numbers, a summary, and what goes wrong."""
import csv
import io
import json
import math
import re
import unittest

from program import InFolder, top

LATCH = """trammel = 1
[body.upper]
mass = 1
com = [0, 0, -0.3]
inertia = [0.05, 0.05, 0.01]
[body.lower]
mass = 1
com = [0, 0, -0.3]
inertia = [0.05, 0.05, 0.01]
[joint.shoulder]
type = "revolute"
parent = "ground"
child = "upper"
axis = "y"
[joint.elbow]
type = "revolute"
parent = "upper"
child = "lower"
at = { xyz = [0, 0, -0.6] }
axis = "y"
[state.position]
shoulder = 1.2
elbow = -0.8
"""


def table(text):
    rows = list(csv.reader(io.StringIO(text)))
    return rows[0], [[float(cell) for cell in row] for row in rows[1:]]


# Two driven wheels 0.1 m behind the middle, one 0.3 m ahead of it.
CART = """name, type, x, y, axle [deg], radius, rollers [deg], mass, axial, across, height, stands on, driven
, platform, 0, 0, , , , 10, 0.3, 0.2, 0.5, wheels,
left, fixed, -0.2, -0.1, 0, 0.1, , 0.5, 0.002, 0.001, , , yes
right, fixed, 0.2, -0.1, 0, 0.1, , 0.5, 0.002, 0.001, , , yes
front, omni, 0, 0.3, 0, 0.1, 90, 0.5, 0.002, 0.001, , , no
"""
DRIVEN = """trammel = 1
[include.cart]
file = "cart.csv"
prefix = ""
[input]
left = { joint = "left", ramp = { to = -2, over = 1 } }
right = { joint = "right", ramp = { to = -2, over = 1 } }
"""


class Simulate(InFolder):
    def test_a_pendulum_comes_back_after_its_period(self):
        answer = self.done("simulate", "@f1", "--duration", "2.36784194757624", "--tolerance", "1e-11", "-o", "-")
        names, rows = table(answer.out)
        self.assertEqual(names, ["time [s]", "q.pivot [rad]", "v.pivot [rad/s]", "energy.kinetic [J]",
                                 "energy.gravity [J]", "energy.elastic [J]", "energy.total [J]"])
        self.assertEqual(len(rows), 1001)
        self.assertAlmostEqual(rows[-1][1], math.pi, 7)
        self.assertAlmostEqual(rows[500][1], 2 * math.pi, 6)  # on the other side, through the bottom

    def test_the_model_says_how_long_and_what(self):
        answer = self.done("simulate", "@me_3b", "-o", "run.csv")
        self.assertRegex(answer.out, r"\Afour links, closed, with friction \(ME-3b\): \d+ steps of dormand-prince")
        self.assertRegex(answer.out, r"energy  95 J at the start, changes by at most")
        self.assertRegex(answer.out, r"loops   violated by at most \S+e-1[3-9] m")
        names, rows = table((self.folder / "run.csv").read_text())
        self.assertIn("reaction.chain_tip.force.x [N]", names)
        self.assertEqual(rows[-1][0], 10)
        self.assertAlmostEqual(rows[-1][1], 1.563417, 5)

    def test_efforts_and_wrenches_of_the_command_line_act_all_the_time(self):
        still = self.done("simulate", "arm.urdf", "--duration", "0.1", "--gravity", "0,0,0", "-o", "-").out
        pushed = self.done("simulate", "arm.urdf", "--duration", "0.1", "--gravity", "0,0,0", "--tau", "elbow=1", "-o", "-").out
        self.assertEqual(table(still)[1][-1][1:3], [0, 0])
        self.assertNotEqual(table(pushed)[1][-1][2], 0)

    def test_wrong_usage_is_reported_before_anything_runs(self):
        for words, told in {
            ("--duration", "-1"): "option --duration is '-1'",
            ("--step", "0"): "option --step is '0'",
            ("--method", "rk5"): "there is no method 'rk5'\n  hint: did you mean 'rk4'?",
            ("--record", "postions"): "there is no quantity 'postions' to record\n  hint: did you mean 'positions'?",
            ("--a", "0,0"): "option --a gives a value at one state only",
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
        self.assertEqual(answer.code, 2)
        self.assertIn("the method rk4 takes steps of one length, and none is given\n  hint: give it by --step", answer.err)

    def test_a_file_that_is_there_stops_it_before_it_runs(self):
        (self.folder / "run.csv").write_text("mine")
        answer = self.trammel("simulate", "@e_05", "-o", "run.csv")  # which would take a while
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertEqual(answer.err, "trammel: run.csv is there already; add --force to overwrite it\n")
        self.assertEqual((self.folder / "run.csv").read_text(), "mine")

    def test_a_folder_that_is_not_there_stops_it_before_it_runs(self):
        for option in "-o", "--report":
            answer = self.trammel("simulate", "arm.urdf", "--duration", "1e6", option, "nowhere/run")  # it would not end
            self.assertEqual((answer.code, answer.out), (1, ""))
            self.assertEqual(answer.err, "trammel: nowhere/run could not be written: No such file or directory\n")

    def test_a_run_that_stops_keeps_what_it_has(self):
        # a crank with a prescribed motion outside the range of its four-bar: up to cos(angle) = 0.4
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
        self.assertRegex(answer.err, "no step is short enough: the velocity of joint '.*' needs less")
        names, rows = table((self.folder / "run.csv").read_text())
        angles = [row[names.index("q.motor [rad]")] for row in rows]
        self.assertGreater(len(rows), 100)
        self.assertGreater(max(angles), 1.1)
        self.assertLess(max(angles), math.acos(0.4) + 1e-9)
        self.assertTrue(all(math.isfinite(x) for row in rows for x in row))
        # a kinematic run reaches the same position, and stops there too
        answer = self.trammel("simulate", "stuck.toml", "--mode", "kinematic", "--duration", "2", "-o", "-")
        self.assertEqual(answer.code, 1)
        self.assertIn("stopped at t = 0.50", answer.err)
        self.assertGreater(table(answer.out)[1][-1][1], 1.1)
        answer = self.trammel("simulate", "@four_bar", "--mode", "kinematic")
        self.assertIn("1 degree of freedom is left to forces", answer.err)

    def test_what_holds_it_still(self):
        # a mass of 2 kg, 0.5 m out on an arm with a prescribed motion: m g l cos q at any speed
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
        page = (self.folder / "all.html").read_text()
        self.assertEqual(page.count("<svg"), 3)  # rad, rad/s, J: for browsers without scripts
        self.assertIn("<title>run.csv</title>", page)
        self.assertEqual(self.done("plot", "run.csv").out.count("<svg"), 4)  # the same in one picture
        answer = self.trammel("plot", "run.csv", "q.zz*")
        self.assertEqual((answer.code, answer.out), (2, ""))
        self.assertTrue(answer.err.startswith("trammel: run.csv has no column 'q.zz*'"), answer.err)
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

    def test_a_series_is_one_run_with_all_its_events(self):
        (self.folder / "latch.toml").write_text(LATCH + '[event.latch]\nat = 0.4\nlock = ["elbow"]\n')
        run = self.done("simulate", "latch.toml", "--duration", "1.5", "--sample", "0.1", "-o", "-").out
        elbow = [row[2] for row in table(run)[1]]
        self.assertTrue(all(abs(angle - elbow[4]) < 1e-9 for angle in elbow[4:]), elbow)
        self.assertGreater(abs(elbow[3] - elbow[4]), 0.01)
        # in pictures along y this is the angle between the links, independent of earlier pictures
        for times in "1.5", "0.6,1.5", "0,0.4,0.6,1,1.5":
            picture = self.done("snapshot", "latch.toml", "--at", times, "--view", "front").out
            bends = []
            for group in picture.split("<g ")[1:]:
                links = re.findall(r'<line class="body" x1="(.*?)" y1="(.*?)" x2="(.*?)" y2="(.*?)"', group)
                upper, lower = (math.atan2(float(d) - float(b), float(c) - float(a)) for a, b, c, d in links)
                bends.append(abs(math.remainder(lower - upper, 2 * math.pi)))
            self.assertEqual(len(bends), len(times.split(",")))
            for time, bend in zip(map(float, times.split(",")), bends):  # tenths of a pixel, of 50
                self.assertAlmostEqual(bend, abs(elbow[round(10 * time)]), delta=0.006)

    def test_a_platform_that_stands_tells_which_wheel_lifts_and_when(self):
        (self.folder / "cart.csv").write_text(CART)
        (self.folder / "cart.toml").write_text(DRIVEN)
        # about the line of the rear wheels: weight at its distance, inertia at its height, wheels that spin up
        body, wheel, spin, radius, height, g = 10, 0.5, 0.002, 0.1, 0.5, 9.81
        a = (body * 0.1 + wheel * 0.4) * g / (body * height + 3 * wheel * radius + 3 * spin / radius)
        torque = a * radius * (body + 3 * wheel + 3 * spin / radius**2) / 2
        found = self.json("simulate", "cart.toml", "--duration", "1")["events"]
        self.assertEqual(len(found), 1, found)
        self.assertAlmostEqual(found[0]["time"], torque / 2, delta=1e-12)  # a ramp of 2 N m per second
        told = f"{torque / 2:.6g} s wheel 'front_rim' would lift: the floor has to pull it down from here on"
        self.assertIn(told, self.done("simulate", "cart.toml", "--duration", "1").out)
        # with the weight farther ahead it does not lift
        (self.folder / "cart.csv").write_text(CART.replace(", -0.1, 0", ", -0.3, 0"))
        self.assertEqual(self.json("simulate", "cart.toml", "--duration", "1")["events"], [])

    def test_energy_is_kept_only_if_it_is(self):
        good = self.done("simulate", "@double_pendulum", "--duration", "5")
        self.assertRegex(good.out, r"J at the start, conserved: it changes by at most")
        self.assertEqual(good.err, "")
        for words in (["--method", "rk4", "--step", "0.2"], ["--method", "semi-implicit-euler", "--step", "0.02"]):
            words = ["simulate", "@double_pendulum", "--duration", "10", *words]
            bad = self.done(*words)
            self.assertRegex(bad.out, r"NOT conserved: it changes by at most \S+ J, \S+ of the largest kinetic energy of \S+ J \(conserved: at most 0.001\)")
            self.assertIn("warning: energy is NOT conserved, though no force adds or removes any", bad.err)
            energy = self.json(*words)["energy"]
            self.assertIs(energy["is_conserved"], False)
            self.assertGreater(energy["largest_change"], 1e-3 * energy["largest_kinetic"])
            self.done(*words, "--report", "run.html", "--force")
            self.assertIn('"name":"energy NOT conserved: differs by"', (self.folder / "run.html").read_text())
        self.assertIs(self.json("simulate", "@double_pendulum", "--duration", "1")["energy"]["is_conserved"], True)
        # at rest there is no kinetic energy, and nothing changes
        still = self.json("simulate", "@pendulum", "--gravity", "0,0,0", "--q", "0", "--v", "0", "--duration", "1")["energy"]
        self.assertEqual((still["is_conserved"], still["largest_kinetic"]), (True, 0))
        # with efforts, energy need not be constant
        self.assertIsNone(self.json("simulate", "@pendulum", "--tau", "1", "--duration", "1")["energy"]["is_conserved"])

    def test_the_report_questions_limits_and_wheels(self):
        (self.folder / "latch.toml").write_text(LATCH.replace("[joint.elbow]", "[joint.elbow]\nlimits = { position = [-1, 1] }"))
        self.done("simulate", "latch.toml", "--duration", "3", "--report", "limits.html")
        page = (self.folder / "limits.html").read_text()
        self.assertRegex(page, r'"name":"[12] limits? passed","value":"first at \S+ s","good":false')
        (self.folder / "cart.csv").write_text(CART)
        (self.folder / "cart.toml").write_text(DRIVEN)
        self.done("simulate", "cart.toml", "--duration", "1", "--report", "cart.html")
        self.assertRegex((self.folder / "cart.html").read_text(), r'"name":"1 wheel would lift off","value":"first at \S+ s","good":false')
        self.done("simulate", "@double_pendulum", "--duration", "1", "--report", "good.html")
        self.assertNotIn('"good":false', (self.folder / "good.html").read_text())

    def test_nothing_is_drawn_after_the_end(self):
        (self.folder / "halt.toml").write_text(LATCH + "[event.enough]\nat = 0.4\nstop = true\n")
        answer = self.done("snapshot", "halt.toml", "--at", "0,0.3,0.5,1")
        self.assertEqual(answer.out.count("t = 0"), 2)
        self.assertNotIn("t = 0.5 s", answer.out)
        self.assertIn("the run ends at t = 0.4 s, event 'enough': no picture from t = 0.5 s on", answer.err)

    def test_pictures_and_pages_are_of_what_the_options_say(self):
        still = self.done("snapshot", "arm.urdf", "--gravity", "0,0,0", "--at", "0,0.5").out
        for words in ["--tau", "elbow=1"], ["--v", "elbow=1"]:
            self.assertNotEqual(self.done("snapshot", "arm.urdf", "--gravity", "0,0,0", "--at", "0,0.5", *words).out, still)
        self.done("snapshot", "@crank_rocker", "--mode", "kinematic", "--at", "0,0.31,1.7")
        for command in "snapshot", "view", "simulate":
            for option in "--a", "--ground-velocity":
                answer = self.trammel(command, "arm.urdf", option, "0,0,0,0,0,0")
                self.assertEqual((answer.code, answer.out), (2, ""))
                self.assertIn(f"option {option} gives a value at one state only", answer.err)
                self.assertNotIn(option + " ", self.done(command, "--help").out)
        for option in "--sample", "--record":
            self.assertEqual(self.trammel("snapshot", "arm.urdf", option, "1").code, 2)

    def test_a_sample_at_the_time_of_an_event(self):
        (self.folder / "latch.toml").write_text(LATCH + '[event.latch]\nat = 0.4\nlock = ["elbow"]\n')
        self.done("simulate", "latch.toml", "--sample", "0.4", "--duration", "0.8", "--record", "accelerations")
        (self.folder / "halt.toml").write_text(LATCH + "[event.enough]\nat = 0.4\nstop = true\n")
        for sample, times in {"0.2": [0, 0.2, 0.4], "0.3": [0, 0.3, 0.4]}.items():
            out = self.done("simulate", "halt.toml", "--sample", sample, "-o", "-").out
            self.assertEqual([row[0] for row in table(out)[1]], times)
        (self.folder / "never.toml").write_text(LATCH + "[event.enough]\nat = 0\nstop = true\n")
        self.assertEqual(len(table(self.done("simulate", "never.toml", "-o", "-").out)[1]), 1)

    def test_efforts_are_those_of_prescribed_motions_in_every_mode(self):
        # a mass of 2 kg on a rail with the prescribed motion x = sin(2 pi t / 10): m a, plus m g if it is upright
        for axis, weight in {"x": 0, "z": 2 * 9.81}.items():
            (self.folder / "led.toml").write_text(
                'trammel = 1\n[body.cart]\nmass = 2\n[joint.rail]\ntype = "prismatic"\nparent = "ground"\n'
                f'child = "cart"\naxis = "{axis}"\ndrive = "motion"\n'
                '[input.lead]\njoint = "rail"\nsine = { amplitude = 1, frequency = 0.1 }\n')
            for mode in "dynamic", "kinematic":
                out = self.done("simulate", "led.toml", "--mode", mode, "--sample", "0.5", "--record", "efforts", "-o", "-").out
                for time, effort in table(out)[1]:
                    w = 2 * math.pi / 10
                    self.assertAlmostEqual(effort, weight - 2 * w * w * math.sin(w * time), 12)

    def test_efforts_of_joints_that_close_loops_have_columns(self):
        out = self.done("simulate", "@four_bar", "--duration", "0.1", "--sample", "0.05", "--tau", "wrist=0.5,motor=0.25",
                        "--record", "tau.*", "-o", "-").out
        names, rows = table(out)
        self.assertIn("tau.wrist [N m]", names)
        for row in rows:
            self.assertEqual(row[names.index("tau.wrist [N m]")], 0.5)
            self.assertEqual(row[names.index("tau.motor [N m]")], 0.25)

    def test_single_columns_may_be_recorded(self):
        out = self.done("simulate", "@double_pendulum", "--duration", "0.1", "--record", "v.*,energy.total,velocities", "-o", "-").out
        names, _ = table(out)
        self.assertEqual(names[-1], "energy.total [J]")
        self.assertTrue(all(name.startswith("v.") for name in names[1:-1]))
        answer = self.trammel("simulate", "@f1", "--record", "q.pivto")
        self.assertEqual((answer.code, answer.out), (2, ""))
        self.assertEqual(answer.err, "trammel: there is no column 'q.pivto' to record\n  hint: did you mean 'q.pivot'?\n")

    def test_the_coupler_curve_and_the_transmission_angle_of_a_crank_and_rocker(self):
        a, b, c, d = 0.2, 0.5, 0.45, 0.5
        out = self.done("simulate", "@crank_rocker", "--mode", "kinematic", "--sample", "0.01",
                        "--record", "q.motor,loop.q.wrist,frame.tracer.x,frame.tracer.z", "-o", "-").out
        names, rows = table(out)
        self.assertEqual(names, ["time [s]", "q.motor [rad]", "loop.q.wrist [rad]", "frame.tracer.x [m]", "frame.tracer.z [m]"])
        self.assertEqual(len(rows), 201)
        side = None
        for time, q, mu, x, z in rows:
            self.assertAlmostEqual(q, math.pi / 3 + math.pi * time, 12)
            # the law of cosines in the triangles on both sides of the diagonal from crank pin to foot
            diagonal = math.sqrt(a * a + d * d - 2 * a * d * math.cos(q))
            self.assertAlmostEqual(math.cos(mu), (b * b + c * c - diagonal ** 2) / (2 * b * c), 11)
            pin = complex(a * math.cos(q), -a * math.sin(q))  # about y, x turns toward -z
            at_pin = math.acos((b * b + diagonal ** 2 - c * c) / (2 * b * diagonal))
            to_foot = (d - pin) / diagonal
            tracers = []
            for sign in 1, -1:  # the two assembly branches
                coupler = to_foot * complex(math.cos(at_pin), sign * math.sin(at_pin))
                tracers.append(pin + coupler * complex(b / 2, 0.15))
            if side is None:
                side = min((0, 1), key=lambda k: abs(tracers[k] - complex(x, z)))
            self.assertLess(abs(tracers[side] - complex(x, z)), 1e-11)
        summary = self.done("simulate", "@crank_rocker", "--mode", "kinematic").out
        self.assertNotIn("dormand-prince", summary)
        self.assertIn("along the prescribed motions (kinematic), 1001 samples", summary)

    def test_units_of_tables_count(self):
        (self.folder / "push.toml").write_text(
            'trammel = 1\n[body.rod]\nmass = 1\ncom = [0.5, 0, 0]\ninertia = [0.1, 0.1, 0.1]\n'
            '[joint.pivot]\ntype = "revolute"\nparent = "ground"\nchild = "rod"\naxis = "y"\n'
            '[input.push]\njoint = "pivot"\ntable = { file = "push.csv" }\n')
        for text in ("time [ms], push [kN m]\n0, 0\n1000, 2\n2000, 0\n", "0, 0\n1, 2000\n2, 0\n", "time, push\n0,0\n1 s,2 kN m\n2,0\n"):
            (self.folder / "push.csv").write_text(text)
            out = self.done("simulate", "push.toml", "--duration", "2", "--sample", "0.25", "--record", "efforts", "-o", "-").out
            for time, effort in table(out)[1]:
                self.assertAlmostEqual(effort, 2000 * (1 - abs(time - 1)), 9)
        (self.folder / "push.csv").write_text("time [m], push [N]\n0, 0\n1, 2\n")
        answer = self.trammel("check", "push.toml")
        self.assertEqual(answer.code, 1)
        self.assertIn("push.csv:1:7: error: column 'time' is a time, but 'm' measures a length", answer.out)
        self.assertIn("push.csv:1:17: error: column 'push' is a torque, but 'N' measures a force", answer.out)

    def test_mistakes_of_the_run_are_found_before_it(self):
        for line, told in {"duration = -1": "run: its duration is -1", "step = 0": "run: its step is 0",
                           'method = "rk5"': "run: there is no method 'rk5'", 'record = ["q.pivto"]': "there is no column 'q.pivto'"}.items():
            (self.folder / "run.toml").write_text(
                'trammel = 1\n[body.rod]\nmass = 1\ncom = [0.5, 0, 0]\ninertia = [0.1, 0.1, 0.1]\n'
                f'[joint.pivot]\ntype = "revolute"\nparent = "ground"\nchild = "rod"\n[run]\n{line}\n')
            answer = self.trammel("check", "run.toml")
            self.assertEqual(answer.code, 1, line)
            self.assertIn("run.toml:11:", answer.out)
            self.assertIn(told, answer.out)

    def test_a_run_that_never_began_leaves_nothing(self):
        before = set(self.folder.iterdir())
        for words in (["--tolerance", "1e-30"], ["--duration", "1e-320"], ["--mode", "kinematic"]):
            answer = self.trammel("simulate", "@four_bar", "-o", "x.csv", "-o", "x.json", "--report", "x.html", "--journal", "x.journal", *words)
            self.assertEqual((answer.code, answer.out), (1, ""), words)
            self.assertEqual(answer.err.count("\n"), 1, answer.err)
            self.assertEqual(set(self.folder.iterdir()), before)

    def test_a_fixed_step_has_the_requested_size(self):
        summary = json.loads(self.done("simulate", "@double_pendulum", "--method", "rk4", "--step", "0.005", "--duration", "1", "--json").out)
        self.assertEqual((summary["steps"], summary["samples"]), (200, 201))

    def test_a_motion_that_blows_up_is_reported_as_such(self):
        (self.folder / "blow.toml").write_text(
            'trammel = 1\n[body.b]\nmass = 1\n[joint.j]\ntype = "prismatic"\nparent = "ground"\nchild = "b"\naxis = "x"\n'
            '[controller.c]\njoint = "j"\np = -1e6\ntarget = 0\n[state.position]\nj = 0.1\n')
        for words in [], ["--method", "rk4", "--step", "0.001"]:
            answer = self.trammel("simulate", "blow.toml", "-o", "blow.csv", "--force", *words)
            self.assertEqual(answer.code, 1)
            self.assertRegex(answer.err, r"stopped at t = 0\.\d+ s: the solution diverges: the velocity of joint 'j' is ")
            rows = table((self.folder / "blow.csv").read_text())[1]
            self.assertGreater(len(rows), 10)
            self.assertTrue(all(math.isfinite(x) for row in rows for x in row))

    def test_every_model_of_the_gallery_moves(self):
        names = sorted(path.stem for folder in ("robots", "reference", "field") for path in (top / "models" / folder).rglob("*.toml"))
        self.assertGreater(len(names), 60)
        for name in names:
            with self.subTest(name):
                self.assertIn("samples", self.done("simulate", f"@{name}", "--duration", "0.01").out)

    def test_json_tells_how_it_went(self):
        summary = json.loads(self.done("simulate", "@four_bar", "--duration", "1", "--json").out)
        self.assertTrue(summary["is_complete"])
        self.assertLess(summary["loops"]["largest_violation"], 1e-12)


if __name__ == "__main__":
    unittest.main()
