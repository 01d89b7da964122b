"""Guesses: assembly begins there and may move them; values that are given are kept or refused."""
import json
import math
import unittest

from program import InFolder, top

six_bar = (top / "tests/cli/models/six_bar.toml").read_text()
body = six_bar[:six_bar.index("[state.position]")]
four_bar = (top / "models/robots/four_bar.toml").read_text()
a, b, c, d, e, f = 0.10, 0.30, 0.25, 0.30, 0.34, 0.26


def meet(p, r, q, s, side):
    """Where two circles meet: one of the two points."""
    x, y = q[0] - p[0], q[1] - p[1]
    far = math.hypot(x, y)
    along = (r**2 - s**2 + far**2) / (2 * far)
    across = side * math.sqrt(r**2 - along**2)
    return p[0] + (along * x - across * y) / far, p[1] + (along * y + across * x) / far


def exact(crank, rocker_side=1, output_side=1):
    """The joint angles of the six-bar linkage, by circles."""
    pin = a * math.cos(crank), a * math.sin(crank)
    knee = meet(pin, b, (d, 0), c, rocker_side)
    coupler = math.atan2(knee[1] - pin[1], knee[0] - pin[0])
    point = (pin[0] + b / 2 * math.cos(coupler) - 0.15 * math.sin(coupler),
             pin[1] + b / 2 * math.sin(coupler) + 0.15 * math.cos(coupler))
    end = meet(point, e, (0.35, 0.35), f, output_side)
    link = math.atan2(end[1] - point[1], end[0] - point[0])
    output = math.atan2(end[1] - 0.35, end[0] - 0.35)
    return {"O2": crank, "A": coupler - crank, "O4": math.atan2(knee[1], knee[0] - d), "P": link - coupler, "O6": output}


def section(name, values):
    return f"[{name}]\n" + "".join(f"{joint} = {value!r}\n" for joint, value in values.items())


