import pathlib
import stat
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import mutants
import mutate


def fault(number=1, was="a < b", becomes="a > b", file="trammel/dynamics/x.cpp", what="w", **more):
    return mutants.Fault(number=number, file=file, was=was, becomes=becomes, what=what, **more)


class MutatedTextTest(unittest.TestCase):
    def test_an_expression_becomes_a_choice(self):
        self.assertEqual(mutants.mutated("if (a < b) f();", [fault()]),
                         "if ((::trammel::mutant(1) ? (a > b) : (a < b))) f();")

    def test_a_statement_becomes_two_branches(self):
        self.assertEqual(mutants.mutated("x; y; z;", [fault(was="y;", becomes=";")]),
                         "x; if (::trammel::mutant(1)) { ; } else { y; } z;")

    def test_the_word_mutant_stands_for_the_switch(self):
        self.assertEqual(mutants.mutated("-x", [fault(was="-x", becomes="(MUTANT ? 1.0 : -1.0) * x")]),
                         "(::trammel::mutant(1) ? 1.0 : -1.0) * x")

    def test_two_faults_at_one_place_are_nested(self):
        text = mutants.mutated("a < b", [fault(1), fault(2, becomes="false")])
        self.assertEqual(text, "(::trammel::mutant(2) ? (false) : ((::trammel::mutant(1) ? (a > b) : (a < b))))")

    def test_after_chooses_one_of_several(self):
        self.assertEqual(mutants.mutated("a < b; mark; a < b; a < b", [fault(after="mark")]),
                         "a < b; mark; (::trammel::mutant(1) ? (a > b) : (a < b)); a < b")

    def test_lines_keep_their_numbers(self):
        text = mutants.mutated("f(a <\n  b);\nlast", [fault(was="a <\n  b", becomes="false")])
        self.assertEqual(text.splitlines()[2], "last")

    def test_a_lost_text_is_named(self):
        with self.assertRaisesRegex(mutants.ListError, r"mutant 1 \(trammel/dynamics/x.cpp: w\): 'was' stands 0 times"):
            mutants.mutated("nothing", [fault()])

    def test_a_text_that_stands_twice_is_refused(self):
        with self.assertRaisesRegex(mutants.ListError, "stands 2 times"):
            mutants.mutated("a < b, a < b", [fault()])

    def test_overlapping_faults_are_refused(self):
        with self.assertRaisesRegex(mutants.ListError, "overlaps mutant 1"):
            mutants.mutated("a < b + c", [fault(1), fault(2, was="b + c", becomes="c")])


class ListTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / mutants.LIST).mkdir(parents=True)
        self.source = self.root / "trammel/dynamics/x.cpp"
        self.source.parent.mkdir(parents=True)
        self.source.write_text("bool f(int a, int b) { return a < b; }\n")

    def write(self, text, name="dynamics.toml"):
        (self.root / mutants.LIST / name).write_text(text)

    ENTRY = "[[fault]]\nnumber = 7\nfile = 'trammel/dynamics/x.cpp'\nwas = 'a < b'\nbecomes = 'a > b'\nwhat = 'turned'\n"

    def test_a_copy_is_written_once(self):
        self.write(self.ENTRY)
        out = self.root / "out"
        self.assertEqual(mutants.generate(self.root, out), ["trammel/dynamics/x.cpp"])
        copy = out / "trammel/dynamics/x.cpp"
        self.assertIn("::trammel::mutant(7)", copy.read_text())
        before = copy.stat().st_mtime_ns
        mutants.generate(self.root, out)
        self.assertEqual(copy.stat().st_mtime_ns, before)  # unchanged copies are not compiled again

    def test_a_copy_without_faults_is_removed(self):
        self.write(self.ENTRY)
        out = self.root / "out"
        mutants.generate(self.root, out)
        self.write("")
        self.assertEqual(mutants.generate(self.root, out), [])
        self.assertFalse((out / "trammel/dynamics/x.cpp").exists())

    def test_all_mistakes_are_reported_at_once(self):
        self.write(self.ENTRY + self.ENTRY + "[[fault]]\nnumber = 'x'\nplace = 3\n")
        with self.assertRaises(mutants.ListError) as caught:
            mutants.read_list(self.root / mutants.LIST)
        text = str(caught.exception)
        for part in ("fault 7: the number is taken by dynamics.toml: turned", "has no 'file'", "has a key 'place'",
                     "'number' is not of type int"):
            self.assertIn(part, text)

    def test_a_file_that_is_gone_is_named(self):
        self.write(self.ENTRY)
        self.source.unlink()
        with self.assertRaisesRegex(mutants.ListError, "mutant 7 .*: there is no such file"):
            mutants.generate(self.root, self.root / "out")


