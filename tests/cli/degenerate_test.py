"""Degenerate mechanisms from outside: loops whose rows are all redundant, loops of bodies that cannot move, models
without bodies, drives or eigenvalues. Every command and every quantity answers or refuses by name: no crash (an exit code
below 0 or above 2), no answer that is not a number. Where a closed form exists it is asked for."""
import json
import math
import unittest

from program import InFolder

BODY = """
[body.{name}]
mass = {mass}
com = [{com}]
inertia = [{inertia}]
"""
JOINT = """
[joint.{name}]
type = "{type}"
parent = "{parent}"
child = "{child}"
{more}
"""


def body(name, mass=1, com="0, 0, 0", inertia="1, 1, 1"):
    return BODY.format(name=name, mass=mass, com=com, inertia=inertia)


def joint(name, kind, parent, child, more=""):
    return JOINT.format(name=name, type=kind, parent=parent, child=child, more=more)


HINGE_AT = 'at = { xyz = [0.25, -0.9, -0.28], rpy = [-0.33, 2.8, -2.0] }'
DOOR = body("door", 20, "0.4, 0, 1", "7, 8, 1") + joint("lower", "revolute", "ground", "door", 'axis = "z"')
UPPER = joint("upper", "revolute", "ground", "door", 'axis = "z"\nat = { xyz = [0, 0, 2] }\nchild_at = { xyz = [0, 0, 2] }')
MIDDLE = joint("middle", "revolute", "ground", "door", 'axis = "z"\nat = { xyz = [0, 0, 1] }\nchild_at = { xyz = [0, 0, 1] }')
FLAP = body("flap", 1, "0.5, 0.1, 0", "0.01, 0.1, 0.1") + joint("left", "revolute", "ground", "flap", HINGE_AT)
RAIL_AT = 'at = { xyz = [0.4, 0.1, 0.7], rpy = [0.2, -0.4, 1.1] }\naxis = "x"'
DRAWER = body("drawer", 3, "0.2, 0, 0.1", "0.05, 0.06, 0.07") + joint("rail", "prismatic", "ground", "drawer", RAIL_AT)

MODELS = {
    "door_on_two_hinges": DOOR + UPPER,
    "door_on_three_hinges": DOOR + UPPER + MIDDLE,
    "flap_on_two_hinges": FLAP + joint("right", "revolute", "ground", "flap", HINGE_AT),
    "drawer_on_two_rails": DRAWER + joint("other_rail", "prismatic", "ground", "drawer", RAIL_AT),
    "fixed_twice": body("a") + joint("j", "fixed", "ground", "a") + joint("k", "fixed", "ground", "a", "cut = true"),
    "fixed_once": body("a") + joint("j", "fixed", "ground", "a"),
    "no_bodies": "",
    "free_welded_to_ground": body("a") + joint("j", "free", "ground", "a") + joint("k", "fixed", "ground", "a", "cut = true"),
    "hinge_welded_shut": body("a") + joint("j", "revolute", "ground", "a") + joint("k", "fixed", "ground", "a", "cut = true"),
    "two_free_joints": body("a") + joint("j", "free", "ground", "a") + joint("k", "free", "ground", "a", "cut = true"),
    "loop_through_a_body_that_cannot_move":
        body("wall") + body("arm", com="0.3, 0, 0") + joint("base", "fixed", "ground", "wall", "at = { xyz = [0, 0, 1] }")
        + joint("hinge", "revolute", "wall", "arm", 'axis = "y"')
        + joint("again", "revolute", "ground", "arm", 'axis = "y"\nat = { xyz = [0, 0, 1] }\ncut = true'),
    "balls_and_points":
        body("a", com="0.1, 0, 0") + joint("j", "spherical", "ground", "a")
        + '\n[constraint.p]\ntype = "point"\nframes = ["ground", "a"]\n',
    "planned_twice":
        body("a", com="0.2, 0, 0") + joint("j", "revolute", "ground", "a", 'axis = "y"\ndrive = "motion"')
        + joint("k", "revolute", "ground", "a", 'axis = "y"\ncut = true'),
    "massless_chain":
        body("a", 0, inertia="0, 0, 0") + body("b", 0, inertia="0, 0, 0") + joint("j", "revolute", "ground", "a")
        + joint("k", "revolute", "a", "b", 'at = { xyz = [1, 0, 0] }'),
}


