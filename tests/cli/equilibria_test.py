"""Equilibria of a luffing crane from anywhere, beside the root of one equation."""
import json
import math
import unittest

from program import InFolder, top

L, rope, m, load, k, up, g = 4.0, 1.5, 120.0, 300.0, 40000.0, 1.2, 9.81


def boom_at_rest():
    """k (up - angle) = g cos(angle) (m L / 2 + load L): the left side falls faster than the right one, so there is one root."""
    low, high = -math.pi / 2, math.pi / 2
    for _ in range(200):
        angle = (low + high) / 2
        if k * (up - angle) > g * math.cos(angle) * (m * L / 2 + load * L):
            low = angle
        else:
            high = angle
    return low


class Equilibria(InFolder):
    def equilibrium(self, *words):
        answer = self.done("linearize", "crane.toml", "--equilibrium", *words, "--json")
        return json.loads(answer.out)["q"], answer.err

    def test_the_crane_finds_its_own_from_anywhere(self):
        boom = boom_at_rest()
        for start in -1.2, -0.5, 0.0, 0.3, 0.6, 0.9, 1.1, 1.4:
            with self.subTest(start):
                q, told = self.equilibrium("--q", f"boom={start}")
                self.assertAlmostEqual(q[0], boom, delta=1e-8)
                self.assertAlmostEqual(q[1], L * math.cos(boom), delta=1e-7)
                below = L * math.sin(boom) - q[2]
                # below the tip it hangs; above it the rope, modeled as a rod, is upright: an unstable equilibrium
                self.assertAlmostEqual(abs(below), rope, delta=1e-7)
                self.assertEqual("unstable" in told, below < 0, told)

    def test_the_load_may_start_on_any_side(self):
        for x, z in (4.5, 0.5), (2.0, 3.5), (3.3, 0.0):
            with self.subTest((x, z)):
                q, _ = self.equilibrium("--guess", f"load={x},{z}")
                self.assertAlmostEqual(q[0], boom_at_rest(), delta=1e-8)
                self.assertAlmostEqual(q[1], L * math.cos(boom_at_rest()), delta=1e-7)

    def test_all_of_them_are_listed(self):
        found = self.json("linearize", "crane.toml", "--all")["equilibria"]
        sides = {round(L * math.sin(each["position"]["boom"]) - each["position"]["load.slide2"], 6): each["stable"] for each in found}
        self.assertEqual(sides, {rope: True, -rope: False})

    def test_a_scissor_lift_of_two_stages_on_a_spring(self):
        """23 redundant rows. By hand: the legs weigh m, the table M, and k (rest - q) = g L cos(q) (8 m + 2 M)."""
        length, leg, table, stiffness, rest = 0.8, 3.0, 40.0, 3000.0, 0.8
        model = (top / "tests/judge/mechanisms/two_stage_lift.toml").read_text()
        pin = 'child = "left_a1", at = { xyz = [0, "w", 0] }, axis = "-y" }'
        self.assertEqual(model.count(pin), 1)
        (self.folder / "lift.toml").write_text(model.replace(pin, pin[:-1] + f", spring = {{ stiffness = {stiffness}, rest = {rest} }} }}"))
        low, high = 0.0, rest
        for _ in range(200):
            q = (low + high) / 2
            if stiffness * (rest - q) > g * length * math.cos(q) * (8 * leg + 2 * table):
                low = q
            else:
                high = q
        for start in (), ("--q", "left_pin=0.2"), ("--q", "left_pin=1.2"):
            with self.subTest(start):
                found = self.json("linearize", "lift.toml", "--equilibrium", *start)
                angles = dict(zip(self.json("eval", "lift.toml", "poses")["state"]["position"]["names"], found["q"]))
                for joint, value in ("left_pin", low), ("right_pin", low), ("left_middle2", -2 * low), ("left_knee", 2 * low):
                    self.assertAlmostEqual(angles[joint], value, delta=1e-8)

        # without the spring it falls, and flat is a singular pose
        (self.folder / "lift.toml").write_text(model)
        answer = self.trammel("linearize", "lift.toml", "--equilibrium")
        self.assertEqual(answer.code, 1)
        self.assertRegex(answer.err, "none is found from here: after [0-9]+ steps")

    def test_a_ball_rests_in_a_valley(self):
        """A ball on h sin(1.3 x) cos(0.9 y + 0.5) rests at the bottom: x = -pi / 2.6, y = -0.5 / 0.9, its center a radius above -h."""
        (self.folder / "ball.toml").write_text("""trammel = 1
[body]
ball = { mass = 2, inertia = [0.01, 0.01, 0.01] }
[joint]
float = { type = "free", parent = "ground", child = "ball" }
[terrain.hills]
height = "0.08*sin(1.3*x)*cos(0.9*y + 0.5)"
[wheel.skin]
type = "ball"
body = "ball"
radius = 0.1
on = "hills"
""")
        q = self.json("linearize", "ball.toml", "--equilibrium", "--guess", "float=1,0,0,0,-0.5,0,0.1")["q"]
        for found, value in zip(q[4:], (-math.pi / 2.6, -0.5 / 0.9, 0.1 - 0.08)):
            self.assertAlmostEqual(found, value, delta=1e-8)

    def test_a_rover_on_hills_rests_somewhere(self):
        found = self.json("linearize", "@hill_rover", "--equilibrium")
        # at rest all accelerations are zero
        words = ["--q", ",".join(map(repr, found["q"]))]
        a = self.json("eval", "@hill_rover", "forward_dynamics", "--no-inputs", "--v", "hub=0", *words)["answers"]["forward_dynamics"]["values"]
        self.assertLess(max(map(abs, a)), 1e-6)


if __name__ == "__main__":
    unittest.main()