class RunTest(unittest.TestCase):
    """Against programs that stand for the test programs: shell scripts."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.runner = mutate.Runner(self.folder)
        for name in mutate.PROGRAMS[1:]:
            self.program(name, "")

    def program(self, name, body, suites=("Quick.", "Slow.")):
        path = self.folder / name
        listing = "\n".join(f"{suite}\n  test" for suite in suites) if body else ""
        path.write_text(f"#!/bin/sh\ncase $1 in --gtest_list_tests) printf '%s\\n' '{listing}'; exit;; esac\n"
                        f"suite=${{1#--gtest_filter=}}\n{body}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def measured(self):
        return mutate.measure(self.runner, {}, 1, lambda text: None)

    def test_suites_are_read_from_the_list(self):
        self.assertEqual(mutate.suites_of("A.\n  one\nrandom/B/0.  # TypeParam = int\n  two\nDISABLED_C.\n  three\n"),
                         ["A", "random/B/0"])

    def test_only_suites_that_reach_a_fault_run(self):
        self.program(mutate.PROGRAMS[0], 'test -z "$TRAMMEL_MUTANT_REACHED" && exit 1\n'
                                         'case $suite in Slow*) echo 5 > "$TRAMMEL_MUTANT_REACHED";; esac')
        measured = self.measured()
        self.assertEqual([item[:2] for item in mutate.order(5, measured, None)], [(mutate.PROGRAMS[0], "Slow")])
        self.assertEqual(mutate.judge(self.runner, fault(5), measured, None)["verdict"], "failed")
        self.assertEqual(mutate.judge(self.runner, fault(6), measured, None)["verdict"], "not reached")

    def test_a_fault_that_no_suite_finds_survives(self):
        self.program(mutate.PROGRAMS[0], 'test -n "$TRAMMEL_MUTANT_REACHED" && echo 5 > "$TRAMMEL_MUTANT_REACHED"; exit 0')
        self.assertEqual(mutate.judge(self.runner, fault(5), self.measured(), None)["verdict"], "survived")

    def test_a_crash_is_distinguished_from_a_failure(self):
        self.program(mutate.PROGRAMS[0], 'test -n "$TRAMMEL_MUTANT_REACHED" && echo 5 > "$TRAMMEL_MUTANT_REACHED" && exit 0\n'
                                         'kill -SEGV $$')
        self.assertEqual(mutate.judge(self.runner, fault(5), self.measured(), None)["verdict"], "crashed")

    def test_a_suite_that_does_not_end_hangs(self):
        self.program(mutate.PROGRAMS[0], "while :; do :; done")
        self.assertEqual(self.runner.run(mutate.PROGRAMS[0], "Quick", {}, limit=1)[0], "hung")

    def test_a_suite_that_fails_without_a_fault_is_left_out(self):
        self.program(mutate.PROGRAMS[0], 'echo 5 > "$TRAMMEL_MUTANT_REACHED"; exit 1')
        self.assertEqual(mutate.order(5, self.measured(), None), [])

    def test_the_suite_that_found_it_last_time_comes_first(self):
        measured = {"p": {"suites": {"A": {"seconds": 1, "reached": [5], "passed": True},
                                     "B": {"seconds": 2, "reached": [5], "passed": True}}}}
        self.assertEqual([item[1] for item in mutate.order(5, measured, None)], ["A", "B"])
        self.assertEqual([item[1] for item in mutate.order(5, measured, "p/B")], ["B", "A"])

    def test_fast_and_specific_suites_come_first(self):
        suites = {"slow": {"seconds": 9, "reached": [5], "passed": True},
                  "wide": {"seconds": 0.1, "reached": list(range(100)), "passed": True},
                  "quick": {"seconds": 0.1, "reached": [5, 6], "passed": True}}
        self.assertEqual([item[1] for item in mutate.order(5, {"p": {"suites": suites}}, None)], ["quick", "slow", "wide"])

    def test_a_fault_with_a_reason_runs_within_a_budget(self):
        self.assertEqual(mutate.within([("p", "a", 12), ("p", "b", 7), ("p", "c", 2)], 20), [("p", "a", 12), ("p", "b", 7)])
        self.assertEqual(mutate.within([("p", "a", 90), ("p", "b", 1)], 20), [("p", "a", 90)])
        measured = {"p": {"suites": {"Quick": {"seconds": 1, "reached": [5], "passed": True},
                                     "Slow": {"seconds": 30, "reached": [5], "passed": True}}}}
        ran = []
        self.runner.run = lambda program, suite, *rest: ran.append(suite) or ("passed", 1.0)
        self.assertEqual(mutate.judge(self.runner, fault(5, reason="the same"), measured, None)["verdict"], "survived")
        self.assertEqual(ran, ["Quick"])
        mutate.judge(self.runner, fault(5), measured, None)
        self.assertEqual(ran[1:], ["Quick", "Slow"])

    def test_what_was_measured_is_kept_while_the_program_is_the_same(self):
        self.program(mutate.PROGRAMS[0], "exit 0")
        first = self.measured()
        self.runner.suites = None  # not listed again
        self.assertEqual(mutate.measure(self.runner, first, 1, None), first)


class TableTest(unittest.TestCase):
    def test_each_fault_is_counted_once(self):
        faults = [fault(1), fault(2), fault(3, reason="the same"), fault(4, file="trammel/simulate/y.cpp")]
        verdicts = {"1": "failed", "2": "hung", "3": "survived", "4": "survived"}
        results = {number: {"verdict": verdict} for number, verdict in verdicts.items()}
        lines = mutate.table(faults, results, 3).splitlines()
        self.assertIn("| dynamics | 3 | 2 | 1 | 0 | 1 | 0 |", lines)
        self.assertIn("| simulate | 1 | 0 | 0 | 0 | 0 | 1 |", lines)
        self.assertIn("| all | 4 | 2 | 1 | 0 | 1 | 1 |", lines)
        self.assertIn("- 3 `trammel/dynamics/x.cpp`, w: the same", lines)


class FoundByTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / mutants.FOUND_BY

    def test_what_is_written_is_read(self):
        mutate.write_found_by(self.path, {"20": {"verdict": "hung", "by": "p/every/B/0"}, "3": {"verdict": "failed", "by": "p/A"},
                                          "4": {"verdict": "survived", "by": ""}})
        self.assertEqual(mutate.read_found_by(self.path), {3: "p/A", 20: "p/every/B/0"})
        self.assertEqual(mutants.read_list(self.path.parent), [])  # no list of faults

    def test_without_the_file_nothing_is_known(self):
        self.assertEqual(mutate.read_found_by(self.path), {})


class OwnListTest(unittest.TestCase):
    def test_found_by_names_faults_and_programs(self):
        folder = pathlib.Path(__file__).resolve().parents[2] / mutants.LIST
        found_by = mutate.read_found_by(folder / mutants.FOUND_BY)
        self.assertLessEqual(set(found_by), {one.number for one in mutants.read_list(folder)})
        self.assertLessEqual({suite.split("/")[0] for suite in found_by.values()}, set(mutate.PROGRAMS))

    def test_the_list_follows_the_code(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        with tempfile.TemporaryDirectory() as folder:
            mutants.generate(root, folder)
        self.assertGreaterEqual(len(mutants.read_list(root / mutants.LIST)), 100)


if __name__ == "__main__":
    unittest.main()
