"""Vehicles along paths and designs from outside: answers, files, and what is wrong, named."""
import csv
import json
import re
import unittest

from program import InFolder, top


class Inverse(InFolder):
    def write(self, name, text):
        (self.folder / name).write_text(text)

    def fails(self, code, *words):
        answer = self.trammel("inverse", *words)
        self.assertEqual((answer.code, answer.out), (code, ""), answer.err)
        return answer.err

    def rows(self, name):
        with open(self.folder / name) as file:
            return list(csv.DictReader(file))

    def test_a_path_of_the_model_up_to_the_errors(self):
        answer = self.json("inverse", "@s_t03", "--path", "round", "-o", "round.csv", "--sample", "0.1")
        run_inputs = answer["drives"]
        self.assertEqual(run_inputs["names"]["rows"], ["left", "right"])
        # [Saha 1991], S-T03: 0.060610 N m at 36.70 s, -0.059214 at 22.22 s
        self.assertAlmostEqual(run_inputs["values"][0][0], 0.060610, delta=1e-6)
        self.assertAlmostEqual(run_inputs["values"][0][1], 36.70, delta=0.051)
        self.assertAlmostEqual(run_inputs["values"][1][0], -0.059214, delta=1e-6)
        errors = answer["errors"]
        self.assertEqual(errors["names"]["rows"], ["x", "y", "yaw"])
        self.assertLess(max(row[1] for row in errors["values"]), 1e-3)
        rows = self.rows("round.csv")
        self.assertEqual(len(rows), 601)
        self.assertEqual(float(rows[-1]["time [s]"]), 60)
        self.assertAlmostEqual(float(rows[-1]["q.left [rad]"]), -603.185789, delta=2e-6)
        # the error report agrees with the columns: desired minus simulated
        largest = max(abs(float(row["error.x [m]"])) for row in rows)
        self.assertEqual(largest, errors["values"][0][0])

    def test_levels_print_no_more_than_requested(self):
        has = {"positions": "q.left [rad]", "efforts": "tau.left [N m]", "errors": "error.x [m]"}
        for level, told in ("1", []), ("2", ["positions"]), ("3", ["positions", "efforts"]):
            self.done("inverse", "@s_t03", "--path", "round", "--level", level, "--sample", "5", "--steps", "40",
                      "-o", "out.csv", "--force")
            names = self.rows("out.csv")[0].keys()
            self.assertIn("v.left [rad/s]", names)
            self.assertEqual([what for what in has if has[what] in names], told)

    def test_points_from_a_table(self):
        self.write("way.csv", "time, x, y [mm], yaw [deg]\n0, 0, 0, 0\n5, 1, 0, 0\n10, 1, 1000, 90\n")
        answer = self.json("inverse", "@s_t07", "--path", "way.csv", "--at", "platform", "--level", "2")
        goes_by = [row[4] for row in answer["joints"]["values"][:3]]
        for got, wanted in zip(goes_by, (1, 1, 1.5707963267948966)):
            self.assertAlmostEqual(got, wanted, delta=1e-8)
        # and in the model file
        model = (top / "models/reference/saha/s_t07.toml").read_text()
        self.write("vehicle.toml", model + '\n[path.way]\nplace = "platform"\nspline = { file = "way.csv" }\n')
        self.assertEqual(self.json("inverse", "vehicle.toml", "--path", "way", "--level", "2")["joints"], answer["joints"])

    def test_rollers_turn_as_saha_says(self):
        # S-T06: 33.60, 17.24, 31.40 rad/s at most, by 599.07, -301.01, -298.06 rad in all
        answer = self.json("inverse", "@s_t07", "--level", "2", "-o", "rollers.csv", "--steps", "1")
        rollers = answer["rollers"]
        self.assertEqual(rollers["names"], {"rows": ["rim1", "rim2", "rim3"], "columns": ["fastest", "at", "goes by"]})
        for row, fastest, goes_by in zip(rollers["values"], (33.60, 17.24, 31.40), (599.07, -301.01, -298.06)):
            self.assertAlmostEqual(abs(row[0]), fastest, delta=5.1e-3)
            self.assertAlmostEqual(row[2], goes_by, delta=5.1e-3)
        last = self.rows("rollers.csv")[-1]
        self.assertEqual(float(last["wheel.rim1.roller_angle [rad]"]), rollers["values"][0][2])
        self.assertIn("rollers: of wheels with rollers", self.done("inverse", "@s_t07", "--level", "1", "--sample", "5", "--steps", "100").out)
        # a model without roller radius has none to report
        self.assertNotIn("rollers", self.json("inverse", "@s_t03", "--path", "round", "--level", "1", "--sample", "5", "--steps", "40"))

    def test_a_table_is_a_vehicle(self):
        table = top / "models/tables/omni_three.csv"
        way = "two_straights = { x_start = 2.32, x_end = -2.32, y_start = -2.75, speed = 0.12, start_up = 15, curve = 30, slow_down = 15 }\nyaw = { from = 0, to = \"90 deg\", start = 15, over = 30 }"
        words = ("--at", "platform", "--level", "2", "--sample", "1", "--steps", "20")
        by_hand = self.json("inverse", "@s_t07", *words)["joints"]
        self.assertEqual(self.json("inverse", table, "--path", way, *words)["joints"]["names"], by_hand["names"])
        # and inside a model file: six lines
        self.write("robot.toml", f'trammel = 1\n[include.robot]\nfile = "{table}"\nprefix = ""\n'
                                 '[path.way]\nplace = "platform"\n' + way)
        inside = self.json("inverse", "robot.toml", *words)["joints"]
        self.assertEqual(inside["names"], by_hand["names"])
        for row, other in zip(inside["values"], by_hand["values"]):  # without times and signs: peaks come in pairs
            for column in 0, 2, 4:
                self.assertAlmostEqual(abs(row[column]), abs(other[column]), delta=1e-9)

    def test_plots_of_the_page_have_headings(self):
        self.done("inverse", "@s_t07", "--level", "2", "--sample", "5", "--steps", "20", "--report", "way.html")
        groups = dict(re.findall(r'"name":"([^"]*)","unit":"[^"]*","group":"([^"]*)"', (self.folder / "way.html").read_text()))
        self.assertEqual((groups["path.x"], groups["path.yaw"], groups["q.wheel1"]), ("path", "path", "positions"))
        self.assertNotIn("", groups.values())

    def test_drives_share_by_the_given_weights(self):
        def run_inputs(*words):
            told = self.json("inverse", "@s_t09", "--level", "3", "--sample", "0.5", *words)["drives"]
            return dict(zip(told["names"]["rows"], (abs(row[0]) for row in told["values"])))
        limited = run_inputs("--limit", "wheel2=0.01,wheel6=0.025")
        self.assertAlmostEqual(limited["wheel2"], 0.01, delta=1e-12)
        self.assertAlmostEqual(limited["wheel6"], 0.025, delta=1e-12)
        self.assertEqual(set(run_inputs("--idle", "wheel1,wheel6")), {"wheel2", "wheel3", "wheel4", "wheel5"})
        self.assertLess(run_inputs("--weight", "wheel1=100")["wheel1"], 0.5 * run_inputs()["wheel1"])

    def test_the_model_s_own_inputs_do_not_act_and_are_named(self):
        model = (top / "models/reference/saha/s_t03.toml").read_text()
        words = ("--path", "round", "--sample", "0.1")
        alone = self.json("inverse", "@s_t03", *words)
        extra = '\n[input.extra]\njoint = "left"\nconstant = 0.05\n[controller.hold]\njoint = "right"\nd = 0.05\ntarget = 0\n'
        self.write("pushed.toml", model + extra)
        answer = self.done("inverse", "pushed.toml", *words, "--json")
        pushed = json.loads(answer.out)
        self.assertEqual(pushed["errors"], alone["errors"])
        self.assertEqual(pushed["left_out"], alone["left_out"] + ["input 'extra'", "controller 'hold'"])
        self.assertIn("warning: input 'extra', controller 'hold' are left out", answer.err)
        silent = self.done("inverse", "pushed.toml", *words, "--no-inputs", "--json")
        self.assertEqual((silent.out, silent.err), (answer.out, ""))
        # rates need no efforts: nothing is left out
        self.assertEqual(self.json("inverse", "pushed.toml", *words, "--level", "2")["left_out"], [])

    def test_joints_driven_by_motion_stay_where_they_start(self):
        model = (top / "models/reference/saha/s_t03.toml").read_text()
        mast = ("[body.mast]\nmass = 0.1\ninertia = [0.01, 0.01, 0.01]\n[joint.mast]\ntype = \"revolute\"\nparent = \"platform\"\nchild = \"mast\"\n"
                "axis = \"z\"\ndrive = \"motion\"\n[input.mast]\njoint = \"mast\"\nramp = { from = 0, to = 1, over = 1 }\n")
        if "[body.platform]" not in model:
            self.skipTest("the vehicle has no body 'platform'")
        self.write("mast.toml", model + "\n" + mast)
        answer = self.json("inverse", "mast.toml", "--path", "round", "--sample", "0.1")
        self.assertLess(max(row[0] for row in answer["errors"]["values"]), 1e-3)

    def test_loops_stay_closed_along_a_path(self):
        # a platform on six legs, driven in their length; integrated positions would drift open
        leg = """
[body.lower{k}]
mass = 1.5
com = [0, 0, 0.175]
inertia = [0.02, 0.02, 0.001]
[body.upper{k}]
mass = 0.8
com = [0, 0, -0.175]
inertia = [0.01, 0.01, 0.0005]
[joint.foot{k}]
type = "universal"
parent = "ground"
child = "lower{k}"
axis = "x"
axis2 = "y"
at = {{ xyz = ["0.4*cos({low}*pi/180)", "0.4*sin({low}*pi/180)", 0] }}
[joint.slide{k}]
type = "prismatic"
parent = "lower{k}"
child = "upper{k}"
axis = "z"
drive = "torque"
[joint.ball{k}]
type = "spherical"
parent = "upper{k}"
child = "plate"
child_at = {{ xyz = ["0.25*cos({high}*pi/180)", "0.25*sin({high}*pi/180)", 0] }}
"""
        plate = """trammel = 1
[body.plate]
mass = 10
inertia = [0.2, 0.2, 0.4]
[joint.plate]
type = "free"
parent = "ground"
child = "plate"
"""
        legs = [(-12, -48), (12, 48), (108, 72), (132, 168), (228, 192), (252, 288)]
        start = "[state.position]\n" + "".join(f"slide{k + 1} = 0.5\n" for k in range(6))
        self.write("hexapod.toml", plate + "".join(leg.format(k=k + 1, low=low, high=high) for k, (low, high) in enumerate(legs)) + start)
        words = ("hexapod.toml", "--path", "straight = { x = 0.1, y = 0.1, over = 1 }", "--at", "plate", "--level", "3")
        for sample in "0.05", "0.02":
            answer = self.json("inverse", *words, "--sample", sample)
            self.assertLess(answer["path_error"]["position"], 1e-6)
            self.assertEqual(len(answer["drives"]["names"]["rows"]), 6)

    def test_a_locked_joint_is_at_rest_but_for_rounding(self):
        rover = """trammel = 1
[body.chassis]
mass = 12
inertia = [0.2, 0.3, 0.4]
[joint.base]
type = "free"
parent = "ground"
child = "chassis"
[body.left_wheel]
mass = 0.8
inertia = [0.001, 0.002, 0.001]
[joint.left]
type = "revolute"
parent = "chassis"
child = "left_wheel"
at = { xyz = [0, 0.2, 0] }
axis = "y"
drive = "torque"
[body.right_wheel]
mass = 0.8
inertia = [0.001, 0.002, 0.001]
[joint.right]
type = "revolute"
parent = "chassis"
child = "right_wheel"
at = { xyz = [0, -0.2, 0] }
axis = "y"
drive = "torque"
[wheel.left]
body = "left_wheel"
radius = 0.075
[wheel.right]
body = "right_wheel"
radius = 0.075
[wheel.caster]
type = "caster"
body = "chassis"
radius = "30 mm"
trail = "25 mm"
mass = 0.3
at = { xyz = [-0.3, 0, "-45 mm"] }
[body.upper]
mass = 2
com = [0.15, 0, 0]
inertia = [0.001, 0.02, 0.02]
[joint.shoulder]
type = "revolute"
parent = "chassis"
child = "upper"
at = { xyz = [0.05, 0, 0.12] }
axis = "-y"
drive = "locked"
[body.fore]
mass = 1
com = [0.12, 0, 0]
inertia = [0.001, 0.01, 0.01]
[joint.elbow]
type = "revolute"
parent = "upper"
child = "fore"
at = { xyz = [0.3, 0, 0] }
axis = "-y"
drive = "locked"
[state.position]
base = [1, 0, 0, 0, 0, 0, 0.075]
shoulder = "60 deg"
elbow = "-90 deg"
"""
        self.write("rover.toml", rover)
        answer = self.json("inverse", "rover.toml", "--path", 'circle = { radius = 1, angle = "180 deg", over = 8 }', "--at", "chassis")
        rates = dict(zip(answer["joints"]["names"]["rows"], answer["joints"]["values"]))
        for joint in "shoulder", "elbow":
            self.assertEqual(rates[joint][0], 0)
            self.assertEqual(rates[joint][4], 0)

    def test_what_cannot_be_done_is_named(self):
        # torque limits too small: which drive lacks how much, and when
        self.assertRegex(self.fails(1, "@s_t08", "--limit", "wheel1=0.01,wheel2=0.01,wheel3=0.01,wheel4=0.01"),
                         r"at t = 3\.\d+ s: .*there is no solution within the limits: 'wheel1', .* would each need .* more"
                         r".*; so at \d+ of 1201 samples, worst at t = \d+\.?\d* s, where 0\.0\d+ is lacking")
        # fewer drives than ways to move
        self.assertRegex(self.fails(1, "@s_t07", "--idle", "wheel1"), "2 drives for mobility 3: the drives without 'wheel1'")
        # sideways
        self.assertIn("the vehicle cannot follow the path",
                      self.fails(1, "@s_t01", "--path", "straight = { x = 1, over = 10 }\nyaw = 0", "--at", "axle"))
        # a platform with its center beside its axle, heading along y: a likely mistake
        self.done("generate", "platform", top / "models/tables/differential_drive.csv", "-o", "drive.toml")
        on_circle = ["drive.toml", "--path", 'circle = { radius = 2, angle = "90 deg", over = 10 }', "--level", "2"]
        output = self.fails(1, *on_circle, "--at", "platform")
        self.assertIn("wheel 'left_rim' rolls 90 deg from the x axis of 'platform': --forward '90 deg' sets this direction", output)
        self.assertIn("'platform' is 0.101 m away from the axle of wheel 'left_rim'", output)
        point = re.search(r"--at (platform:\S+)", output).group(1)
        self.assertEqual(point, "platform:0,-0.101,0")
        self.done("inverse", *on_circle, "--at", point, "--forward", "90 deg")
        # a corner
        self.write("back.csv", "t,x,y\n0,0,0\n5,1,0\n10,0,0\n")
        self.assertIn("a corner of 180 deg at t = 5", self.fails(1, "@s_t07", "--path", "back.csv", "--at", "platform"))
        # a corner of 90 degrees is rounded, and the distance from it is reported
        self.write("corner.csv", "t,x,y\n0,0,0\n5,1,0\n10,1,1\n")
        self.assertRegex(self.done("inverse", "@s_t07", "--path", "corner.csv", "--at", "platform", "--level", "1").err,
                         r"the points turn by 90 deg at t = 5 s; the path is rounded there, up to 0\.\d+ m from")
        # a missing value, and a time that decreases
        self.write("hole.csv", "t,x,y\n0,0,0\n5,,0\n4,1,1\n")
        output = self.fails(1, "@s_t07", "--path", "hole.csv", "--at", "platform")
        self.assertIn("hole.csv:3:1: error: row 2 has no 'x'", output)
        self.assertIn("hole.csv:4:1: error: row 3 is at t = 4 s, not after the one before it, 5 s", output)

    def test_usage_is_reported(self):
        self.assertIn("the model has round, across", self.fails(2, "@s_t03"))
        self.assertIn("did you mean 'round'?", self.fails(1, "@s_t03", "--path", "rond"))
        self.assertIn("add --at", self.fails(2, "@s_t07", "--path", "straight = { x = 1, over = 1 }"))
        self.assertIn("did you mean 'wheel1'?", self.fails(2, "@s_t07", "--idle", "whel1"))
        self.assertIn("--level", self.fails(2, "@s_t07", "--level", "5"))
        self.assertIn("'straight.ovr' is not a key known here",
                      self.fails(1, "@s_t07", "--path", "straight = { x = 1, ovr = 1 }"))


