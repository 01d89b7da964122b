"""Do the commands answer right? Numbers from closed forms of a rod (1 kg, 0.8 m) that swings about y."""
import json
import math
import re
import unittest

from program import InFolder, top, trammel

g, length = 9.81, 0.8
inertia = length ** 2 / 3  # of a thin rod of 1 kg about its end


class Eval(InFolder):
    def answer(self, quantity, *words):
        return self.json("eval", "@pendulum", quantity, *words)["answers"][quantity]

    def value(self, quantity, *words):
        return self.answer(quantity, *words)["values"][0]

    def test_the_rod_falls_as_a_rod_does(self):
        q = 0.3
        self.assertAlmostEqual(self.value("forward_dynamics", "--q", q), 1.5 * g / length * math.cos(q), 13)
        self.assertAlmostEqual(self.value("inverse_dynamics", "--q", q, "--a", 2),
                               2 * inertia - g * length / 2 * math.cos(q), 13)
        self.assertAlmostEqual(self.value("mass_matrix")[0], inertia, 15)
        self.assertAlmostEqual(self.value("forward_dynamics", "--q", q, "--tau", 0.7),
                               1.5 * g / length * math.cos(q) + 0.7 / inertia, 13)

    def test_positions_may_have_names_units_and_formulas(self):
        expected = self.value("gravity_load", "--q", math.pi / 6)
        for words in (["--q", "30 deg"], ["--q", "pivot=pi/6"], ["--q=pivot = 30 deg"], ["--q", "[pi/6]"],
                      ["--q", "1", "--q", "pivot=30 deg"]):
            self.assertAlmostEqual(self.value("gravity_load", *words), expected, 15)
        self.assertAlmostEqual(self.value("gravity_load", "--q", "-1.5"), -g * length / 2 * math.cos(1.5), 14)

    def test_parameters_and_gravity_can_be_set(self):
        self.assertAlmostEqual(self.value("forward_dynamics", "--set", "length=1.6"), 1.5 * g / 1.6, 13)
        self.assertAlmostEqual(self.value("forward_dynamics", "--set", "length=160 cm"), 1.5 * g / 1.6, 13)
        self.assertAlmostEqual(self.value("forward_dynamics", "--gravity", "0,0,-1.62"), 1.5 * 1.62 / length, 13)

    def test_outside_forces_and_a_moving_ground_act(self):
        # an upward force at the tip lifts: dz/dq = -length, so the effort of the motor is larger by its moment
        lifted = self.value("inverse_dynamics", "--wrench", "tip=0,0,0,0,0,5")
        self.assertAlmostEqual(lifted, -g * length / 2 + 5 * length, 13)
        half = self.value("inverse_dynamics", "--wrench", "rod:0.4,0,0=0,0,0,0,0,5")
        self.assertAlmostEqual(half, -g * length / 2 + 5 * length / 2, 13)
        # in a freely falling lift no effort is needed
        self.assertAlmostEqual(self.value("inverse_dynamics", "--ground-acceleration", f"0,0,0,0,0,{-g}"), 0, 13)

    def test_a_place_is_expressed_in_the_requested_axes(self):
        q = 0.5
        world = self.answer("jacobian", "--at", "tip", "--q", q)
        self.assertEqual((world["frame"], world["names"]["columns"]), ("world", ["pivot"]))
        for found, expected in zip(world["values"], [0, 1, 0, -length * math.sin(q), 0, -length * math.cos(q)]):
            self.assertAlmostEqual(found[0], expected, 15)
        body = self.answer("jacobian", "--at", "tip", "--q", q, "--frame", "body")
        self.assertEqual(body["frame"], "tip")
        for found, expected in zip(body["values"], [0, 1, 0, 0, 0, -length]):
            self.assertAlmostEqual(found[0], expected, 15)
        self.assertEqual(world["unit"], [["1"]] * 3 + [["m/rad"]] * 3)

    def test_every_quantity_answers(self):
        for entry in self.json("eval", "floating.toml")["quantities"]:
            with self.subTest(entry["name"]):
                # some functions have no result for a ball joint, a joint driven by motion, or a passive base
                model = "@seven_axis_arm" if entry["name"] == "operational_space_inertia" else \
                    "arm.urdf" if entry["name"] in ("transmission_form", "forward_dynamics_derivatives", "drive_efforts") else \
                    "@four_bar" if entry["name"] == "branches" else "floating.toml"
                place = ["--at", "tool"] if entry["needs_place"] else []
                if model == "@seven_axis_arm":
                    place += ["--q", "0.1,0.5,0.2,-1,0.3,0.8,0"]  # away from singular poses
                answer = self.json("eval", model, entry["name"], *place)["answers"][entry["name"]]
                parts = [answer] if "values" in answer else list(answer.values())
                for part in parts:
                    rows = part["names"]["rows"] if isinstance(part["names"], dict) else part["names"]
                    self.assertEqual(len(part["values"]), len(rows))
                text = self.done("eval", model, entry["name"], *place).out
                self.assertTrue(text.startswith(entry["name"]))
                self.assertNotRegex(text, r"(?<![\w.])-0(?![\w.])")

    def test_work_that_fails_says_so_in_the_engines_words(self):
        answer = self.trammel("eval", "arm.urdf", "operational_space_inertia", "--at", "fore")
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertRegex(answer.err, "^trammel: operational_space_inertia: body 'fore' can move in only 2 of six ways here")
        answer = self.trammel("eval", "loop.toml", "forward_dynamics_derivatives")
        self.assertEqual(answer.code, 1)
        self.assertIn("does not support yet: loop joint 'd'", answer.err)

    def test_what_can_be_answered_is(self):
        # the accelerations are an input of the first, and the result of the second
        answer = self.trammel("eval", "arm.urdf", "inverse_dynamics", "forward_dynamics", "--a", "0.5,0.5", "--json")
        self.assertEqual(answer.code, 0)
        self.assertIn("result from the efforts there, --a does not apply to them", answer.err)
        # a function without a result does not affect the others
        answer = self.trammel("eval", "loop.toml", "energy", "forward_dynamics_derivatives")
        self.assertEqual(answer.code, 1)
        self.assertIn("energy", answer.out)
        self.assertIn("does not support yet: loop joint 'd'", answer.err)
        failed = json.loads(self.trammel("eval", "loop.toml", "energy", "forward_dynamics_derivatives", "--json").out)
        self.assertEqual((list(failed["answers"]), list(failed["failed"])), (["energy"], ["forward_dynamics_derivatives"]))

    def test_loops_are_closed_at_the_start_and_on_request(self):
        state = self.json("eval", "loop.toml", "energy")["state"]
        self.assertEqual(state["position"]["values"], [0, 0, 0])  # closed at its start
        answer = self.trammel("eval", "loop.toml", "forward_dynamics", "--q", "0.3,0,0")
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertRegex(answer.err, "loop joint 'd' is violated by 0.299 m and 0 rad; the nearest closed position has a = ")
        for words in [], ["--assemble"]:
            state = self.json("eval", "loop.toml", "forward_dynamics", "--q", "a=0.3", *words)["state"]
            a, b, c = state["position"]["values"]  # a parallelogram: the coupler keeps its attitude
            self.assertEqual(a, 0.3)
            self.assertAlmostEqual(b, -0.3, delta=1e-12)
            self.assertAlmostEqual(c, 0.3, delta=1e-12)

    def test_contacts_are_reported_with_their_forces(self):
        answer = self.json("eval", "block.toml", "contact_forces", "--v", "0.3,0,0")["answers"]["contact_forces"]
        self.assertEqual(answer["names"]["rows"], ["toe", "heel"])
        toe, heel = ({name: x for name, x in zip(answer["names"]["columns"], row)} for row in answer["values"])
        press = 1e5 * 0.001 ** 1.5
        self.assertAlmostEqual(toe["depth"], 0.001, 15)
        self.assertAlmostEqual(toe["press"], press, 11)
        self.assertAlmostEqual(toe["normal z"], press, 11)
        self.assertAlmostEqual(toe["friction x"], -0.5 * press * 0.3 / math.hypot(0.3, 0.001), 11)
        self.assertAlmostEqual(toe["x"], 0.1, 15)
        self.assertEqual((heel["press"], heel["friction x"]), (0, 0))
        self.assertAlmostEqual(heel["depth"], -0.02, 15)  # in the air
        self.done("simulate", "block.toml", "--duration", "0.1", "--record", "contacts", "-o", "run.csv")
        header = (self.folder / "run.csv").read_text().splitlines()[0]
        self.assertIn("contact.toe.press [N]", header)
        self.assertIn("contact.heel.friction.z [N]", header)

    def test_rows_are_listed_by_their_nature(self):
        found = self.json("eval", "@e_06", "row_natures")["answers"]["row_natures"]
        self.assertEqual(found["names"]["columns"], ["exact", "integrable", "rheonomic", "catastatic"])
        # a disk has a constraint on its height, a position; neither rolling row is integrable
        self.assertEqual(dict(zip((name.split(": ")[1] for name in found["names"]["rows"]), found["values"])),
                         {"force up": [1, 1, 0, 1], "force across": [0, 0, 0, 1], "force along": [0, 0, 0, 1]})
        self.done("eval", "@pendulum", "row_natures")

    def test_wheels_are_recorded_with_their_points_and_rollers(self):
        self.done("simulate", "@s_t07", "--duration", "0.1", "--record", "wheels", "-o", "run.csv")
        head, first = (self.folder / "run.csv").read_text().splitlines()[:2]
        row = dict(zip(head.split(","), map(float, first.split(","))))
        # the first wheel is 0.3 m along y; its roller, of 0.01 m, takes the velocity along its axle: -0.5 m/s
        for name, wanted in ("point.x [m]", 0), ("point.y [m]", 0.3), ("point.z [m]", 0), ("roller_rate [rad/s]", -50):
            self.assertAlmostEqual(row["wheel.rim1." + name], wanted, delta=1e-12)

    def test_wheels_are_reported_without_rounding_on_the_terminal(self):
        wheels = ("eval", "@s_t08", "wheel_contacts")
        text = self.done(*wheels).out
        self.assertNotRegex(text, r"e-1[0-9]")
        exact = self.json(*wheels)["answers"]["wheel_contacts"]
        largest = max(abs(x) for x, unit in zip(exact["values"], exact["unit"]) if unit == "N")
        for line in text.splitlines()[1:]:
            name, value, unit = re.fullmatch(r"\s*(.*?)\s+([-+.\de]+|inf)\s+(\S+)", line).groups()
            found = exact["values"][exact["names"].index(name)]
            if found is not None:
                self.assertAlmostEqual(float(value), found, delta=1e-12 * max(largest, 1) + 5e-6 * abs(found))  # 6 digits

    def test_the_linear_motion_is_one_table(self):
        found = self.json("linearize", "@f7", "--equilibrium", "-o", "near.csv", "-o", "near.json")
        self.assertEqual(json.loads((self.folder / "near.json").read_text()), found)
        head, *rows = [line.split(",") for line in (self.folder / "near.csv").read_text().splitlines()]
        self.assertEqual(head, ["part", "name", *found["A"]["names"]["columns"], *found["B"]["names"]["columns"]])
        self.assertEqual([row[:2] for row in rows], [["state", name] for name in found["A"]["names"]["rows"]] +
                         [["output", name] for name in found["C"]["names"]["rows"]])
        wanted = [a + b for a, b in zip(found["A"]["values"] + found["C"]["values"], found["B"]["values"] + found["D"]["values"])]
        self.assertEqual([[float(x) for x in row[2:]] for row in rows], wanted)
        self.assertEqual(self.trammel("linearize", "@f7", "-o", "near.csv").code, 1)  # the file exists

    def test_inputs_over_time_are_reported_as_left_out(self):
        model = """trammel = 1
body.rod = { mass = 1, com = [0.5, 0, 0], inertia = [0.1, 0.1, 0.1] }
joint.pivot = { type = "revolute", parent = "ground", child = "rod", axis = "y", drive = "torque" }
controller.hold = { joint = "pivot", p = 100, d = 20, target = 0.3 }
input.push = { joint = "pivot", constant = 1 }
wrench.wind = { at = "rod", force = [1, 0, 0] }
"""
        (self.folder / "held.toml").write_text(model)
        names = ["input 'push'", "controller 'hold'", "wrench 'wind'"]
        answer = self.done("linearize", "held.toml", "--json")
        self.assertEqual(json.loads(answer.out)["left_out"], names)
        self.assertIn("warning: only simulate applies " + ", ".join(names), answer.err)
        self.assertNotIn("only simulate applies", self.done("linearize", "@double_pendulum").err)

    def test_uncontrollable_modes_are_reported(self):
        at_rest = ("linearize", "@s_t01", "--v", "0,0,0,0,0")
        text = self.done(*at_rest).out
        self.assertRegex(text, r"q.base\.x; cannot be stabilized by smooth feedback")
        modes = self.json(*at_rest)["uncontrollable_modes"]
        self.assertEqual([mode["stabilisable"] for mode in modes], [False] * 3)
        self.assertNotIn("uncontrollable modes", self.done("linearize", "arm.urdf").out)

    def test_a_four_bar_closes_in_two_ways(self):
        given = ("eval", "@four_bar", "branches", "--q", "motor=60 deg")
        both = self.json(*given)["answers"]["branches"]
        self.assertEqual(both["names"], {"rows": ["branch 1", "branch 2"], "columns": ["motor", "knee", "foot"]})
        for branch, q in enumerate(both["values"], 1):
            taken = self.json("eval", "@four_bar", "energy", "--q", "motor=60 deg", "--branch", branch)["state"]
            for x, y in zip(taken["position"]["values"], q):
                self.assertAlmostEqual(x, y, delta=1e-9)
        self.assertGreater(abs(both["values"][0][1] - both["values"][1][1]), 0.5)
        answer = self.trammel("eval", "@four_bar", "energy", "--q", "motor=60 deg", "--branch", "3")
        self.assertEqual(answer.code, 2)
        self.assertIn("there are branches 1 to 2", answer.err)

    def test_places_are_reached(self):
        given = ("eval", "@seven_axis_arm", "poses", "--at", "tool", "--q", "0.1,0.5,0.2,-1,0.3,0.8,0")
        answer = self.json(*given, "--reach", "tool=0.4,0.1,0.6,180 deg,0,0")["answers"]["poses"]
        for x, y in zip(answer["position"]["values"][0], [0.4, 0.1, 0.6]):
            self.assertAlmostEqual(x, y, delta=1e-9)
        answer = self.json(*given, "--reach", "tool=0.4,0.1,0.6")["answers"]["poses"]  # any orientation
        for x, y in zip(answer["position"]["values"][0], [0.4, 0.1, 0.6]):
            self.assertAlmostEqual(x, y, delta=1e-9)
        answer = self.trammel(*given, "--reach", "tool=5,0,0")
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertRegex(answer.err, "^trammel: inverse_kinematics: this cannot be closed from here: frame 'tool' stays 4")

    def test_minimal_equations_are_in_the_chosen_joints(self):
        given = ("--q", "motor=60 deg", "--v", "motor=1", "--assemble", "--tau", "motor=0.7")
        names = ("eval", "@four_bar", "minimal_equations", "orthogonal_complement", "forward_dynamics", *given, "--independent", "motor")
        answers = self.json(*names)["answers"]
        equations = answers["minimal_equations"]
        self.assertEqual(equations["inertia"]["names"]["rows"], ["motor"])
        u = (equations["effort"]["values"][0] - equations["bias"]["values"][0]) / equations["inertia"]["values"][0][0]
        T, bias = answers["orthogonal_complement"]["T"]["values"], answers["orthogonal_complement"]["T_dot_u"]["values"]
        for k, a in enumerate(answers["forward_dynamics"]["values"]):
            self.assertAlmostEqual(T[k][0] * u + bias[k], a, delta=1e-9)
        answer = self.trammel("eval", "@four_bar", "orthogonal_complement", "--independent", "moter")
        self.assertEqual(answer.code, 2)
        self.assertIn("did you mean 'motor'?", answer.err)

    def test_solvers_have_one_solution(self):
        given = ("eval", "loop.toml", "forward_dynamics", "multipliers", "--q", "a=0.3", "--assemble", "--tau", "a=2")
        answers = [self.json(*given, "--solver", solver)["answers"] for solver in ("automatic", "schur", "null_space", "kkt", "sparse")]
        for answer in answers:
            for x, y in zip(answer["forward_dynamics"]["values"], answers[0]["forward_dynamics"]["values"]):
                self.assertAlmostEqual(x, y, delta=1e-9)
        answer = self.trammel("eval", "loop.toml", "reactions", "--solver", "kkt", "--json")
        self.assertEqual(json.loads(answer.out)["solvers"], {"reactions": "kkt"})
        answer = self.done("eval", "loop.toml", "energy", "--solver", "kkt")
        self.assertIn("warning: --solver has no effect on these quantities", answer.err)
        answer = self.trammel("eval", "loop.toml", "energy", "--solver", "straight")
        self.assertEqual(answer.code, 2)
        self.assertIn("option --solver is 'straight'", answer.err)

    def test_units_follow_the_dofs(self):
        answers = self.json("eval", "arm.urdf", "mass_matrix", "inverse_dynamics")["answers"]
        self.assertEqual(answers["mass_matrix"]["unit"], [["kg m^2", "kg m"], ["kg m", "kg"]])
        self.assertEqual(answers["inverse_dynamics"]["unit"], ["N m", "N"])
        state = self.json("eval", "floating.toml", "energy")["state"]
        self.assertEqual(state["position"]["unit"], ["1"] * 4 + ["m"] * 3 + ["m"] + ["1"] * 4)
        self.assertEqual(state["position"]["names"][:2], ["float.qw", "float.qx"])
        self.assertEqual(state["position"]["values"][6], 2)

    def test_a_quaternion_with_the_digits_of_a_person_is_taken(self):
        state = self.json("eval", "floating.toml", "energy", "--q", "ball=0.7071,0.7071,0,0")["state"]
        self.assertAlmostEqual(state["position"]["values"][8], math.sqrt(0.5), 15)
        answer = self.trammel("eval", "floating.toml", "energy", "--q", "ball=1,1,0,0")
        self.assertEqual(answer.code, 1)
        self.assertIn("quaternion of joint 'ball'", answer.err)

    def test_parameters_without_effect_are_reported(self):
        answer = self.done("eval", "arm.urdf", "mass_matrix", "--tau", "1,2", "--at", "fore")
        self.assertIn("warning: --tau has no effect on these quantities\n", answer.err)
        self.assertIn("warning: --at has no effect on these quantities\n", answer.err)
        self.assertEqual(self.done("eval", "-q", "arm.urdf", "mass_matrix", "--tau", "1,2").err, "")
        self.assertEqual(self.done("eval", "arm.urdf", "forward_dynamics", "--tau", "1,2").err, "")

    def test_a_state_outside_the_limits_is_reported(self):
        answer = self.done("eval", "arm.urdf", "energy", "--q", "elbow=0.7", "--v", "shoulder=9")
        self.assertIn("warning: joint 'elbow' is at 0.7, above its limit of 0.5\n", answer.err)
        self.assertIn("warning: joint 'shoulder' moves at 9, faster than its limit of 3\n", answer.err)
        limits = self.json("eval", "arm.urdf", "limits", "--q", "elbow=0.7")["answers"]["limits"]
        self.assertEqual(limits["position"]["values"], [[0, -1, 1], [0.7, 0, 0.5]])
        self.assertEqual(limits["velocity"]["values"], [[0, 3], [0, 1]])

    def test_text_is_aligned_and_named(self):
        # 0.03 + 2 0.2^2 + 0.01 + 0.55^2 kg m^2, and -(2 0.2 + 0.55) 9.81 N m
        self.assertEqual(self.done("eval", "arm.urdf", "mass_matrix", "inverse_dynamics", "--digits", "6").out,
                         "mass_matrix\n"
                         "            shoulder       elbow\n"
                         "  shoulder  0.4225 kg m^2  0 kg m\n"
                         "  elbow     0      kg m    1 kg\n"
                         "inverse_dynamics\n"
                         "  shoulder  -9.3195 N m\n"
                         "  elbow      0      N\n")
        self.assertEqual(self.done("eval", "@pendulum", "energy", "--q", "0.5", "--digits", "4").out,
                         "energy [J]\n"
                         "  kinetic   0\n"
                         "  gravity  -1.881\n"
                         "  elastic   0\n"
                         "  total    -1.881\n")

    def test_text_has_six_digits_and_no_rounding_errors(self):
        text = self.done("eval", "@four_bar", "reactions").out
        self.assertNotRegex(text, r"e-1[0-9]|\d{7}")
        exact = self.done("eval", "@four_bar", "inverse_dynamics", "--digits", "17").out
        found = self.json("eval", "@four_bar", "inverse_dynamics")["answers"]["inverse_dynamics"]["values"][0]
        self.assertIn(repr(found), exact)  # the shortest text that reads back as the same
        self.assertIn(f"{found:.6g}", self.done("eval", "@four_bar", "inverse_dynamics").out)
        # 18.39375 cos(q) is small near 90 degrees, and no rounding error
        self.assertRegex(self.done("eval", "@pendulum", "forward_dynamics", "--q", "1.5707963").out, r"pivot +4\.92859e-07")
        overview = self.done("info", "@scissor_lift").out
        self.assertIn("mass 158 kg", overview)
        self.assertNotRegex(overview, r"\d\.\d{7}")

    def test_angles_are_degrees_if_asked_for(self):
        state = ("--q", "pivot=30 deg", "--v", "2")
        plain, degrees = (self.json("eval", "@pendulum", "forward_dynamics", "velocities", *state, "--at", "rod", "--angles", unit)["answers"]
                          for unit in ("rad", "deg"))
        turn = 57.29577951308232
        self.assertEqual(degrees["forward_dynamics"]["unit"], "deg/s^2")
        self.assertAlmostEqual(degrees["forward_dynamics"]["values"][0], turn * plain["forward_dynamics"]["values"][0], places=9)
        self.assertEqual(plain["velocities"]["unit"], [["rad/s"] * 3 + ["m/s"] * 3])
        self.assertEqual(degrees["velocities"]["unit"], [["deg/s"] * 3 + ["m/s"] * 3])
        for k, factor in enumerate([turn] * 3 + [1] * 3):
            self.assertAlmostEqual(degrees["velocities"]["values"][0][k], factor * plain["velocities"]["values"][0][k], places=9)
        self.assertIn("forward_dynamics [deg/s^2]\n", self.done("eval", "@pendulum", "forward_dynamics", "--angles", "deg").out)
        self.assertIn("it takes rad or deg", self.trammel("eval", "@pendulum", "energy", "--angles", "gon").err)

    def test_states_come_from_files(self):
        expected = self.value("energy", "--q", 0.5, "--v", 2)
        (self.folder / "s.toml").write_text('[state.position]\npivot = "0.5 rad"\n[state.velocity]\npivot = 2\n')
        (self.folder / "s.json").write_text('{"position": {"pivot": 0.5}, "velocity": {"pivot": [2]}}')
        (self.folder / "again.json").write_text(
            self.done("eval", "@pendulum", "energy", "--q", "0.5", "--v", "2", "--json").out)
        for file in "s.toml", "s.json", "again.json":
            self.assertEqual(self.value("energy", "--state", file), expected)
        # a free and a ball joint have several entries under one name
        words = ["eval", "floating.toml", "energy", "--q", "float=0.6,0,0.8,0,1,2,3", "--v", "ball[1]=4"]
        before = self.json(*words)
        (self.folder / "f.json").write_text(self.done(*words, "--json").out)
        self.assertEqual(self.json("eval", "floating.toml", "energy", "--state", "f.json"), before)

    def test_wrong_states_are_reported_with_their_place(self):
        wrong = {
            'a.toml': ('[state.position]\npivto = 1\n',
                       "a.toml:2:9: error: the start position is of joint 'pivto', but no joint has that name\n"
                       "  hint: did you mean 'pivot'?\n"),
            'b.toml': ('[stat.position]\npivot = 1\n',
                       "b.toml:1:2: error: the file: 'stat' is not a key known here\n  hint: did you mean 'state'?\n"
                       "b.toml: error: the file has no state\n"
                       "  hint: write [state.position], and below it lines as in elbow = 0.5\n"),
            'c.json': ('{"position": {"pivot": [1, 2]}}',
                       "c.json: error: the start position of joint 'pivot' has 2 values, but a revolute joint has 1 "
                       "coordinate\n  hint: give one value for each\n"),
            'd.json': ('{"q": 3}', "d.json: error: the file has neither a position nor a velocity\n"
                                   "  hint: as in {\"position\": {\"elbow\": 0.3}}\n"),
        }
        for name, (text, expected) in wrong.items():
            with self.subTest(name):
                (self.folder / name).write_text(text)
                answer = self.trammel("eval", "@pendulum", "energy", "--state", name)
                self.assertEqual((answer.code, answer.out, answer.err), (1, "", expected))
        for text in '{"position": ', '{"position": 3}', '{"position": {"pivot": "x"}}', '[1, 2]':
            (self.folder / "e.json").write_text(text)
            answer = self.trammel("eval", "@pendulum", "energy", "--state", "e.json")
            self.assertEqual((answer.code, answer.out), (1, ""))
            self.assertRegex(answer.err, r"\Ae\.json: error: ")
        answer = self.trammel("eval", "@pendulum", "energy", "--state", "none.toml")
        self.assertEqual(answer.code, 1)
        self.assertTrue(answer.err.startswith("none.toml: error: "))


