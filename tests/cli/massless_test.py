"""Links without mass: what loops determine is not questioned, what nothing determines is named."""
import shutil
import unittest

from program import InFolder, top

mechanisms = top / "tests/judge/mechanisms"

# a massless coupler between two ball joints may spin about the line through them
between_balls = """trammel = 1
name = "a coupler between balls"
[body.left]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joint.left]
type = "revolute"
parent = "ground"
child = "left"
axis = "z"
[body.coupler]
[joint.ball]
type = "spherical"
parent = "left"
child = "coupler"
at = { xyz = [0.2, 0, 0] }
[body.right]
mass = 1
inertia = [0.1, 0.1, 0.1]
[joint.right]
type = "revolute"
parent = "ground"
child = "right"
at = { xyz = [0.6, 0, 0] }
axis = "z"
[joint.other_ball]
type = "spherical"
parent = "coupler"
child = "right"
at = { xyz = [0.6, 0, 0] }
child_at = { xyz = [0.2, 0, 0] }
cut = true
[state.position]
left = 0.5
right = 0.5
"""


class Massless(InFolder):
    def test_links_that_a_loop_determines_are_not_questioned(self):
        # tests/judge computes their accelerations with 50 digits, and the last one is by hand
        for name in "car_jack", "massless_links", "slider_crank":
            with self.subTest(name):
                shutil.copy(mechanisms / f"{name}.toml", self.folder)
                answer = self.done("check", f"{name}.toml")
                self.assertNotIn("not determined", answer.out + answer.err)
                found = self.json("eval", f"{name}.toml", "forward_dynamics")["answers"]["forward_dynamics"]
        main = dict(zip(found["names"], found["values"]))["main"]
        self.assertAlmostEqual(main, 2 * 0.3**3 / 0.4 * 16 / (0.05 + 2 * 0.09), delta=1e-10)

    def test_a_motion_that_nothing_resists_is_named(self):
        (self.folder / "balls.toml").write_text(between_balls)
        answer = self.done("check", "balls.toml")
        self.assertRegex(answer.out, r"balls.toml:\d+:\d+: warning: nothing resists a motion in which joint 'ball\.w[xyz]' moves")
        answer = self.trammel("eval", "balls.toml", "forward_dynamics")
        self.assertEqual(answer.code, 1)
        self.assertIn("in which joint 'ball", answer.err)
        # with inertia about that line it is determined
        (self.folder / "balls.toml").write_text(between_balls.replace("[body.coupler]", "[body.coupler]\nmass = 0.1\ninertia = [0.001, 0.001, 0.001]"))
        self.assertNotIn("resists", self.done("check", "balls.toml").out)
        self.done("eval", "balls.toml", "forward_dynamics")

    def test_near_a_singular_pose_no_mass_is_blamed(self):
        # by hand (tests/judge/mechanisms/sarrus.toml), with q small and a torque of 1 N m: q'' = (1 + 8 g q) / 1.4
        text = (mechanisms / "sarrus.toml").read_text()
        for lean in 1e-6, 1e-8, 1e-9:
            (self.folder / "sarrus.toml").write_text(text.replace("q = 0.5", f"q = {lean}"))
            for solver in "schur", "null_space", "kkt":
                with self.subTest((lean, solver)):
                    answer = self.json("eval", "sarrus.toml", "forward_dynamics", "--tau", "a_foot=1", "--solver", solver)["answers"]["forward_dynamics"]
                    foot = dict(zip(answer["names"], answer["values"]))["a_foot"]
                    expected = (1 + 8 * 9.81 * lean) / 1.4
                    # rows differ by the lean, and are rounded at some 1e-16 of their length
                    self.assertAlmostEqual(foot / expected, 1, delta=1e-14 / lean)


if __name__ == "__main__":
    unittest.main()
