"""Starts: what is given is kept or refused, and loops are closed along the mechanism's own branch."""
import json
import math
import unittest

from program import InFolder, top

four_bar = (top / "models/robots/four_bar.toml").read_text()

# a slider-crank with the crank about y and the piston along z, straight in its neutral pose
engine = """trammel = 1
name = "engine"
[parameters]
r = "45 mm"
l = "150 mm"
[body.crank]
mass = 2.0
inertia = [0.002, 0.004, 0.002]
[joint.crank]
type = "revolute"
parent = "ground"
child = "crank"
axis = "y"
drive = "torque"
[body.conrod]
mass = 0.6
com = [0, 0, "l/3"]
inertia = ["mass*l^2/12", "mass*l^2/12", 1e-4]
[joint.pin]
type = "revolute"
parent = "crank"
child = "conrod"
at = { xyz = [0, 0, "r"] }
axis = "y"
[body.piston]
mass = 0.5
inertia = [1e-4, 1e-4, 1e-4]
[joint.cylinder]
type = "prismatic"
parent = "ground"
child = "piston"
axis = "z"
[joint.gudgeon]
type = "revolute"
parent = "conrod"
child = "piston"
at = { xyz = [0, 0, "l"] }
axis = "y"
"""
r, l = 0.045, 0.15


def piston(angle):
    """Closed form of the slider-crank, on the side on which it is at 0."""
    return r * math.cos(angle) + math.sqrt(l**2 - (r * math.sin(angle))**2)