class Acting(InFolder):
    """R-EX1 by hand: a link of 1 m and 2 kg turns with 2 rad/s, an object of 3 kg and 0.4 kg m^2 is welded to its tip."""
    alpha = 5 / (2 / 3 + 3 + 0.4)

    def place(self, *words):
        answer = self.json("eval", "@r_ex1", *words)
        return list(answer["answers"].values())[0], answer

    def test_accelerations_of_a_place_are_those_under_the_efforts(self):
        told, _ = self.place("accelerations", "--at", "object", "--tau", "5")
        for got, wanted in zip(told["values"][0], (0, 0, self.alpha, -4, self.alpha, 0)):
            self.assertAlmostEqual(got, wanted, delta=1e-12)
        # without efforts: accelerations of --a, zero by default
        told, _ = self.place("accelerations", "--at", "object", "--a", "3")
        self.assertAlmostEqual(told["values"][0][4], 3, delta=1e-12)
        told, _ = self.place("accelerations", "--at", "object")
        self.assertAlmostEqual(told["values"][0][4], 0, delta=1e-12)
        # both for one joint are a contradiction
        answer = self.trammel("eval", "@r_ex1", "accelerations", "--at", "object", "--a", "3", "--tau", "5")
        self.assertEqual(answer.code, 1)
        self.assertIn("joint 'hinge'", answer.err)

    def test_a_grip_is_reported_at_its_contact_and_at_the_object(self):
        # on the object: 3 kg times its acceleration, 0.4 kg m^2 times alpha
        wanted = (0, 0, 0.4 * self.alpha, -12, 3 * self.alpha, 0)
        own, _ = self.place("reactions", "--tau", "5")
        self.assertEqual(own["frame"], "of each joint on its child")
        at_object, _ = self.place("reactions", "--tau", "5", "--at", "object", "--frame", "body")
        grip = at_object["names"]["rows"].index("grip")
        for got, want in zip(at_object["values"][grip], wanted):
            self.assertAlmostEqual(got, want, delta=1e-12)
        # at the revolute joint, 1 m away: plus the moment of the force
        at_link, _ = self.place("reactions", "--tau", "5", "--at", "link")
        self.assertEqual(at_link["frame"], "world, at link")
        self.assertAlmostEqual(at_link["values"][grip][2], (3 + 0.4) * self.alpha, delta=1e-12)

    def test_what_the_model_says_of_time_is_named_where_it_would_act(self):
        answer = self.done("eval", "@r_ex1", "forward_dynamics", "--json")
        self.assertIn("warning: input 'motor' is left out", answer.err)
        self.assertEqual(json.loads(answer.out)["left_out"], ["input 'motor'"])
        silent = self.done("eval", "@r_ex1", "forward_dynamics", "--no-inputs", "--json")
        self.assertEqual((silent.out, silent.err), (answer.out, ""))
        for quantity in "mass_matrix", "energy", "inverse_dynamics", "accelerations":
            answer = self.done("eval", "@r_ex1", quantity, "--json")
            self.assertEqual((answer.err, json.loads(answer.out)["left_out"]), ("", []), quantity)


