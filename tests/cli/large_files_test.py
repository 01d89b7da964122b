"""The families of `./dev growth --files`, small: every command that it measures succeeds, and limits are noticed."""
import resource
import sys
import unittest

from program import InFolder, program, top

sys.path.insert(0, str(top / "bench"))
import large_files  # noqa: E402


class Families(InFolder):
    def write(self, family, bodies):
        large_files.write(self.folder / "large.toml", bodies, family)

    def test_each_has_the_bodies_asked_for_and_is_sound(self):
        for name, family in large_files.families.items():
            with self.subTest(name):
                self.write(family, 50)
                answer = self.trammel("check", "large.toml")
                self.assertIn("large.toml: sound: 50 bodies", answer.out + answer.err)
                self.assertEqual(answer.code, 0)

    def test_four_bars_have_five_bodies_and_a_degree_of_freedom_each_and_two_of_the_arm(self):
        self.write(large_files.four_bars, 20)
        self.assertIn("12 degrees of freedom (regular)", self.trammel("info", "large.toml").out)

    def test_every_command_is_measured(self):
        self.write(large_files.four_bars, 20)
        for what, command in large_files.commands(program, self.folder / "large.toml", self.folder).items():
            with self.subTest(what):
                seconds, peak = large_files.measure(command, 20, resource.RLIM_INFINITY)
                self.assertGreater(seconds, 0)
                self.assertGreater(peak, 1 << 20)

    def test_a_command_that_fails_or_needs_too_much_memory_has_no_time(self):
        with self.assertRaises(RuntimeError):
            large_files.measure([program, "check", self.folder / "missing.toml"], 20, 4 << 30)
        self.write(large_files.chain, 3000)
        with self.assertRaises(RuntimeError):
            large_files.measure([program, "check", self.folder / "large.toml"], 20, 24 << 20)


class Threads(InFolder):
    def test_change_no_digit_of_an_answer(self):
        large_files.write(self.folder / "large.toml", 2000, large_files.four_bars)
        for command in (["eval", "large.toml", "forward_dynamics", "reactions", "--v", "left0=1", "--json"],
                        ["info", "large.toml", "--json"]):
            with self.subTest(command[0]):
                alone = self.trammel(*command)
                self.assertEqual(alone.code, 0, alone.err)
                self.assertEqual(self.trammel(*command, "--threads", "2").out, alone.out)

    def test_of_a_wrong_number_are_refused(self):
        for command in ["eval", "@pendulum", "energy"], ["info", "@pendulum"], ["simulate", "@pendulum"]:
            for number in "-1", "1.5", "65", "many":
                with self.subTest(command=command[0], number=number):
                    answer = self.trammel(*command, f"--threads={number}")
                    self.assertEqual(answer.code, 2)
                    self.assertIn("--threads", answer.err)


class Exponents(unittest.TestCase):
    def test_those_of_powers(self):
        for power in 1, 2, 3:
            self.assertAlmostEqual(large_files.exponent([(10, 5.0), (30, 2 * 30**power), (100, 2 * 100**power)]), power)
        self.assertIsNone(large_files.exponent([(10, 1.0)]))

    def test_tables_leave_out_what_was_not_measured(self):
        text = large_files.file_tables({"chain": {"check": [(10, 1.0, 1 << 20), (100, 10.0, 10 << 20)], "info": [(10, 2.0, 1 << 20)]}})
        self.assertIn("| check | 1.00 | 10.00 | 1.0 |", text)
        self.assertIn("| info | 2.00 |  |  |", text)


if __name__ == "__main__":
    unittest.main()