class Design(InFolder):
    def test_the_vehicles_of_saha_(self):
        # S-T10, table 4.2 with the wheels at (+-0.2, +-0.3): L = sqrt(2) d, and the lever of 0.1 m
        four = self.json("design", "@s_t08")
        length = 2 ** 0.5 * 0.13 ** 0.5
        self.assertAlmostEqual(four["length"], length, delta=1e-12)
        for got, wanted in zip(four["singular_values"], (20, 20, 2 / length)):
            self.assertAlmostEqual(got, wanted, delta=1e-9)
        self.assertAlmostEqual(four["lengths"][3]["length"], 0.1, delta=1e-5)
        self.assertAlmostEqual(four["lengths"][3]["condition"], 1, delta=1e-6)
        three = self.json("design", "@s_t07")
        self.assertTrue(three["isotropic"])
        self.assertAlmostEqual(three["length"], 0.42426, delta=5e-6)
        for value in three["singular_values"]:
            self.assertAlmostEqual(value, 12.247449, delta=5e-7)

    def test_rings_are_isotropic_and_their_tables_are_vehicles(self):
        for wheels, sigma in (3, 12.247449), (4, 14.142136), (6, 17.320508), (7, (7 / 0.02) ** 0.5):
            ring = self.json("design", "--isotropic", wheels, "-o", "ring.csv", "--report", "ring.svg", "--force")
            self.assertTrue(ring["isotropic"])
            self.assertAlmostEqual(ring["singular_values"][0], sigma, delta=1e-6)
            again = self.json("design", "ring.csv")
            self.assertTrue(again["isotropic"])
            self.assertAlmostEqual(again["condition"], 1, delta=1e-8)
            self.done("generate", "platform", "ring.csv", "-o", "ring.toml", "--force")
            self.assertTrue((self.folder / "ring.svg").read_text().startswith("<svg"))

    def test_a_singular_layout_and_a_search_near_it(self):
        # S-T10: the square version of table 4.2, and table 5.1
        table = top / "models/tables/mecanum_square.csv"
        square = self.json("design", table)
        self.assertIsNone(square["condition"])
        for got, wanted in zip(square["singular_values"], (20, 20, 0)):
            self.assertAlmostEqual(got, wanted, delta=1e-9)
        self.assertIn("no wheel turns the platform", square["singular_because"])
        self.assertIn("infinite: it is singular", self.done("design", table).out)
        even = self.json("design", top / "models/tables/mecanum_isotropic.csv")
        self.assertTrue(even["isotropic"])
        self.assertAlmostEqual(even["length"], 2 ** 0.5 * 0.3, delta=1e-12)
        for value in even["singular_values"]:
            self.assertAlmostEqual(value, 20, delta=1e-9)
        found = self.json("design", table, "--vary", "axle=-180 deg,180 deg")
        self.assertTrue(found["isotropic"])
        self.assertLess(found["search"]["anisotropy"], 1e-8)

    def test_wheel_constraints_are_reported_once(self):
        output = self.done("info", top / "models/tables/omni_four.csv").out
        self.assertIn("not holonomic: only 2 relations between positions, like those of joints, are imposed by", output)
        self.assertNotIn("not restricted by", output)
        self.assertIn("positions are not restricted by", self.done("info", "@e_06").out)

    def test_no_wheel_is_isotropic_by_itself(self):
        output = self.done("design", "@s_t07", "--roller-radius", "0.01").out
        self.assertIn("each wheel alone: never isotropic", output)
        self.assertIn("condition number is 10 or more", output)  # rollers across, a tenth as large

    def test_an_arm(self):
        # two links of 1 and 1/2 m, stretched out: the tip rotates with 1, 1 and moves across with 1.5, 0.5
        self.folder.joinpath("arm.csv").write_text("length,mass,axis\n1,1,z\n0.5,1,z\n")
        self.done("generate", "chain", "arm.csv", "-o", "arm.toml", "--force")
        last = self.json("info", "arm.toml")["bodies"][-1]["name"]
        found = self.json("design", "arm.toml", "--at", last + ":0.5,0,0", "--length", "1")
        self.assertEqual((found["ways"], found["directions"]), (2, 2))
        # squares sum to 1 + 1 + 2.25 + 0.25, the product is |1 * 0.5 - 1 * 1.5|
        large, small = found["singular_values"]
        self.assertAlmostEqual(large ** 2 + small ** 2, 4.5, delta=1e-12)
        self.assertAlmostEqual(large * small, 1, delta=1e-12)
        self.assertAlmostEqual(found["condition"], large / small, delta=1e-9)

    def test_a_closed_chain_by_its_drive(self):
        bar = self.json("design", "@four_bar", "--at", "coupler")
        self.assertEqual((bar["ways"], bar["decided"], bar["directions"]), (1, 1, 1))
        self.assertEqual(bar["condition"], 1)

    def test_usage_is_reported(self):
        for words, output in (([], "Usage"), (["@puma_560"], "--at"), (["--isotropic", "2"], "three"),
                            (["@s_t03", "--vary", "axle=0,1"], "rollers"),
                            (["@s_t07", "--vary", "axl=0,1"], "parts are rollers"),
                            (["@s_t07", "--length", "0"], "--length")):
            answer = self.trammel("design", *words)
            self.assertNotEqual(answer.code, 0)
            self.assertIn(output, answer.err)


if __name__ == "__main__":
    unittest.main()
