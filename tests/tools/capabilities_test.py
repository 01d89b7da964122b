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
S-01,A wish,-,statement,not software
"""


class CapabilitiesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "docs").mkdir()
        (self.root / "docs/capabilities.csv").write_text(TABLE)
        self.program = self.root / "build/dev/bin/law_tests"
        self.program.parent.mkdir(parents=True)
        self.program.write_text("")
        os.utime(self.program, (1000, 1000))

    def results(self, *tests, name="a.json"):
        path = self.root / "build/dev/test-results/law_tests" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"testsuites": [{"testsuite": list(tests)}]}))

    @staticmethod
    def entry(ids, place="tests/laws/x_test.cpp:3", result="COMPLETED", **more):
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
                         {"shown": ["Y-01", "Y-02"], "missing": [], "set_aside": {"S-01": "not software"}})

    def test_what_failed_or_was_skipped_shows_nothing(self):
        self.results(self.entry("Y-01", failures=[{"failure": "no"}]), self.entry("Y-02", result="SKIPPED"))
        self.assertEqual(self.shown(), [])

    def test_one_failing_robot_spoils_the_place_but_not_another_place(self):
        self.results(self.entry("Y-01"), self.entry("Y-02", "tests/laws/y_test.cpp:9"))
        self.results(self.entry("Y-01", failures=[{}]), self.entry("Y-02", failures=[{}]), name="b.json")
        self.assertEqual(self.shown(), ["Y-02"])

    def test_an_unknown_id_is_an_error_with_its_place(self):
        self.results(self.entry("Y-99"))
        self.assertEqual(self.ask(), (1, "capabilities: tests/laws/x_test.cpp:3: there is no capability 'Y-99'\n"))

    def test_results_older_than_the_program_are_refused(self):
        self.results(self.entry("Y-01"))
        os.utime(self.program)
        os.utime(self.root / "build/dev/test-results/law_tests/a.json", (2000, 2000))
        self.assertEqual(self.ask(), (1, "capabilities: law_tests is newer than its results: run ./dev test\n"))

    def test_no_results_say_what_to_do(self):
        self.assertEqual(self.ask(), (1, "capabilities: no test results yet: run ./dev test\n"))

    def test_setting_aside_needs_a_reason(self):
        (self.root / "docs/capabilities.csv").write_text(TABLE.replace("not software", ""))
        self.assertEqual(self.ask("--json")[0], 1)

    def test_explain_gives_the_check_and_the_place(self):
        self.results(self.entry("Y-01"))
        text = self.ask("--explain", "Y-01")[1]
        self.assertIn("check: chain, tree, ring", text)
        self.assertIn("shown by tests/laws/x_test.cpp:3", text)
        self.assertIn("no test shows it yet", self.ask("--explain", "Y-02")[1])
        self.assertEqual(self.ask("--explain", "Z-1")[0], 1)

    def test_the_overview_goes_seed_by_seed(self):
        self.results(self.entry("Y-01"))
        text = self.ask()[1]
        self.assertIn("complex topology: 1 of 2 shown, 1 missing, 0 set aside", text)
        self.assertIn("aside    S-01: not software", text)
        self.assertIn("together: 1 of 3 shown, 1 missing, 1 set aside", text)


class TableTest(unittest.TestCase):
    def test_our_own_table_is_whole(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        table = capabilities.read_table(root / "docs/capabilities.csv")
        self.assertEqual(len(table), 355)
        self.assertTrue(all(row["check"] for row in table.values()))


if __name__ == "__main__":
    unittest.main()