class Guesses(InFolder):
    def model(self, name, *parts):
        (self.folder / name).write_text("".join(parts))
        return name

    def state(self, part, *words):
        values = self.json("eval", *words, "energy")["state"][part]
        return dict(zip(values["names"], values["values"]))

    def expect_angles(self, found, expected, delta=1e-11):
        for joint, angle in expected.items():
            self.assertAlmostEqual(math.remainder(found[joint] - angle, 2 * math.pi), 0, delta=delta, msg=joint)

    def test_five_rough_angles_assemble(self):
        # guesses wrong by up to 0.3 rad (17 degrees); the crank is one of them and may move
        for sides in (1, 1), (1, -1), (-1, 1), (-1, -1):
            with self.subTest(sides):
                rough = {joint: angle + error for (joint, angle), error in
                         zip(exact(0.4, *sides).items(), (0.1, -0.3, 0.25, 0.3, -0.2))}
                found = self.state("position", self.model("rough.toml", body, section("state.guess", rough)))
                self.expect_angles(found, exact(found["O2"], *sides))
                self.assertLess(abs(found["O2"] - 0.4), 0.5)

    def test_what_is_kept_stays_and_guesses_choose_the_branch(self):
        for sides in (1, 1), (1, -1), (-1, 1), (-1, -1):
            with self.subTest(sides):
                rough = {joint: angle + error for (joint, angle), error in
                         zip(exact(0.4, *sides).items(), (0, -0.3, 0.25, 0.3, -0.2))}
                del rough["O2"]
                start = self.model("rough.toml", body, section("state.position", {"O2": 0.4}), section("state.guess", rough))
                found = self.state("position", start)
                self.assertEqual(found["O2"], 0.4)
                self.expect_angles(found, exact(0.4, *sides))
                # --q continues along that branch, and so does a run
                found = self.state("position", start, "--q", "O2=1")
                self.expect_angles(found, exact(1, *sides))
                self.done("simulate", start, "--duration", "0.02")

    def test_the_worked_example_is_the_branch_that_the_page_describes(self):
        self.done("check", "six_bar.toml")
        self.expect_angles(self.state("position", "six_bar.toml"), exact(0))
        told = self.done("info", "six_bar.toml").err
        self.assertIn("note: assembly moved the guesses: ", told)
        moved = exact(0)["A"] - math.radians(45)
        self.assertIn(f"A by {moved:.3g}", told)

    def test_joints_that_close_loops_have_guesses_too(self):
        # B and D are loop joints: their angles to the preceding links determine the branch
        for sides in (1, 1), (1, -1), (-1, -1):
            with self.subTest(sides):
                angles = exact(0.4, *sides)
                link = angles["O2"] + angles["A"] + angles["P"]
                guess = {"B": angles["O4"] - angles["O2"] - angles["A"] + 0.1, "A": angles["A"] - 0.2,
                         "D": math.remainder(angles["O6"] - link, 2 * math.pi) - 0.1, "P": angles["P"] + 0.2}
                start = self.model("loops.toml", body, section("state.position", {"O2": 0.4}), section("state.guess", guess))
                self.expect_angles(self.state("position", start), angles)
                words = [word for joint, angle in guess.items() for word in ("--guess", f"{joint}={angle!r}")]
                start = self.model("plain.toml", body, section("state.position", {"O2": 0.4}))
                self.expect_angles(self.state("position", start, *words), angles)

    def test_a_state_file_has_guesses(self):
        rough = {joint: angle + 0.2 for joint, angle in exact(0.4, 1, -1).items()}
        plain = self.model("plain.toml", body)
        self.model("state.toml", section("state.guess", rough))
        self.model("state.json", json.dumps({"guess": rough}))
        for file in "state.toml", "state.json":
            found = self.state("position", plain, "--state", file)
            self.expect_angles(found, exact(found["O2"], 1, -1))

    def test_a_kept_value_that_contradicts_the_loops_is_refused(self):
        angles = exact(0.4)
        for kept in ({"O2": 0.4, "O4": angles["O4"] + 0.1}, {"O2": 0.4, "A": angles["A"] - 0.2}):
            with self.subTest(kept):
                guess = {joint: angle for joint, angle in angles.items() if joint not in kept}
                start = self.model("torn.toml", body, section("state.position", kept), section("state.guess", guess))
                other = next(joint for joint in kept if joint != "O2")
                for answer in (self.trammel("eval", start, "energy"), self.trammel("simulate", start, "--duration", "0.1"),
                               self.trammel("check", start)):
                    self.assertEqual(answer.code, 1)
                    told = answer.out + answer.err
                    self.assertRegex(told, r"is violated by [0-9.e-]+ m")  # the violation,
                    self.assertRegex(told, rf"({other}|O2) = [0-9.e-]+ instead of ")  # the nearest value
                    self.assertIn("[state.position]", told)  # and the key
                self.assertRegex(self.trammel("check", start).out, r"torn.toml:\d+:\d+: error: ")
                # the same on the command line
                words = ",".join(f"{joint}={angle!r}" for joint, angle in kept.items())
                answer = self.trammel("eval", self.model("loose.toml", body, section("state.guess", angles)), "energy", "--q", words)
                self.assertEqual(answer.code, 1)
                self.assertRegex(answer.err, r"is violated by [0-9.e-]+ m.* = [0-9.e-]+ instead of .*--q")

    def test_velocities_are_kept_or_guessed(self):
        angles = exact(0.4)
        position = section("state.position", {"O2": 0.4}) + section("state.guess", {k: x for k, x in angles.items() if k != "O2"})
        h = 1e-5
        rates = {joint: (exact(0.4 + h)[joint] - exact(0.4 - h)[joint]) / (2 * h) for joint in angles}
        # kept: the others follow, for any guesses
        start = self.model("kept.toml", body, position, section("state.velocity", {"O2": 2}),
                           section("state.velocity_guess", {"O4": 5, "P": -1}))
        found = self.state("velocity", start)
        self.assertEqual(found["O2"], 2)
        for joint, rate in rates.items():
            self.assertAlmostEqual(found[joint], 2 * rate, delta=1e-7)
        # guessed: the nearest velocities that satisfy the loops; one number applies to all
        guess = {"O2": 1.0, "A": 2.0, "O4": -1.0, "P": 0.5, "O6": 0.3}
        start = self.model("guessed.toml", body, position, section("state.velocity_guess", guess))
        found = self.state("velocity", start)
        speed = sum(rates[joint] * guess[joint] for joint in guess) / sum(rate**2 for rate in rates.values())
        for joint, rate in rates.items():
            self.assertAlmostEqual(found[joint], speed * rate, delta=1e-7)

    def test_kept_velocities_that_contradict_are_refused(self):
        start = self.model("fast.toml", body, section("state.position", {"O2": 0.4}), section("state.velocity", {"O2": 1, "O4": 5}))
        for words in ("eval", start, "energy"), ("simulate", start, "--duration", "0.1"), ("check", start):
            answer = self.trammel(*words)
            self.assertEqual(answer.code, 1)
            told = answer.out + answer.err
            self.assertRegex(told, r"violate loop joint '[BD]' by [0-9.e-]+ m/s and [0-9.e-]+ rad/s")
            self.assertIn("[state.velocity]", told)
            self.assertRegex(told, r"the nearest are O2 = [0-9.e-]+, O4 = [0-9.e-]+")
        # one of them as a guess is no contradiction
        start = self.model("fast.toml", body, section("state.position", {"O2": 0.4}), section("state.velocity", {"O2": 1}),
                           section("state.velocity_guess", {"O4": 5}))
        self.assertEqual(self.state("velocity", start)["O2"], 1)

    def test_a_file_that_includes_another_replaces_its_guesses(self):
        self.model("part.toml", body, section("state.position", {"O2": 0.4}),
                   section("state.guess", {joint: x for joint, x in exact(0.4).items() if joint != "O2"}))
        other = exact(0.4, -1, -1)
        whole = self.model("whole.toml", "trammel = 1\n[include.left]\nfile = \"part.toml\"\nprefix = \"left_\"\n",
                           section("state.guess", {"left_" + joint: x for joint, x in other.items()}))
        found = self.state("position", whole)
        self.expect_angles({joint: found["left_" + joint] for joint in other}, exact(found["left_O2"], -1, -1))

    def test_guesses_are_written(self):
        self.done("convert", "six_bar.toml", "again.toml")
        text = (self.folder / "again.toml").read_text()
        self.assertIn("[state.guess]", text)
        self.expect_angles(self.state("position", "again.toml"), exact(0))