class Published(InFolder):
    """First accelerations of examples of the seeds, with the digits that were published."""

    def test_the_double_pendulum_of_gutenkunst(self):
        found = self.json("eval", "@g_ex1", "forward_dynamics")["answers"]["forward_dynamics"]["values"]
        for value, expected in zip(found, [-0.462447834896, -0.191552165104], strict=True):
            self.assertAlmostEqual(value, expected, 12)

    def test_the_stanford_arm_of_van_der_merwe_closing_a_tap(self):
        plan = "--a=-11.252934,-2.896647,-1.568901,-6.528131,9.424778"
        found = self.json("eval", "@me_2b", "inverse_dynamics", plan)["answers"]["inverse_dynamics"]["values"]
        # both sides are printed with six decimals
        for value, expected in zip(found, [-19.190825, 11.906219, 0.392829, 1.139688, 0.009425], strict=True):
            self.assertAlmostEqual(value, expected, delta=2e-6)


class Check(InFolder):
    def test_every_mistake_is_on_stdout_with_its_place(self):
        answer = self.trammel("check", "wrong.toml", "arm.urdf")
        self.assertEqual(answer.code, 1)
        self.assertEqual(answer.out, "wrong.toml:11:10: error: joint 'shoulder' has child 'crnak', but no body has that name\n"
                                     "  hint: did you mean 'crank'?\n"
                                     "wrong.toml:5:11: error: body 'crank' has mass -1\n"
                                     "  hint: a mass is zero or more\n"
                                     "wrong.toml: 2 mistakes\narm.urdf: sound: 2 bodies, 2 joints, nq 2, nv 2\n")
        self.assertEqual(answer.err, "")
        self.assertNotIn("2 mistakes", self.trammel("check", "-q", "wrong.toml").out)
        self.assertEqual(self.trammel("check", "none.toml").code, 1)

    def test_warnings_do_not_make_a_model_unsound(self):
        text = (self.folder / "arm.urdf").read_text().replace("velocity=\"3\"", "velocity=\"3\" speed=\"3\"")
        (self.folder / "arm.urdf").write_text(text)
        answer = self.trammel("check", "arm.urdf")
        self.assertEqual(answer.code, 0)
        self.assertIn("arm.urdf:", answer.out)
        self.assertIn(": warning: ", answer.out)
        self.assertTrue(answer.out.endswith("nv 2, 1 warning\n"))

    def test_other_commands_tell_mistakes_on_stderr(self):
        expected = self.trammel("check", "-q", "wrong.toml").out
        for words in ["info", "wrong.toml"], ["eval", "wrong.toml", "energy"], ["convert", "wrong.toml", "-", "--to", "urdf"]:
            answer = self.trammel(*words)
            self.assertEqual((answer.code, answer.out, answer.err), (1, "", expected))


