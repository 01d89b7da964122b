import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import capabilities

TABLE = """id,capability,check,kind,reason
Y-01,Topology,"chain, tree, ring",test,
Y-02,Actuation,count motors,test,
Y-03,A gain,equality,missing,no function computes it
S-01,A wish,-,statement,not software
"""
SOURCE = """TEST(laws, hold) {
  shows({"Y-01", "topology"}, {"Y-02", "topology"});
  topology(model);
}
"""


class CapabilitiesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "docs").mkdir()
        (self.root / "docs/capabilities.csv").write_text(TABLE)
        (self.root / "trammel").mkdir()
        (self.root / "trammel/topology.hpp").write_text("Topology topology(const Model& model);\n")
        self.source = self.root / "tests/properties/x_test.cpp"
        self.source.parent.mkdir(parents=True)
        self.source.write_text(SOURCE)
        self.program = self.root / "build/dev/bin/law_tests"
        self.program.parent.mkdir(parents=True)
        self.program.write_text("")
        os.utime(self.program, (1000, 1000))

    def results(self, *tests, name="a.json"):
        path = self.root / "build/dev/test-results/law_tests" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"testsuites": [{"testsuite": list(tests)}]}))

    @staticmethod
    def entry(ids, place="tests/properties/x_test.cpp:3", result="COMPLETED", **more):
        return {"name": "t", "result": result, "capability": ids, "capability_place": place, **more}

    def ask(self, *arguments):
        """(exit code, what was printed)"""
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = capabilities.main(arguments, self.root)
        return code, out.getvalue()

    def shown(self):
        return json.loads(self.ask("--json")[1])["shown"]

    def test_a_passing_test_shows_what_it_names(self):
        self.results(self.entry("Y-01,Y-02"), {"name": "other", "result": "COMPLETED"})
        self.assertEqual(json.loads(self.ask("--json")[1]),
                         {"shown": ["Y-01", "Y-02"], "missing": ["Y-03"],
                          "reasons": {"Y-03": "no function computes it"}, "set_aside": {"S-01": "not software"}})

    def test_a_test_that_does_not_call_what_it_names_is_an_error(self):
        self.results(self.entry("Y-01,Y-02"))
        self.source.write_text(SOURCE.replace("  topology(model);", "  by_hand(model);"))
        code, text = self.ask()
        self.assertEqual(code, 1)
        for id in ("Y-01", "Y-02"):
            self.assertIn(f"tests/properties/x_test.cpp:2: {id} names 'topology', but the test does not call it", text)

    def test_what_is_missing_cannot_be_shown(self):
        self.results(self.entry("Y-03"))
        self.assertEqual(self.ask(),
                         (1, "capabilities: tests/properties/x_test.cpp:3: the table says that Y-03 is missing\n"))

    def test_kinds_are_known(self):
        (self.root / "docs/capabilities.csv").write_text(TABLE.replace("missing", "later"))
        self.assertIn("Y-03 is of kind 'later'; there are test, missing, statement", self.ask()[1])

    def test_what_failed_or_was_skipped_shows_nothing(self):
        self.results(self.entry("Y-01", failures=[{"failure": "no"}]), self.entry("Y-02", result="SKIPPED"))
        self.assertEqual(self.shown(), [])

    def test_one_failing_robot_spoils_the_place_but_not_another_place(self):
        self.results(self.entry("Y-01"), self.entry("Y-02", "tests/properties/y_test.cpp:9"))
        self.results(self.entry("Y-01", failures=[{}]), self.entry("Y-02", failures=[{}]), name="b.json")
        self.assertEqual(self.shown(), ["Y-02"])

    def test_an_unknown_id_is_an_error_with_its_place(self):
        self.results(self.entry("Y-99"))
        self.assertEqual(self.ask(), (1, "capabilities: tests/properties/x_test.cpp:3: there is no capability 'Y-99'\n"))

    def test_results_older_than_the_program_are_refused(self):
        self.results(self.entry("Y-01"))
        os.utime(self.program)
        os.utime(self.root / "build/dev/test-results/law_tests/a.json", (2000, 2000))
        self.assertEqual(self.ask(), (1, "capabilities: law_tests is newer than its results: run ./dev test\n"))

    def test_no_results_say_what_to_do(self):
        self.assertEqual(self.ask(), (1, "capabilities: no test results yet: run ./dev test\n"))

    def test_setting_aside_needs_a_reason(self):
        for reason in ("not software", "no function computes it"):
            (self.root / "docs/capabilities.csv").write_text(TABLE.replace(reason, ""))
            self.assertEqual(self.ask("--json")[0], 1)

    def test_explain_gives_the_check_the_place_and_what_is_called(self):
        self.results(self.entry("Y-01", "tests/properties/x_test.cpp:2"))
        text = self.ask("--explain", "Y-01")[1]
        self.assertIn("check: chain, tree, ring", text)
        self.assertIn("shown by tests/properties/x_test.cpp:2: topology", text)
        self.assertIn("no test of the last run shows it", self.ask("--explain", "Y-02")[1])
        self.assertIn("missing: no function computes it", self.ask("--explain", "Y-03")[1])
        self.assertEqual(self.ask("--explain", "Z-1")[0], 1)

    def test_the_overview_is_by_publication(self):
        self.results(self.entry("Y-01"))
        text = self.ask()[1]
        self.assertIn("complex topology: 1 of 3 shown, 2 missing, 0 set aside", text)
        self.assertIn("missing  Y-02: no test of the last run shows it", text)
        self.assertIn("missing  Y-03: no function computes it", text)
        self.assertIn("aside    S-01: not software", text)
        self.assertIn("together: 1 of 4 shown, 2 missing, 1 set aside", text)


class TableTest(unittest.TestCase):
    def test_our_own_table_is_whole(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        table = capabilities.read_table(root / "docs/capabilities.csv")
        self.assertEqual(len(table), 355)
        self.assertTrue(all(row["check"] for row in table.values()))


if __name__ == "__main__":
    unittest.main()