class SliderCrank(InFolder):
    """The closed loop of docs/first-steps.md: piston at r cos q + sqrt(l^2 - r^2 sin^2 q)."""
    model = (top / "models/robots/slider_crank.toml").read_text()

    def piston(self, name, *words):
        answer = self.json("eval", name, "poses", "--at", "piston", *words)
        return answer["answers"]["poses"]["position"]["values"][0][0]

    def test_the_piston_follows_the_branch_of_the_guess(self):
        r, l = 0.05, 0.15
        (self.folder / "pump.toml").write_text(self.model)
        (self.folder / "other.toml").write_text(
            self.model.replace('crank_pin = "-80 deg"', 'crank_pin = "-220 deg"').replace("cylinder  = 0.15", "cylinder  = -0.1"))
        for degrees in (20, 60, 90, 120, 170):
            q = math.radians(degrees)
            root = math.sqrt(l**2 - (r * math.sin(q))**2)
            for name, side in (("pump.toml", 1), ("other.toml", -1)):
                with self.subTest(degrees=degrees, side=side):
                    self.assertAlmostEqual(self.piston(name, "--q", f"crank={degrees} deg"), r * math.cos(q) + side * root, delta=1e-12)

    def test_torque_at_constant_speed(self):
        # power = rate of kinetic and potential energy, by differences of the closed form along q = w t
        r, l, w = 0.05, 0.15, 2 * math.pi
        def energy(q):
            sine = r / l * math.sin(q)                      # rod: com halfway between pin and piston
            rod = -w * r * math.cos(q) / l / math.sqrt(1 - sine**2)
            x_piston = -r * w * math.sin(q) + r * w * math.cos(q) * -r * math.sin(q) / math.sqrt(l**2 - (r * math.sin(q))**2)
            vx, vz = (x_piston - r * w * math.sin(q)) / 2, -r * w * math.cos(q) / 2
            kinetic = 0.5 * 0.3 * (vx**2 + vz**2 + l**2 / 12 * rod**2) + 0.5 * 0.4 * x_piston**2
            return kinetic + 9.81 * (0.6 + 0.3) * -r * math.sin(q) / 2
        (self.folder / "pump.toml").write_text(self.model)
        answer = self.json("eval", "pump.toml", "inverse_dynamics", "--v", "crank=60 rpm", "--a", "crank=0")
        q, h = math.radians(60), 1e-4
        slope = (8 * (energy(q + h) - energy(q - h)) - (energy(q + 2 * h) - energy(q - 2 * h))) / (12 * h)
        self.assertAlmostEqual(answer["answers"]["inverse_dynamics"]["values"][0], slope, delta=1e-9)


if __name__ == "__main__":
    unittest.main()
