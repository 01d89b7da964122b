"""The driver that mutates models: same seed, same models; what counts as a finding."""
import pathlib
import random
import sys
import tomllib
import unittest

top = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(top / "tests/fuzz/models"))
import commands
import mutations
from toml_text import model_text


class Models(unittest.TestCase):
    def test_text_is_the_model(self):
        for path in (top / "models").rglob("*.toml"):
            model = tomllib.loads(path.read_text())
            self.assertEqual(tomllib.loads(model_text(model)), model, path)

    def test_every_mutation_changes_some_model_and_leaves_toml(self):
        for mutation in mutations.MUTATIONS:
            changed = 0
            for seed in range(5):
                text = (top / "models/robots/four_bar.toml").read_text()
                one, two = tomllib.loads(text), tomllib.loads(text)
                mutation(one, random.Random(seed))
                mutation(two, random.Random(seed))
                self.assertEqual(model_text(one), model_text(two), mutation)
                tomllib.loads(model_text(one))
                changed += model_text(one) != model_text(tomllib.loads(text))
            self.assertGreater(changed, 0, mutation)


class Findings(unittest.TestCase):
    def judged(self, code=0, out="{}", err="", timed_out=False, command=("eval", "--json")):
        return commands.judge(command, code, out, err, timed_out)

    def test_answers_and_refusals_are_none(self):
        self.assertIsNone(self.judged())
        self.assertIsNone(self.judged(out='{"frame": null, "values": [1, 2]}'))
        self.assertIsNone(self.judged(1, "", "model.toml: error: mass is -1"))

    def test_crashes_bugs_hangs_and_silence(self):
        self.assertEqual(self.judged(-11), "crash: SIGSEGV")
        self.assertIn("exit code 3", self.judged(3, err="trammel: something went wrong"))
        self.assertIn("exit code 134", self.judged(134))
        self.assertIn("hang", self.judged(timed_out=True))
        self.assertIn("silence", self.judged(1, ""))
        self.assertIn("memory", self.judged(1, "", "there is not enough memory for this"))

    def test_numbers_that_are_none(self):
        self.assertIn("no JSON", self.judged(out='{"values": [NaN]}'))
        self.assertIn("'values' is null", self.judged(out='{"values": [[1, null]]}'))
        self.assertIn("no JSON", self.judged(out="{"))


if __name__ == "__main__":
    unittest.main()