class Info(InFolder):
    def test_tells_the_topology(self):
        topologies = {"arm.urdf": "serial chain", "floating.toml": "floating chain", "loop.toml": "mechanism with 1 loop",
                      "@humanoid": "floating tree", "@pendulum": "serial chain"}
        for model, expected in topologies.items():
            self.assertEqual(self.json("info", model)["topology"], expected, model)
        # it has a world link
        self.assertEqual(self.json("info", "arm.urdf", "--base", "free")["topology"], "serial chain")

    def test_tells_the_order_of_q_and_v(self):
        statistics = self.json("info", "floating.toml")
        spans = {joint["name"]: (joint["q"], joint["v"], joint["drive"]) for joint in statistics["joints"]}
        self.assertEqual(spans["float"], ({"start": 0, "count": 7}, {"start": 0, "count": 6}, "none"))
        self.assertEqual(spans["shoulder"], ({"start": 7, "count": 1}, {"start": 6, "count": 1}, "motion"))
        self.assertEqual(spans["ball"], ({"start": 8, "count": 4}, {"start": 7, "count": 3}, "none"))
        self.assertEqual(spans["mount"], (None, None, "none"))
        self.assertEqual(statistics["velocities"]["unit"], ["rad/s"] * 3 + ["m/s"] * 4 + ["rad/s"] * 3)
        self.assertEqual(statistics["mass"]["values"], [5.5])
        text = self.done("info", "floating.toml").out
        for line in ("floating <robot> & arm: floating chain", "  4 bodies, 4 joints, nq 12, nv 10",
                     "  shoulder  prismatic  base    arm     7     6    motion  -0.1 m .. 0.4 m; speed 2 m/s",
                     "        wrist  (ball, spherical)", "  tool   wrist"):
            self.assertIn(line + "\n", text)

    def test_tells_what_is_cut_and_not_honoured(self):
        statistics = self.json("info", "loop.toml")
        self.assertEqual((statistics["cut"], statistics["tree"]), (["d"], ["a", "b", "c"]))
        text = self.done("info", "loop.toml").out
        self.assertIn("  cut: d (revolute) between ground and rocker\n", text)
        self.assertIn("  1 degree of freedom (regular): nv 3 minus 2 independent of 5 constraint rows\n", text)
        self.assertIn("  planar: 3 redundant rows, planar count 1\n", text)  # 3 (4 - 1) - 2 * 4 by Gruebler's formula
        self.assertNotIn("zero row", text)
        mobility = statistics["mobility"]
        self.assertEqual((mobility["finite"], mobility["instantaneous"], mobility["rank"]), (1, 1, 2))
        self.assertEqual(len(mobility["dependent"]), 3)

    def test_planar_mechanisms_have_a_planar_count(self):
        """By Gruebler's formula in the plane, 3 (n - 1) - 2 j, n bodies with ground, j pins and slides."""
        for name, count in (("four_bar", 3 * 3 - 2 * 4), ("slider_crank", 3 * 3 - 2 * 4), ("six_bar", 3 * 5 - 2 * 7),
                            ("f3", 3 * 7 - 2 * 10), ("f2", 3 * 5 - 2 * 7),
                            ("r_ex5", 3 * 5 - 2 * 6),  # held by welds
                            ("bennett", None), ("sarrus", None), ("stewart", None)):
            with self.subTest(name):
                mobility = self.json("info", "@" + name)["mobility"]
                self.assertEqual(mobility["planar_gruebler"], count)
                self.assertEqual("planar count" in self.done("info", "@" + name).out, count is not None)

    def test_a_prescribed_degree_of_freedom_is_one(self):
        text = self.done("info", "@crank_rocker").out
        self.assertIn("  1 degree of freedom, prescribed by the motion of motor (regular): nv 3 minus 3 independent of 6 "
                      "constraint rows, those of prescribed motions included\n", text)
        self.assertIn("  planar: 3 redundant rows, planar count 1\n", text)
        self.assertNotIn("0 degrees of freedom", text)

    def test_equal_arms_are_one_line(self):
        self.assertIn("  ground to plate: 6 arms, each full, rank 6 of 6 with 6 degrees of freedom\n", self.done("info", "@stewart").out)

    def test_digits_and_degrees(self):
        text = self.done("info", "@scara", "--angles", "deg", "--digits", "4").out
        self.assertIn("-130 deg .. 130 deg; speed 400 deg/s; effort 60 N m", text)
        self.assertIn("0 m .. 0.15 m; speed 1.1 m/s; effort 100 N", text)
        self.assertEqual(self.trammel("info", "@scara", "--angles", "grad").code, 2)
        self.assertEqual(self.trammel("linearize", "@pendulum", "--digits", "18").code, 2)
        self.assertIn("q.pivot = 0 rad\n", self.done("linearize", "@pendulum").out)

    def test_tells_which_lengths_keep_it_from_moving(self):
        mobility = self.json("info", "nearly.toml")["mobility"]
        self.assertEqual((mobility["verdict"], mobility["finite"], mobility["finite_nearby"]), ("nearly overconstrained", 0, 1))
        change, = mobility["lengths"]
        self.assertIn(change["name"], ("the place of joint 'pin3' on body 'coupler'", "the place of joint 'foot3' on ground"))
        self.assertAlmostEqual(change["by"]["values"][0], 0.002, delta=1e-9)
        text = self.done("info", "nearly.toml").out
        self.assertIn("  0 degrees of freedom (nearly overconstrained): ", text)
        self.assertRegex(text, "  with slightly different lengths: 1 degree of freedom:\n    the place of joint '.*3' on .* by "
                               "0.002 m along -?1, 0, 0\n")
        warning = self.done("eval", "nearly.toml", "forward_dynamics").err
        self.assertIn("warning: nearly overconstrained: 0 degrees of freedom, but 1 with the place of joint '", warning)
        statistics = self.json("info", "nearly.toml", "--set", "off=0")["mobility"]
        self.assertEqual((statistics["finite"], statistics["lengths"], statistics["finite_nearby"]), (1, [], None))

    def test_reports_topology_and_drives(self):
        statistics = self.json("info", "@four_bar")
        graph, actuation = statistics["graph"], statistics["actuation"]
        self.assertEqual((graph["kind"], graph["form"]), ("closed", "serial closed chain"))
        self.assertEqual((graph["bodies"], graph["joints"], len(graph["loops"])), (4, 4, 1))
        self.assertEqual(set(graph["loops"][0]), {"motor", "knee", "foot", "wrist"})
        self.assertEqual((actuation["driven"], actuation["under"], actuation["over"]), (["motor"], 0, 0))
        text = self.done("info", "@four_bar").out
        self.assertIn("  closed: serial closed chain\n", text)
        self.assertIn("  1 drive (motor) controls 1 of 1 degree of freedom: fully actuated\n", text)
        text = self.done("info", "@cart_pole").out
        self.assertIn("  1 drive (rail) controls 1 of 2 degrees of freedom: underactuated by 1\n", text)
        arm = self.json("info", "@seven_axis_arm", "--q", "0.3,0.4,0.5,0.6,0.7,0.8,0.9")["arms"][0]
        self.assertEqual((arm["ability"], arm["rank"], arm["dofs"]), ("redundant", 6, 7))
        text = self.done("info", "@puma_560", "--q", "0.3,0.4,0.5,0.6,0,0.8").out
        self.assertIn("deficient, rank 5 of 6 with 6 degrees of freedom; a singular pose, elsewhere it is full\n", text)

    def test_draws_a_picture(self):
        import xml.etree.ElementTree as xml
        for model, names in {"floating.toml": ["base", "wrist", "camera", "shoulder (prismatic)"],
                             "loop.toml": ["rocker", "d (revolute), cut: on ground"]}.items():
            self.done("info", model, "--svg", "picture.svg", "--force", "-q")
            texts = [text.text for text in xml.parse(self.folder / "picture.svg").iter("{http://www.w3.org/2000/svg}text")]
            for name in names:
                self.assertIn(name, texts)
        answer = self.trammel("info", "arm.urdf", "--svg", "picture.svg")
        self.assertEqual(answer.code, 1)
        self.assertIn("add --force", answer.err)
        self.assertTrue(self.done("info", "arm.urdf", "--svg", "-").out.startswith("<svg "))

    def test_the_text_of_a_large_model_is_short_and_its_json_complete(self):
        n = 350
        parts = ["trammel = 1"]
        for k in range(1, n + 1):
            parent = f"b{k - 1}" if k > 1 else "ground"
            parts.append(f'[body.b{k}]\nmass = 1\ninertia = [1, 1, 1]\n[joint.j{k}]\ntype = "revolute"\n'
                         f'parent = "{parent}"\nchild = "b{k}"\nat = {{ xyz = [1, 0, 0] }}\naxis = "y"\n')
        (self.folder / "chain.toml").write_text("\n".join(parts))
        answer = self.json("info", "chain.toml")
        self.assertEqual(len(answer["bodies"]), n)
        self.assertEqual(len(answer["joints"]), n)
        self.assertEqual(answer["actuation"]["uncontrollable_modes"], [[f"j{k}"] for k in range(1, n + 1)])
        lines = self.done("info", "chain.toml").out.splitlines()
        self.assertEqual(lines.count("  and 250 more (all: --json)"), 4)  # tree, bodies, joints, order of q and v
        self.assertLess(len(lines), 450)
        sound = self.done("check", "chain.toml")
        self.assertIn("sound: 350 bodies", sound.out)


