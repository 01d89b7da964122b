"""The judge against closed forms, and the engine against the judge. The program's path is in the environment, as TRAMMEL."""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
from decimal import Decimal

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here))
from cases import cases
from judge import arithmetic
from judge.analysis import Analysis, NotAssembled
from judge.arithmetic import quaternion_rotation
from judge.expression import Formula, Parameters
from judge.linear import RowSpace, Undecided
from judge.mechanism import Mechanism, Refused
from judge.variants import read, skew, twice, write

PROGRAM = os.environ.get("TRAMMEL")
ONLY = os.environ.get("JUDGE_ONLY", "").split()  # names of mechanisms, for debugging

# By-hand numbers are evaluated in doubles, some twenty operations: 1e-13 of their size, and -5.94920990949 has 12 digits.
BY_HAND = 1e-11
# The engine assembles to 1e-12 of the size of a mechanism; its rows and inertias have condition numbers below 1e4, so
# rounding (1e-16) and such a pose give errors of accelerations below 1e-9 of the largest one.
ACCELERATION = 1e-9
PLACE = 1e-10


LOCKED = '''trammel = 1
[body.arm]
mass = 1
com = [0.4, 0, 0]
inertia = [0.1, 0.1, 0.1]
[joint.hinge]
type = "revolute"
parent = "ground"
child = "arm"
axis = "y"
drive = "locked"
'''


def path_of(name):
    return here / "mechanisms" / f"{name}.toml"


def judged(name, path=None):
    case = cases[name]
    exact = [{key: Decimal(str(value)) for key, value in given.items()} for given in (case.efforts, case.prescribed)]
    analysis = Analysis(Mechanism(path or path_of(name)), efforts=exact[0], accelerations=exact[1])
    analysis.accelerate()
    return analysis


_verdicts = {}


def verdict(name):
    if name not in _verdicts:
        _verdicts[name] = judged(name)
    return _verdicts[name]


def chosen(names):
    return [name for name in names if not ONLY or name in ONLY]


class Arithmetic(unittest.TestCase):
    def test_functions_agree_with_doubles(self):
        dice = random.Random(1)
        for _ in range(200):
            x = dice.uniform(-20, 20)
            exact = Decimal(x)
            self.assertAlmostEqual(float(arithmetic.sin(exact)), math.sin(x), delta=1e-15)
            self.assertAlmostEqual(float(arithmetic.cos(exact)), math.cos(x), delta=1e-15)
            self.assertAlmostEqual(float(arithmetic.atan(exact)), math.atan(x), delta=1e-15)
            y = dice.uniform(-20, 20)
            self.assertAlmostEqual(float(arithmetic.atan2(Decimal(y), exact)), math.atan2(y, x), delta=1e-15)

    def test_functions_have_fifty_digits(self):
        small = Decimal("1e-55")
        for k in range(-20, 21):
            x = Decimal(k) / 7
            s, c = arithmetic.sin(x), arithmetic.cos(x)
            self.assertLess(abs(s * s + c * c - 1), small)
            self.assertLess(abs(arithmetic.atan2(s, c) - x), small)
            self.assertLess(abs(arithmetic.sin(3 * x) - (3 * s - 4 * s ** 3)), small)
        # pi to 50 decimals
        self.assertLess(abs(arithmetic.PI - Decimal("3.14159265358979323846264338327950288419716939937510")), Decimal("1e-49"))

    def test_formulas_and_units(self):
        names = Parameters({"a": Decimal("0.3"), "b": "3*a", "tilt": "15 deg"})
        number = names.within({"mass": "2*b"})
        for text, value in {"b/2": 0.45, "-a^2": -0.09, "2^-1": 0.5, "(a + b) mm": 0.0012, "90 deg": math.pi / 2, "5 mm/turn": 0.005 / (2 * math.pi),
                            "3 N*m/(rad/s)": 3, "2 kg m^2": 2, "mass*a": 0.54, "500mm": 0.5, "60 rpm": 2 * math.pi, "1 s^-1": 1,
                            "atan2(1, -1)": 0.75 * math.pi, "max(a, b)": 0.9, "sin(tilt)": math.sin(math.radians(15))}.items():
            self.assertAlmostEqual(float(number(text)), value, delta=1e-15, msg=text)
        for text in ("3 parsec", "c", "(a", "3 4"):
            with self.assertRaises(Formula, msg=text):
                number(text)

    def test_what_is_neither_rounding_nor_a_row_is_undecided(self):
        rows = [[Decimal(1), Decimal(0)], [Decimal(1), Decimal("1e-20")]]
        with self.assertRaises(Undecided):
            RowSpace(rows, 2)


