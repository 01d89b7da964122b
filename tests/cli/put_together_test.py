"""How a mechanism is put together before it is asked: where it starts, what is in the way, what it cannot do."""
import math
import unittest

from program import InFolder, top

four_bar = (top / "models/robots/four_bar.toml").read_text()


class PutTogether(InFolder):
    def write(self, name, *changes, more=""):
        text = four_bar
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        (self.folder / name).write_text(text + more)

    def test_all_bars_in_line_is_a_start(self):
        self.write("line.toml", ('motor = "60 deg"', ""))
        state = self.json("eval", "line.toml", "energy")["state"]["position"]["values"]
        self.closes(*state)
        self.assertIn("1 degree of freedom (regular)", self.done("info", "line.toml").out)
        answer = self.trammel("eval", "line.toml", "branches")
        self.assertIn("it still has 1 degree of freedom", answer.err)
        # both ways to close with the crank where it lies, without a word on where the others are
        branches = self.json("eval", "line.toml", "branches", "--q", "motor=0")["answers"]["branches"]["values"]
        self.assertEqual(len(branches), 2)
        for branch in branches:
            self.closes(*branch)

    def closes(self, motor, knee, foot):
        """The coupler's end is the rocker's: bars of 0.2, 0.5 and 0.45 m on a base of 0.5 m."""
        x = 0.2 * math.cos(motor) + 0.5 * math.cos(motor + knee) - 0.5 - 0.45 * math.cos(foot)
        z = 0.2 * math.sin(motor) + 0.5 * math.sin(motor + knee) - 0.45 * math.sin(foot)
        self.assertLess(math.hypot(x, z), 1e-12)

    def test_more_starts_may_be_requested(self):
        state = self.json("eval", "@four_bar", "energy", "--starts", "30")["state"]["position"]["values"]
        self.closes(*state)
        answer = self.trammel("eval", "@four_bar", "energy", "--starts", "0")
        self.assertEqual(answer.code, 2)
        self.assertIn("option --starts is '0'\n  hint: it takes 1 to 1000000", answer.err)

    def test_velocities_alone_leave_the_position_to_the_model(self):
        state = self.json("eval", "@four_bar", "forward_dynamics", "--v", "motor=1")["state"]
        self.assertEqual(state["velocity"]["values"][0], 1)
        motor, knee, foot = state["position"]["values"]
        self.assertAlmostEqual(motor, math.pi / 3, delta=1e-15)
        self.closes(motor, knee, foot)

    def test_velocities_that_tear_it_apart_are_refused_with_the_nearest_that_do_not(self):
        for command in ("simulate", "--duration", "1"), ("eval",):
            question = ["energy"] if command[0] == "eval" else []
            answer = self.trammel(command[0], "@s_t01", *question, *command[1:], "--v", "base=1,0,0,left=0,right=0")
            self.assertEqual(answer.code, 1)
            self.assertRegex(answer.err, "the velocities that are given make wheel '.*' slip at 1 m/s: change them .*; the nearest are base")
            nearest = answer.err.split("the nearest are ")[1].split("\n")[0]
            values = [part.split(" = ")[1] for part in nearest.split(", ")]
            self.done(command[0], "@s_t01", *question, *command[1:], "--v", ",".join(values))
        # all of them as a list, and those of a file, alike
        answer = self.trammel("simulate", "@four_bar", "--duration", "1", "--v", "1,5,0")
        self.assertEqual(answer.code, 1)
        self.assertIn("the velocities that are given violate loop joint 'wrist' by ", answer.err)
        self.write("fast.toml", more="\n[state.velocity]\nmotor = 1\nknee = 5\nfoot = 0\n")
        answer = self.trammel("simulate", "fast.toml", "--duration", "1")
        self.assertEqual(answer.code, 1)
        self.assertIn("the velocities that are given violate loop joint 'wrist' by ", answer.err)
        # with its own position, too
        closed = self.json("eval", "@four_bar", "energy")["state"]["position"]["values"]
        position = ",".join(map(repr, closed))
        answer = self.trammel("simulate", "@four_bar", "--duration", "1", "--q", position, "--v", "1,5,0")
        self.assertEqual(answer.code, 1)
        self.assertIn("simulate: the velocities that are given violate loop joint 'wrist' by ", answer.err)

    def test_a_wheel_that_lies_flat_is_named(self):
        answer = self.trammel("simulate", "flat_wheel.toml", "--duration", "1")
        self.assertEqual(answer.code, 1)
        self.assertIn("wheel 'rim' lies flat on its floor and cannot roll: raise it", answer.err)
        answer = self.done("check", "flat_wheel.toml")
        self.assertIn("warning: wheel 'rim' lies flat on its floor at the start and cannot roll", answer.out)

    def test_wheels_that_leave_no_way_to_move_are_named(self):
        self.done("generate", "platform", "askew.csv", "-o", "askew.toml")
        words = "it cannot move: wheel 'a_rim', wheel 'b_rim', wheel 'c_rim' together leave no degree of freedom"
        self.assertIn("  " + words, self.done("info", "askew.toml").out)
        self.assertEqual(len(self.json("info", "askew.toml")["mobility"]["blocked_by"]), 3)
        self.assertIn("warning: " + words, self.done("simulate", "askew.toml", "--duration", "0.1").err)
        self.assertEqual(self.json("info", "@four_bar")["mobility"]["blocked_by"], [])

    def test_a_blocking_lock_is_named_and_nothing_else_is_printed(self):
        self.write("locked.toml", ('drive  = "torque"', 'drive  = "motion"'),
                   ('[joint.foot]\n', '[joint.foot]\ndrive = "locked"\n'))
        answer = self.done("info", "locked.toml")
        self.assertIn("It closes without locked joint 'foot' (joint 'motor' where it is given)", answer.err)
        self.assertNotIn("row_basis", answer.err)
        self.assertIn("mobility, drives and arms are not available: the model does not assemble", answer.err)

    def test_a_coupling_in_the_way_is_named(self):
        self.write("geared.toml", more="\n[coupling.gear]\nterms = { motor = 1, foot = -3 }\noffset = 2.0\n")
        self.assertIn("without coupling 'gear'", self.trammel("eval", "geared.toml", "energy").err)

    def test_rows_have_units(self):
        self.write("geared.toml", more="\n[coupling.gear]\nterms = { motor = 1, foot = -1 }\noffset = -0.4867056917078856\n")
        answers = self.json("eval", "@four_bar", "multipliers", "constraint_jacobian")["answers"]
        units = dict(zip(answers["multipliers"]["names"], self.units(answers["multipliers"])))
        for name, unit in units.items():
            self.assertEqual(unit, "N m" if "moment" in name else "N", name)
        units = self.units(answers["constraint_jacobian"])
        self.assertEqual(set(units), {"1", "m/rad"})  # moments and forces, by angles
        answers = self.json("eval", "geared.toml", "multipliers")["answers"]["multipliers"]
        self.assertEqual(dict(zip(answers["names"], self.units(answers)))["coupling 'gear'"], "N m")

    @staticmethod
    def units(answer):
        unit, count = answer["unit"], len(answer["values"])
        if isinstance(unit, str):
            return [unit] * count
        return [each for row in unit for each in (row if isinstance(row, list) else [row])]

    def test_singular_poses_are_reported_in_words_that_fit(self):
        warning = self.done("eval", "stretched.toml", "forward_dynamics").err
        self.assertIn("the pose is singular (shaky): instantaneously 2 degrees of freedom, of which 1 leads to a finite motion; the others lock",
                      warning)
        warning = self.done("eval", "@four_bar", "forward_dynamics", "--set", "rocker=0.2", "--q", "0,0,0").err
        self.assertIn("the pose is singular (bifurcation): instantaneously 2 degrees of freedom, of which 1 leads to a finite motion; start "
                      "near it to follow one", warning)

    def test_a_refusal_names_the_function_that_was_called(self):
        for name in "mass_matrix_inverse", "mass_matrix_factors", "mass_matrix_inverse_factors":
            self.assertIn(f"trammel: {name}: ", self.trammel("eval", "@four_bar", name).err)
        for name in "operational_space_inertia", "operational_space_inertia_inverse":
            self.assertIn(f"trammel: {name}: ", self.trammel("eval", "@four_bar", name, "--at", "rocker").err)
        for name in "forward_dynamics_derivatives", "inverse_dynamics_derivatives":
            self.assertIn("constrained_derivatives answers this", self.trammel("eval", "@four_bar", name).err)


if __name__ == "__main__":
    unittest.main()
