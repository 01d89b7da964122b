"""Lengths whose squares overflow: refused by name, and no function calls itself without an end."""
import unittest

from program import InFolder, top

vehicle = (top / "models/reference/saha/s_t01.toml").read_text()
mecanum = (top / "models/tables/mecanum.csv").read_text()
four_bar = (top / "models/robots/four_bar.toml").read_text()


class Overflow(InFolder):
    def expect_answer_or_refusal(self, *words):
        """Exit code 0 or 1 with a reason: a stack that is used up would end with a signal."""
        answer = self.trammel(*words)
        self.assertIn(answer.code, (0, 1), (words, answer.code, answer.err[-300:]))
        if answer.code == 1:
            self.assertTrue(answer.out + answer.err)
        self.assertNotIn("nan", (answer.out + answer.err).lower(), words)
        return answer

    def test_lengths_that_overflow_are_refused(self):
        line = next(line for line in vehicle.splitlines() if line.startswith("l = "))
        for length in "1e101", "1e155", "1e200", "1e308":
            (self.folder / "far.toml").write_text(vehicle.replace(line, f"l = {length}"))
            for words in (("info",), ("check",), ("eval", "energy"), ("simulate", "--duration", "0.1")):
                answer = self.expect_answer_or_refusal(words[0], "far.toml", *words[1:])
                self.assertEqual(answer.code, 1, (length, words))
                self.assertIn("overflow", answer.out + answer.err)

    def test_tables_with_such_lengths_are_refused(self):
        for column in "0.2,  0.3", "0.2,  -0.3":
            for far in "1e160", "1e200":
                self.assertIn(column, mecanum)
                (self.folder / "far.csv").write_text(mecanum.replace(column, far + column[3:], 1))
                for words in (("info",), ("check",), ("simulate", "--duration", "0.1"), ("design",)):
                    answer = self.expect_answer_or_refusal(words[0], "far.csv", *words[1:])
                    self.assertEqual(answer.code, 1, (far, words))

    def test_lengths_just_below_are_answered_or_refused(self):
        # inconsistent velocities are projected to the nearest possible ones, which needs a rank, which needs a closed
        # position
        for length in "1e60", "1e80", "1e99":
            line = next(line for line in vehicle.splitlines() if line.startswith("l = "))
            (self.folder / "far.toml").write_text(vehicle.replace(line, f"l = {length}"))
            for words in (("info",), ("check",), ("eval", "energy", "--v", "left=1"), ("simulate", "--duration", "0.01")):
                self.expect_answer_or_refusal(words[0], "far.toml", *words[1:])
            (self.folder / "bars.toml").write_text(four_bar.replace("0.5", length))
            for words in (("info",), ("eval", "energy", "--v", "motor=1,knee=5"), ("simulate", "--duration", "0.01")):
                self.expect_answer_or_refusal(words[0], "bars.toml", *words[1:])


if __name__ == "__main__":
    unittest.main()
