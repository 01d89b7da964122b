import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_language

RETIRED = {"RankPlan": "RowBasis", "road_named": "solver_named"}


class Language(unittest.TestCase):
    def found(self, text, name="x.cpp"):
        return list(check_language.retired_identifiers(text, pathlib.Path(name), RETIRED))

    def test_a_retired_identifier_is_found_with_its_line_and_new_name(self):
        self.assertEqual(self.found("int a;\nRankPlan plan;\n"), [(2, "RankPlan", "RowBasis")])
        self.assertEqual(self.found("a = 1\nx = road_named('kkt')\n", "x.py"), [(2, "road_named", "solver_named")])

    def test_comments_strings_and_longer_names_are_left_alone(self):
        self.assertEqual(self.found('// RankPlan\nf("RankPlan"); RankPlanner x; my_RankPlan;\nauto s = R"(RankPlan)";\n'), [])
        self.assertEqual(self.found('# RankPlan\n"""RankPlan"""\n', "x.py"), [])

    def test_a_quote_in_a_number_opens_no_string(self):
        self.assertEqual(self.found("long n = 100'000;\nRankPlan p; char c = 'a';\n"), [(2, "RankPlan", "RowBasis")])

    def test_words_openings_and_passives_of_prose_are_doubted(self):
        doubts = lambda line: list(check_language.doubtful_prose(line))
        self.assertEqual(doubts("Derivative of the bias by position."), [])
        self.assertIn("'freedoms'", doubts("one number per joint, freedoms apart")[0])
        self.assertIn("sentence begins with 'What is'", doubts("What is left of it.")[0])
        self.assertIn("'is told'", doubts("A failure is told by name.")[0])

    def test_the_ordinary_words_are_allowed(self):
        for line in "A crate on a slope of the ground.", "Capital letters and digits.", "A door on two hinges.", "growth: slope 1.1":
            self.assertEqual(list(check_language.doubtful_prose(line)), [], line)

    def test_code_in_a_page_is_no_prose(self):
        page = "The road.\n```\nroad\n```\nand `road`\n"
        self.assertEqual([number for number, line in check_language.prose(page, pathlib.Path("x.md")) if "road" in line.lower()], [1])


if __name__ == "__main__":
    unittest.main()
