"""Equilibria of a luffing crane from anywhere, beside the root of one equation."""
import json
import math
import unittest

from program import InFolder

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
                # below the tip it hangs; above it the rope, a rod, stands: that is an equilibrium, too, and unstable
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
        sides = {round(L * math.sin(each["position"]["boom"]) - each["position"]["load[1]"], 6): each["stable"] for each in found}
        self.assertEqual(sides, {rope: True, -rope: False})


if __name__ == "__main__":
    unittest.main()