def acceleration_of_flap(q):
    """Of a hinge whose axis is turned by roll, pitch and yaw as HINGE_AT has it: moment of gravity about it, by its inertia."""
    r, p, y = -0.33, 2.8, -2.0

    def turned(v):
        x = (v[0], math.cos(r) * v[1] - math.sin(r) * v[2], math.sin(r) * v[1] + math.cos(r) * v[2])
        x = (math.cos(p) * x[0] + math.sin(p) * x[2], x[1], -math.sin(p) * x[0] + math.cos(p) * x[2])
        return (math.cos(y) * x[0] - math.sin(y) * x[1], math.sin(y) * x[0] + math.cos(y) * x[1], x[2])

    axis = turned((0, 0, 1))
    arm = turned((0.5 * math.cos(q) - 0.1 * math.sin(q), 0.5 * math.sin(q) + 0.1 * math.cos(q), 0))
    moment = -9.81 * (axis[0] * arm[1] - axis[1] * arm[0])
    return moment / (0.1 + 0.5 ** 2 + 0.1 ** 2)


class DegenerateModels(InFolder):
    def setUp(self):
        super().setUp()
        for name, text in MODELS.items():
            (self.folder / f"{name}.toml").write_text(f'trammel = 1\nname = "{name}"\n{text}')

    def answers_or_refuses(self, *words):
        answer = self.trammel(*words)
        self.assertIn(answer.code, (0, 1, 2), f"{words}: {answer.code}\n{answer.err[-2000:]}")
        if answer.code == 0:
            self.assertNotIn("nan", answer.out.lower().replace("dominant", ""), words)
        else:
            self.assertTrue((answer.out if words[0] == "check" else answer.err).strip(), words)
        return answer

    def test_every_quantity_answers_or_refuses(self):
        listed = self.done("eval", "door_on_two_hinges.toml").out
        quantities = [line.split()[0] for line in listed.splitlines() if line and not line.startswith(" ")]
        self.assertGreater(len(quantities), 30)
        for name in MODELS:
            for quantity in quantities:
                with self.subTest(model=name, quantity=quantity):
                    self.answers_or_refuses("eval", f"{name}.toml", quantity)

    def test_every_command_answers_or_refuses(self):
        for name in MODELS:
            for words in (["check"], ["info"], ["info", "--json"], ["info", "--svg", "-"], ["simulate", "--duration", "0.05", "-o", "-"],
                          ["simulate", "--duration", "0.05", "--mode", "kinematic", "-o", "-"],
                          ["simulate", "--duration", "0.05", "--mode", "static", "-o", "-"],
                          ["simulate", "--duration", "0.05", "--record", "reactions", "-o", "-"],
                          ["simulate", "--duration", "0.05", "--method", "rk4", "--step", "0.01", "--report", "run.html", "--force"],
                          ["linearize"], ["linearize", "--report", "l.html", "--force"], ["snapshot", "-o", "s.svg", "--force"],
                          ["convert", "--to", "urdf"]):
                with self.subTest(model=name, words=words):
                    self.answers_or_refuses(words[0], f"{name}.toml", *words[1:])

    def mobility(self, name):
        return self.json("info", f"{name}.toml")["mobility"]

    def test_a_second_hinge_locks_nothing(self):
        for name in ("door_on_two_hinges", "door_on_three_hinges", "flap_on_two_hinges", "drawer_on_two_rails",
                     "loop_through_a_body_that_cannot_move"):
            with self.subTest(model=name):
                found = self.mobility(name)
                self.assertEqual((found["finite"], found["instantaneous"], found["rank"]), (1, 1, 0))
                self.assertEqual(found["undecided"], [])
        self.assertEqual(self.mobility("hinge_welded_shut")["finite"], 0)
        self.assertEqual(self.mobility("free_welded_to_ground")["finite"], 0)

    def acceleration(self, name, joint, *words):
        found = self.json("eval", f"{name}.toml", "forward_dynamics", *words)
        return self.value(found, joint)

    def value(self, found, joint):
        text = json.dumps(found)
        self.assertIn(joint, text)
        stack = [found]
        while stack:
            here = stack.pop()
            if isinstance(here, dict):
                if "names" in here and "values" in here and joint in here["names"]:
                    return here["values"][here["names"].index(joint)]
                stack += here.values()
            elif isinstance(here, list):
                stack += here
        self.fail(text)

    def test_a_flap_on_two_hinges_falls(self):
        for q in (0.3, -1.2, 2.0):
            self.assertAlmostEqual(self.acceleration("flap_on_two_hinges", "left", "--q", f"left={q}"), acceleration_of_flap(q), 9)
        self.assertAlmostEqual(acceleration_of_flap(0.3), -5.94920990949, 10)

    def test_a_drawer_on_two_rails_slides(self):
        # x axis of the rail in the world: rpy turns about x, y, z
        p, y = -0.4, 1.1
        along_z = -math.sin(p)
        self.assertAlmostEqual(self.acceleration("drawer_on_two_rails", "rail"), -9.81 * along_z, 9)


if __name__ == "__main__":
    unittest.main()