class ClosedForms(unittest.TestCase):
    def test_every_mechanism_has_a_case_and_every_case_a_mechanism(self):
        self.assertEqual(sorted(path.stem for path in (here / "mechanisms").iterdir()), sorted(cases))

    def test_mobility_and_redundant_rows(self):
        for name in chosen(cases):
            with self.subTest(name):
                analysis = verdict(name)
                self.assertEqual((analysis.mobility, analysis.redundant), (cases[name].mobility, cases[name].redundant))

    def test_accelerations_by_hand(self):
        for name in chosen(cases):
            for joint, value in cases[name].by_hand.items():
                with self.subTest(name, joint=joint):
                    self.assertAlmostEqual(float(verdict(name).joint_accelerations[joint]), value, delta=BY_HAND * max(1, abs(value)))

    def test_velocities_by_hand(self):
        for name in chosen(cases):
            for joint, value in cases[name].rates.items():
                with self.subTest(name, joint=joint):
                    self.assertAlmostEqual(float(verdict(name).joint_rates[joint]), value, delta=BY_HAND * max(1, abs(value)))

    def test_written_twice_is_as_written_once(self):
        for once, twice in {"double_pendulum_moving": "planar_guide"}.items():
            for joint, value in verdict(once).joint_accelerations.items():
                self.assertAlmostEqual(verdict(twice).joint_accelerations[joint], value, delta=Decimal("1e-50"))

    def of_text(self, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.toml"
            file.write_text(text)
            analysis = Analysis(Mechanism(file))
            analysis.accelerate()
            return analysis

    def point(self, name, frame):
        """Velocity and acceleration of a frame's origin."""
        analysis = verdict(name)
        place = analysis.mechanism.frames[frame].point(analysis.motions(analysis.V, analysis.A))
        return [x.df for x in place], [x.ddf for x in place]

    def test_efforts_of_prescribed_and_locked_joints(self):
        # two drives of one revolute joint: neither effort is unique, their sum is
        efforts = verdict("prescribed_twice").drive_efforts()
        self.assertEqual([unique for _, unique in efforts.values()], [False, False])
        self.assertAlmostEqual(float(sum(effort for effort, _ in efforts.values())), 0.26 * 1.5 - 0.4 * 9.81, delta=BY_HAND)
        # the locked elbow of a rover that turns: one drive for one coordinate
        self.assertEqual([unique for _, unique in verdict("rover_locked_arm").drive_efforts().values()], [True, True])
        # a pendulum locked in level position: the moment of gravity
        (effort, unique), = self.of_text(LOCKED).drive_efforts().values()
        self.assertTrue(unique)
        self.assertAlmostEqual(float(effort), -0.4 * 9.81, delta=BY_HAND)

    def test_a_pantograph_doubles(self):
        for small, large in zip(self.point("pantograph", "guide"), self.point("pantograph", "pen")):
            self.assertGreater(max(map(abs, small)), Decimal("0.1"))
            for x, y in zip(small, large):
                self.assertAlmostEqual(y, 2 * x, delta=Decimal("1e-50"))

    def test_peaucelliers_pen_goes_straight(self):
        velocity, acceleration = self.point("peaucellier", "pen")
        self.assertAlmostEqual(velocity[0], 0, delta=Decimal("1e-50"))
        self.assertAlmostEqual(acceleration[0], 0, delta=Decimal("1e-50"))
        self.assertGreater(abs(velocity[2]), Decimal("0.1"))

    def test_hoekens_coupler_moves_level(self):
        velocity, _ = self.point("hoeken_leg", "end")
        for x, y in zip(velocity, (Decimal(-4) / 3, 0, 0)):
            self.assertAlmostEqual(x, y, delta=Decimal("1e-50"))

    def test_the_arms_of_a_wiper_move_alike(self):
        a = verdict("wiper_two_arms").joint_accelerations
        self.assertAlmostEqual(a["left"], a["right"], delta=Decimal("1e-50"))
        self.assertGreater(abs(a["left"]), 1)

    def test_mobility_is_that_of_the_pose(self):
        # Bennett's linkage with one length off by 1e-20 m does not close with the same angles any more
        text = path_of("bennett").read_text().replace('b = "a*sin(beta)/sin(alpha)"', 'b = "a*sin(beta)/sin(alpha) + 1e-20"')
        with self.assertRaises((NotAssembled, Undecided)):
            self.of_text(text)

    def test_accelerations_keep_the_constraints(self):
        """A short time later the rows are violated by third and second order only: derivatives of rows without Jets."""
        time = Decimal("1e-12")
        for name in chosen(cases):
            with self.subTest(name):
                place, slip = verdict(name).violations_after(time)
                self.assertLess(place, Decimal("1e7") * time ** 3)  # jerks are below 1e7 m/s^3; a wrong term is 1e-24 m
                self.assertLess(slip, Decimal("1e7") * time ** 2)

    def test_energy_is_kept(self):
        """Kinetic and potential energy by their definitions: their rate is zero under gravity alone, at any velocity."""
        for name in ("double_pendulum_moving", "bennett", "planar_four_bar_in_space", "hoeken_leg", "wiper_two_arms", "pantograph",
                     "peaucellier", "two_wheels_one_axle", "mecanum", "rolling_ball", "leaning_disk", "heavy_top", "cardan_shaft"):
            with self.subTest(name):
                analysis = Analysis(Mechanism(path_of(name)))
                analysis.accelerate()
                blocks, _ = analysis.mass_and_forces()
                rate = Decimal(0)  # of kinetic energy: V^T (M A) + gyroscopic work, which is nil, + centrifugal work
                motions = analysis.motions(analysis.V, analysis.A)
                for body in analysis.mechanism.bodies.values():
                    center = motions(body.name).point(body.com)
                    force = [body.mass * (x.ddf - g) for x, g in zip(center, analysis.mechanism.gravity)]
                    rate += sum(f * x.df for f, x in zip(force, center))
                    axes = [[x.f for x in motions(body.name).direction(axis)] for axis in arithmetic.IDENTITY]
                    k = analysis.start[body.name]
                    omega, alpha = ([arithmetic.dot(axis, analysis_vector[k:k + 3]) for axis in axes]
                                    for analysis_vector in (analysis.V, analysis.A))
                    rate += arithmetic.dot(omega, arithmetic.apply(body.inertia, alpha))
                self.assertLess(abs(rate), Decimal("1e-48"))

    def test_what_the_judge_does_not_know_it_refuses(self):
        with self.assertRaisesRegex(Refused, "contact"):
            self.of_text(path_of("pendulum").read_text() + "\n[contact.tip]\nbody = 'rod'\nstiffness = 1e6\n")


@unittest.skipUnless(PROGRAM, "TRAMMEL is not set")
class Engine(unittest.TestCase):
    def ask(self, *words):
        done = subprocess.run([PROGRAM, *map(str, words), "--json"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, f"{' '.join(map(str, words))}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def given(self, name):
        case = cases[name]
        words = []
        for option, values in (("--tau", case.efforts), ("--a", case.prescribed)):
            for joint, value in values.items():
                words += [option, f"{joint}={value}"]
        return words

    def near(self, found, wanted, tolerance, what):
        self.assertTrue(abs(found - float(wanted)) <= tolerance, f"{what}: {found!r}, by the judge {float(wanted)!r}")

    def test_rank_and_mobility(self):
        for name in chosen(cases):
            with self.subTest(name):
                self.rank(name, path_of(name), verdict(name))

    def rank(self, name, path, judge):
        statistics = self.ask("info", path)
        mobility = statistics["mobility"]
        if mobility is None:  # a tree
            self.assertEqual(statistics["cut"], [])
            self.assertEqual((statistics["nv"], 0), (judge.mobility, judge.redundant))
            return
        self.assertEqual((mobility["instantaneous"], mobility["rank"], mobility["rows"] - mobility["rank"]),
                         (judge.mobility, statistics["nv"] - judge.mobility, judge.redundant))
        finite = cases[name].finite
        self.assertEqual(mobility["finite"], judge.mobility if finite is None else finite)

    def test_every_joint_written_twice_in_a_skew_frame(self):
        # mechanisms of at most five bodies, for their time; wheels need the floor of ground
        for name in chosen(cases):
            model = read(path_of(name))
            if "wheel" in model or len(model["body"]) > 5:
                continue
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                skew(model)
                twice(model)
                path = pathlib.Path(folder) / "twice.toml"
                path.write_text(write(model))
                judge = judged(name, path)
                self.assertEqual(judge.mobility, verdict(name).mobility)
                self.rank(name, path, judge)
                self.joints(judge, self.ask("eval", path, "forward_dynamics", *self.given(name))["answers"]["forward_dynamics"])

    def test_motion(self):
        for name in chosen(cases):
            with self.subTest(name):
                self.motion(name)

    def motion(self, name):
        judge = verdict(name)
        answers = self.ask("eval", path_of(name), "poses", "velocities", "forward_dynamics", *self.given(name))["answers"]

        where = answers["poses"]
        for body, place, turn in zip(where["position"]["names"]["rows"], where["position"]["values"], where["quaternion"]["values"]):
            if body not in judge.start:
                continue
            R, p = judge.poses[body]
            for x, y in zip(place, p):
                self.near(x, y, PLACE, f"place of {body}")
            for row, exact in zip(quaternion_rotation([Decimal(x) for x in turn]), R):
                for x, y in zip(row, exact):
                    self.near(float(x), y, PLACE, f"attitude of {body}")

        speeds = answers["velocities"]
        fastest = max([1.0, *(abs(float(x)) for x in judge.V)])
        for body, found in zip(speeds["names"]["rows"], speeds["values"]):
            if body in judge.start:
                k = judge.start[body]
                for x, y in zip(found, judge.V[k:k + 6]):
                    self.near(x, y, PLACE * fastest, f"velocity of {body}")

        dynamics = answers["forward_dynamics"]
        self.joints(judge, dynamics)

        held = judge.drive_efforts() if judge.mechanism.driven else {}
        if any(unique for _, unique in held.values()):
            found = self.ask("eval", path_of(name), "hybrid_dynamics", *self.given(name))["answers"]["hybrid_dynamics"]["effort"]
            found = dict(zip(found["names"], found["values"]))
            largest = max([1.0, *(abs(float(effort)) for effort, _ in held.values())])
            for joint, (effort, unique) in held.items():
                if unique and joint in found:
                    self.near(found[joint], effort, ACCELERATION * largest, f"effort of {joint}")

        if dynamics["values"]:
            words = ["--a", ",".join(map(repr, dynamics["values"]))]
            table = self.ask("eval", path_of(name), "accelerations", *words)["answers"]["accelerations"]
            largest = max([1.0, *(abs(float(x)) for x in judge.A)])
            for body, found in zip(table["names"]["rows"], table["values"]):
                if body in judge.start:
                    k = judge.start[body]
                    for x, y in zip(found, judge.A[k:k + 6]):
                        self.near(x, y, ACCELERATION * largest, f"acceleration of {body}")

    def test_digits_near_a_singular_pose(self):
        """Sarrus's linkage near the pose with upright plates, where rows become dependent: what the engine says of its digits holds."""
        efforts = {"a_foot": "1", "b_knee": "0.7", "a_lid": "-0.4"}
        words = [word for joint, effort in efforts.items() for word in ("--tau", f"{joint}={effort}")]
        for q in ("0.5", "0.1", "1e-2", "1e-4", "3e-5", "1e-6", "1e-8", "1e-9", "1e-10", "1e-11"):
            with self.subTest(q), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "sarrus.toml"
                path.write_text(path_of("sarrus").read_text().replace("q = 0.5", f"q = {q}"))
                judge = Analysis(Mechanism(path), efforts={joint: Decimal(effort) for joint, effort in efforts.items()})
                judge.accelerate()
                answer = self.ask("eval", path, "forward_dynamics", *words)
                dynamics, digits = answer["answers"]["forward_dynamics"], answer["digits"]
                largest = max(abs(float(x)) for x in judge.joint_accelerations.values())
                error = max(abs(x - float(judge.joint_accelerations[joint])) for joint, x in zip(dynamics["names"], dynamics["values"])) / largest
                self.assertLessEqual(error, 10 ** -digits)
                # rows have errors of some 1e-13 of their length, and q is about the smallest singular value
                self.assertAlmostEqual(digits, 0 if q == "1e-11" else 12.9 + math.log10(min(float(q), 0.5)), delta=0.5)
                told = subprocess.run([PROGRAM, "eval", path, "forward_dynamics", *words], capture_output=True, text=True, timeout=60).stderr
                self.assertEqual("digits may be left" in told, 1e-11 < float(q) < 1e-7, told)
                self.assertEqual("undecided" in told, q == "1e-11", told)
                mobility = self.ask("info", path)["mobility"]
                self.assertAlmostEqual(mobility["digits"], digits, delta=0.01)

    def joints(self, judge, dynamics):
        largest = max([1.0, *(abs(float(x)) for x in judge.joint_accelerations.values())])
        for joint, found in zip(dynamics["names"], dynamics["values"]):
            self.near(found, judge.joint_accelerations[joint], ACCELERATION * largest, f"acceleration of {joint}")


if __name__ == "__main__":
    unittest.main()