class Questions(unittest.TestCase):
    # stages that other functions use, and calls for many states at once
    not_asked = {"positions", "kinematics", "articulated_inertias", "..._batch",
                 "assemble", "assembled_start", "row_basis", "remaining_digits", "mobility",
                 "assemble_position", "assemble_by_continuation", "close_rounded",  # --q, --guess
                 "topology", "actuation", "constraint_nature", "reachability", "arms",
                 "allocate_efforts", "drive_demand", "follow_path", "replay_efforts",  # inverse
                 "find_path", "read_path_points",  # inverse
                 "conditioning", "hub_jacobian", "isotropic_layout", "best_layout", "dexterity", "model_layout",  # design
                 "inverse_kinematics", "inverse_kinematics_velocity", "inverse_kinematics_acceleration",  # --reach; the others are for programs
                 "project_position", "project_velocity", "constrained_derivatives",  # for integrators
                 "natural_complement", "dof_roles", "flexible_form", "free_and_correction",  # for study, in C++ and Python
                 "simulate_batch", "project_to_manifold_batch", "linearized_dynamics", "symbolic::mass_matrix",  # for programs
                 "simulate", "linearize", "equilibrium", "load_run", "report", "plot"}  # commands of their own; plot

    def test_every_public_function_can_be_evaluated(self):
        import json
        rows = re.findall(r"^\| (`.*?) \|", (top / "docs/api.md").read_text(), re.M)
        public = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}
        self.assertGreater(len(public), 20)
        asked = {name for entry in json.loads(trammel("eval", "@pendulum", "--json").out)["quantities"]
                 for name in entry["function"].split(", ")}
        self.assertEqual(public - self.not_asked, asked - {""})

    def test_every_quantity_is_in_the_docs(self):
        import json
        page = (top / "docs/cli.md").read_text()
        for entry in json.loads(trammel("eval", "@pendulum", "--json").out)["quantities"]:
            self.assertIn(f"`{entry['name']}`", page)


if __name__ == "__main__":
    unittest.main()
