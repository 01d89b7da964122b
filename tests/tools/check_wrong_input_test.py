import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_wrong_input

SOURCE = """
// "a comment is no message"
#include "some header.hpp"
void check() {
  error(place, fmt::format("body '{}' has "
                           "mass {:.6g}", name, mass), "a mass is zero or more");
  const char quote = '"'; kind("body"); data(R"(raw text here)");
}
"""


class WrongInputTest(unittest.TestCase):
    def problems(self, expected, elsewhere="", test=""):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "trammel/model").mkdir(parents=True)
            (root / "trammel/model/checks.cpp").write_text(SOURCE)
            (root / "tests/wrong_input").mkdir(parents=True)
            (root / "tests/wrong_input/mass.expected").write_text(expected)
            (root / "tests/wrong_input/elsewhere.txt").write_text(elsewhere)
            (root / "tests/mass_test.cpp").write_text(test)
            return check_wrong_input.check(root)

    def test_messages_and_hints_are_found_with_their_placeholders(self):
        text = "a.toml:1:2: error: body 'rod' has mass -1\n  hint: a mass is zero or more\n"
        self.assertEqual(self.problems(text), (2, []))

    def test_a_message_without_a_file_is_reported(self):
        text = "a.toml:1:2: error: body 'rod' has mass -1\n"
        self.assertEqual(self.problems(text)[1],
                         ["model/checks.cpp: no file of tests/wrong_input provokes 'a mass is zero or more'"])

    def test_what_only_code_provokes_is_listed_with_its_test(self):
        text = "body 'rod' has mass -1"
        listed = "# test: tests/mass_test.cpp\nmodel/checks.cpp | a mass is zero or more\n"
        self.assertEqual(self.problems(text, listed, 'EXPECT("a mass is "\n "zero or more")')[1], [])
        self.assertEqual(len(self.problems(text, listed, "nothing")[1]), 1)

    def test_the_list_does_not_outlive_its_reason(self):
        text = "body 'rod' has mass -1 a mass is zero or more"
        listed = "# test: tests/mass_test.cpp\nmodel/checks.cpp | a mass is zero or more\n"
        self.assertEqual(len(self.problems(text, listed)[1]), 1)


if __name__ == "__main__":
    unittest.main()