class Starts(InFolder):
    def model(self, name, text, more=""):
        (self.folder / name).write_text(text + more)
        return name

    def position(self, *words):
        state = self.json("eval", *words, "energy")["state"]["position"]
        return dict(zip(state["names"], state["values"]))

    def test_a_crank_that_is_given_stays_on_its_branch(self):
        start = self.model("engine.toml", engine, '[state.position]\ncrank = "30 deg"\n')
        for degrees in (30, 60, 85, 95, 120, 150, 170, 190, 350, 500, -400):
            with self.subTest(degrees):
                found = self.position(start, "--q", f"crank={degrees} deg")
                self.assertAlmostEqual(found["crank"], math.radians(degrees), delta=1e-15 * abs(degrees))
                self.assertAlmostEqual(found["cylinder"], piston(math.radians(degrees)), delta=1e-12)

    def test_a_crank_given_in_the_file_is_led_from_the_neutral_pose(self):
        for degrees in (60, 120, 250):
            with self.subTest(degrees):
                start = self.model("engine.toml", engine, f'[state.position]\ncrank = "{degrees} deg"\n')
                self.assertAlmostEqual(self.position(start)["cylinder"], piston(math.radians(degrees)), delta=1e-12)

    def test_the_own_branch_is_the_nearest(self):
        start = self.model("engine.toml", engine, '[state.position]\ncrank = "30 deg"\n')
        answer = self.json("eval", start, "branches", "--q", "crank=30 deg")["answers"]["branches"]
        cylinder = answer["names"]["columns"].index("cylinder")
        self.assertEqual(len(answer["values"]), 2)
        self.assertAlmostEqual(answer["values"][0][cylinder], piston(math.pi / 6), delta=1e-12)
        self.assertLess(answer["values"][1][cylinder], 0)
        # another branch on request
        other = self.position(start, "--q", "crank=30 deg", "--branch", "2")
        self.assertAlmostEqual(other["cylinder"], 2 * r * math.cos(math.pi / 6) - piston(math.pi / 6), delta=1e-12)

    def test_a_dead_point_is_reported_with_its_place(self):
        start = self.model("engine.toml", engine, '[state.position]\ncrank = "30 deg"\n')
        found = self.position(start, "--q", "cylinder=0.15")
        self.assertAlmostEqual(piston(found["crank"]), 0.15, delta=1e-12)
        answer = self.trammel("eval", start, "energy", "--q", "cylinder=0.2")
        self.assertEqual(answer.code, 1)
        self.assertIn("dead point", answer.err)
        self.assertIn("joint 'cylinder' stops at 0.195 ", answer.err)  # r + l
        self.assertIn("--branch N", answer.err)

    def test_what_is_given_is_where_a_run_begins(self):
        self.done("simulate", "@four_bar", "--q", "motor=2.5", "--duration", "0.01", "-o", "run.csv")
        lines = (self.folder / "run.csv").read_text().splitlines()
        names = next(line for line in lines if "q.motor" in line).split(",")
        first = lines[[k for k, line in enumerate(lines) if "q.motor" in line][0] + 1].split(",")
        column = next(k for k, name in enumerate(names) if name.strip().startswith("q.motor"))
        self.assertEqual(float(first[column]), 2.5)
        # Freudenstein: bars of 0.2, 0.5, 0.45 m on a base of 0.5 m
        found = self.position("@four_bar", "--q", "motor=2.5")
        a, b, c, d = 0.2, 0.5, 0.45, 0.5
        crank, rocker = found["motor"], found["foot"]
        left = d / a * math.cos(rocker) - d / c * math.cos(crank) + (a**2 - b**2 + c**2 + d**2) / (2 * a * c)
        self.assertAlmostEqual(left, math.cos(crank - rocker), delta=1e-11)

    def test_a_whole_position_that_violates_the_loops_is_refused(self):
        for command in ("simulate", "--duration", "0.1"), ("eval",):
            question = ["energy"] if command[0] == "eval" else []
            answer = self.trammel(command[0], "@four_bar", *question, *command[1:], "--q", "1,0.2,0.3")
            self.assertEqual(answer.code, 1)
            self.assertIn("violates its loops", answer.err)
            self.assertIn("the nearest closed position has motor = ", answer.err)

    def test_rounded_positions_are_projected(self):
        exact = self.position("@four_bar")
        rounded = ",".join(f"{value:.5f}" for value in exact.values())
        found = self.position("@four_bar", "--q", rounded)
        for name, value in exact.items():
            self.assertAlmostEqual(found[name], value, delta=2e-5)
        self.assertIn("changed to close the loops", self.done("info", "@four_bar", "--q", rounded).err)

    def test_joints_that_contradict_each_other_are_refused_with_what_is_possible(self):
        exact = self.position("@four_bar", "--q", "motor=1")
        answer = self.trammel("eval", "@four_bar", "energy", "--q", "motor=1,knee=0.3")
        self.assertEqual(answer.code, 1)
        self.assertIn("the joints that are given contradict each other", answer.err)
        found = self.position("@four_bar", "--q", f"motor=1,knee={exact['knee']!r}")
        self.assertAlmostEqual(found["foot"], exact["foot"], delta=1e-11)

    def test_a_guess_chooses_the_branch_and_is_not_kept(self):
        exact = self.position("@four_bar", "--q", "motor=1")
        other = self.position("@four_bar", "--q", "motor=1", "--guess", f"knee={-exact['knee'] - 0.5},foot=-1.5")
        self.assertEqual(other["motor"], 1)
        self.assertGreater(abs(other["knee"] - exact["knee"]), 0.1)

    def test_a_free_joint_is_never_the_cut(self):
        text = """trammel = 1
name = "two legs"
[body.plate]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joint.plate]
type = "free"
parent = "ground"
child = "plate"
"""
        for k, x in enumerate((-0.5, 0.5)):
            text += f"""
[body.lower{k}]
mass = 0.1
inertia = [0.01, 0.01, 0.01]
[joint.foot{k}]
type = "universal"
parent = "ground"
child = "lower{k}"
at = {{ xyz = [{x}, 0, 0] }}
axis = "x"
axis2 = "y"
[body.upper{k}]
mass = 0.1
inertia = [0.01, 0.01, 0.01]
[joint.slide{k}]
type = "prismatic"
parent = "lower{k}"
child = "upper{k}"
axis = "z"
[joint.ball{k}]
type = "spherical"
parent = "upper{k}"
child = "plate"
child_at = {{ xyz = [{x}, 0, 0] }}
"""
        for height in (0.4, 0.7):
            start = self.model("legs.toml", text, f"[state.position]\nplate = [1, 0, 0, 0, 0.1, 0, {height}]\n")
            found = self.position(start)
            self.assertEqual([found[f"plate.{k}"] for k in "qw qx qy qz x y z".split()], [1, 0, 0, 0, 0.1, 0, height])
            for k in (0, 1):  # both legs lean alike
                self.assertAlmostEqual(found[f"slide{k}"], math.hypot(0.1, height), delta=1e-12)

    def test_the_start_of_a_joint_that_closes_a_loop_is_kept(self):
        start = self.model("engine.toml", engine.replace('axis = "z"\n', 'axis = "z"\ncut = true\n'),
                           "[state.position]\ncylinder = 0.15\n")
        found = self.position(start)
        self.assertNotIn("cylinder", found)
        self.assertAlmostEqual(piston(found["crank"]), 0.15, delta=1e-12)
        # also for a joint named on the command line
        found = self.position(start, "--q", "cylinder=0.16")
        self.assertAlmostEqual(piston(found["crank"]), 0.16, delta=1e-12)

    def test_a_prescribed_motion_that_contradicts_the_start_is_refused(self):
        led = engine.replace('drive = "torque"', 'drive = "motion"')
        ramp = '[input.speed]\njoint = "crank"\nramp = { from = "20 deg", to = "10 turn", over = 10 }\n'
        start = self.model("led.toml", led, '[state.position]\ncrank = "30 deg"\n' + ramp)
        answer = self.trammel("simulate", start, "--duration", "0.1")
        self.assertEqual(answer.code, 1)
        self.assertIn("joint 'crank' is given at 0.523599, but its prescribed motion starts at 0.349066", answer.err)
        self.assertIn("input 'speed'", answer.err)
        answer = self.trammel("check", start)
        self.assertEqual(answer.code, 1)
        self.assertIn("error: the start: joint 'crank' is given at 0.523599, but its prescribed motion starts at 0.349066", answer.out)
        # without a given start, it starts at the prescribed motion
        start = self.model("led.toml", led, ramp)
        self.done("simulate", start, "--duration", "0.1")

    def test_single_components_are_kept(self):
        velocity = self.json("eval", "@e_09", "energy", "--v", "ride[4]=3")["state"]["velocity"]
        self.assertEqual(dict(zip(velocity["names"], velocity["values"]))["ride.vy"], 3)

    def test_a_gear_of_any_ratio_is_assembled(self):
        for gear in (1, 101, 2000):
            start = self.model("geared.toml", f"""trammel = 1
name = "geared"
[body.arm]
mass = 1
inertia = [1, 1, 1]
[joint.elbow]
type = "revolute"
parent = "ground"
child = "arm"
axis = "y"
[body.rotor]
mass = 0.1
inertia = [1e-3, 1e-3, 1e-3]
[joint.rotor]
type = "revolute"
parent = "ground"
child = "rotor"
axis = "y"
[coupling.gear]
terms = {{ rotor = 1, elbow = {-gear} }}
[state.position]
elbow = 2.5
""")
            self.assertAlmostEqual(self.position(start)["rotor"], 2.5 * gear, delta=1e-12 * gear)
            self.assertAlmostEqual(self.position(start, "--q", "rotor=3")["elbow"], 3 / gear, delta=1e-12)

    def test_accelerations_that_are_left_out_follow(self):
        # torque at constant speed without gravity: power is the rate of the kinetic energy
        start = self.model("engine.toml", engine, '[state.position]\ncrank = "30 deg"\n[state.velocity]\ncrank = 60\n')
        words = ["--gravity", "0,0,0"]
        tau = self.json("eval", start, "inverse_dynamics", "--a", "crank=0", *words)["answers"]["inverse_dynamics"]["values"][0]

        def kinetic(angle):
            answer = self.json("eval", start, "energy", "--q", f"crank={angle!r}", *words)["answers"]["energy"]
            return dict(zip(answer["names"], answer["values"]))["kinetic"]
        h = 1e-4
        rate = (kinetic(math.pi / 6 + h) - kinetic(math.pi / 6 - h)) / (2 * h)
        self.assertAlmostEqual(tau, rate, delta=1e-5 * abs(rate))

    def test_equilibria_are_found_from_anywhere(self):
        # under its weight alone it hangs: crank down; with the crank up the equilibrium is unstable
        start = self.model("engine.toml", engine, '[state.position]\ncrank = "30 deg"\n')
        for degrees in (20, 60, 100, 150):
            with self.subTest(degrees):
                answer = self.done("linearize", start, "--equilibrium", "--q", f"crank={degrees} deg", "--json")
                crank = json.loads(answer.out)["q"][0]
                if "unstable" in answer.err:
                    self.assertAlmostEqual(crank, 0, delta=1e-8)
                else:
                    self.assertAlmostEqual(math.cos(crank), -1, delta=1e-12)
        found = self.json("linearize", start, "--all")["equilibria"]
        on_branch = {round(math.cos(each["position"]["crank"])): each["stable"] for each in found
                     if each["position"]["cylinder"] > 0}
        self.assertEqual(on_branch, {1: False, -1: True})

    def test_the_load_of_a_crane_hangs_or_stands(self):
        for degrees in (5, 45, 80, 100, 150, 178):
            with self.subTest(degrees):
                answer = self.done("linearize", "@g_ex4", "--equilibrium", "--q", f"phi={degrees} deg", "--json")
                phi = json.loads(answer.out)["q"][1]
                self.assertAlmostEqual(math.cos(phi), -1 if "unstable" in answer.err else 1, delta=1e-10)

        # the position of the wagon is arbitrary: two equilibria, not one for each position
        found = self.json("linearize", "@g_ex4", "--all")["equilibria"]
        self.assertEqual(sorted((round(math.cos(each["position"]["phi"])), each["stable"]) for each in found), [(-1, False), (1, True)])
        # gears with an arbitrary position: one
        self.model("gears.toml", (top / "tests/judge/mechanisms/coupling_gears.toml").read_text())
        self.assertEqual(len(self.json("linearize", "gears.toml", "--all")["equilibria"]), 1)
        self.assertIn("z = 0 (any)", self.done("linearize", "@g_ex4", "--all", "--q", "phi=1 deg").out)

    def test_check_assembles(self):
        self.done("check", self.model("sound.toml", four_bar))
        # a rod shorter than the crank does not reach the piston's axis at 90 deg
        answer = self.trammel("check", self.model("open.toml", engine.replace('r = "45 mm"', 'r = "200 mm"'),
                                                  '[state.position]\ncrank = "90 deg"\n'))
        self.assertEqual(answer.code, 1)
        self.assertIn("error: the start: ", answer.out)
        # a door on two hinges that do not align cannot move
        still = """trammel = 1
name = "still"
[body.door]
mass = 1
inertia = [1, 1, 1]
[joint.low]
type = "revolute"
parent = "ground"
child = "door"
axis = "z"
[joint.high]
type = "revolute"
parent = "ground"
child = "door"
at = { xyz = [0.1, 0, 1] }
child_at = { xyz = [0.1, 0, 1] }
axis = "z"
"""
        self.assertIn("warning: it cannot move: ", self.done("check", self.model("still.toml", still)).out)


if __name__ == "__main__":
    unittest.main()
