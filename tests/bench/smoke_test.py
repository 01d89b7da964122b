"""The benchmarks' driver from outside, one short turn a row: all is checked, nothing is asserted of time."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

top = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(top / "bench"))
import compare  # noqa: E402
import everyday  # noqa: E402
import families  # noqa: E402
import growth_peers  # noqa: E402
import growth_plots  # noqa: E402
import growth_tables  # noqa: E402
import report  # noqa: E402
import robots  # noqa: E402
import rows  # noqa: E402
from check import error  # noqa: E402
from programs import Program  # noqa: E402

program, closed_program = os.environ["TRAMMEL_BENCH"], os.environ["TRAMMEL_CLOSED"]


class Driver(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def bench(self, *options, program=program):
        command = [sys.executable, "-B", top / "bench/bench.py", "--portable", program, "--build", self.folder / "build",
                   "--rounds", "1", "--milliseconds", "1", *options]
        return subprocess.run(command, capture_output=True, text=True)

    def result(self, *options):
        done = self.bench("--json", *options)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout[-2000:])
        return json.loads(done.stdout)

    def robot(self):
        """A small robot's file in a folder of its own, as lines."""
        return robots.generate(self.folder / "models", "small", [-1, 0, 0]).read_text().splitlines()

    def complaint(self, lines):
        (self.folder / "models/small.txt").write_text("\n".join(lines) + "\n")
        done = self.bench("--models", self.folder / "models", "--growth", "0", "--rows", "^$")
        self.assertEqual(done.returncode, 1, done.stdout)
        return done.stderr


class GrowthPlots(unittest.TestCase):
    table = """**rings: of links**

| CPU seconds | 8 | 16 | 32 | 1,024 | exponent |
|---|---:|---:|---:|---:|---:|
| rank | 0.5 | 0.064 | 0.256 | 262.144 | 9.9 |
| start | 1e-06 | | | | |
"""

    def test_the_fitted_exponent_is_that_of_a_power_law(self):
        _, rows = growth_plots.rows_of(self.table.splitlines()[2:])
        # t = n^2 / 4000 at the three larger sizes; the smallest is off that line, and is not fitted
        self.assertAlmostEqual(growth_plots.fitted_exponent(rows["rank"]), 2.0, places=12)
        self.assertIsNone(growth_plots.fitted_exponent(rows["start"]))

    def test_tables_keep_their_lines_and_get_a_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            text = growth_plots.with_pictures(self.table, pathlib.Path(folder) / "pictures", page)
            self.assertEqual([line for line in text.splitlines() if line.startswith("|")],
                             [line for line in self.table.splitlines() if line.startswith("|")])
            self.assertIn("![rings: CPU seconds](pictures/growth-rings-cpu-seconds.svg)", text)
            drawing = (pathlib.Path(folder) / "pictures/growth-rings-cpu-seconds.svg").read_text()
            self.assertIn("rank: 2.00", drawing)
            self.assertIn(">start<", drawing)


class ClosedMechanisms(Driver):
    def growth(self, *options):
        command = [sys.executable, "-B", top / "bench/growth_peers.py", "--ours", closed_program, "--build", self.folder,
                   "--only", "^$", "--rounds", "1", "--milliseconds", "1", *options]
        return subprocess.run(command, capture_output=True, text=True)

    def test_the_families_agree_with_the_dense_solver_in_motion_and_at_rest(self):
        ours = Program("Trammel", closed_program)
        for family in families.families:
            path = family.write(self.folder, family.sizes[0])
            for state in (0, 1):
                with self.subTest(family.name, state=state):
                    a, kkt = (ours.answer(path, question, state) for question in ("closed", "closed_kkt"))
                    self.assertLess(error(a, kkt), 1e-9)  # both round by 1e-16 times a condition number below 1e6
                    self.assertGreater(max(abs(kkt)), 0.1)
        ours.close()

    def test_without_peers_the_tables_have_ours_alone(self):
        done = self.growth("--most", "16", "--plots", self.folder / "plots")
        self.assertEqual(done.returncode, 0, done.stderr)
        for family in families.families:
            self.assertIn(family.name, done.stdout)
            self.assertTrue((self.folder / f"plots/peers-{family.short}.svg").exists())
        self.assertIn("| excavator (nv 12, 4 loops) | forward dynamics |", done.stdout)
        self.assertNotIn("Where a program stopped", done.stdout)

    def test_a_model_the_neutral_format_cannot_express_is_refused(self):
        ours = Program("Trammel", closed_program)
        for model, reason in (("@sarrus", "rank"), ("@bennett", "at ground"), ("@cam_follower", "joints and efforts"),
                              ("@half_shaft", "joint of body")):
            with self.subTest(model), self.assertRaisesRegex(Exception, reason):
                ours.ask("robot_of", model, f'"{self.folder / "none.txt"}"')
        ours.close()


class Peers(Driver):
    """Programs in the place of peers: ours, with results multiplied by a factor."""

    def peer(self, factor):
        script = self.folder / f"peer{factor}.py"
        script.write_text(f"""
import subprocess, sys
inner = subprocess.Popen([{closed_program!r}], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for line in sys.stdin:
    print(line.strip(), file=inner.stdin, flush=True)
    found = inner.stdout.readline().strip()
    if line.startswith("answer"):
        found = " ".join(str({factor} * float(x)) for x in found.split())
    print(found, flush=True)
""")
        return [sys.executable, "-B", str(script)]

    def options(self):
        return growth_peers.parse(["--ours", closed_program, "--build", str(self.folder), "--quick", "--most", "8"])

    def ladder(self, **commands):
        family = next(family for family in families.families if family.short == "ladder")
        growth = growth_peers.Growth(family, {"Trammel": [closed_program], **commands}, self.options())
        growth.run(time.monotonic() + 60, lambda: None)
        return growth, report.markdown(growth_tables.time_table(growth, steps=False))

    def test_a_wrong_peer_is_printed_as_wrong_and_not_timed(self):
        growth, table = self.ladder(Simbody=self.peer(1.001), Pinocchio=self.peer(1))
        self.assertIn("| Simbody | wrong by 1e-03 |", table)
        self.assertRegex(table, r"\| Pinocchio, constraintDynamics \| [0-9.]+ \|")
        self.assertEqual(growth.unconfirmed, [])
        self.assertTrue(any("differ from Trammel's by 1e-03" in note for note in growth.notes), growth.notes)

    def test_ours_alone_against_all_is_no_success(self):
        growth, _ = self.ladder(Simbody=self.peer(1.001))
        self.assertEqual(growth.unconfirmed, ["ladder, 8 loops"])

    def test_a_peer_that_does_not_start_leaves_the_others(self):
        growth, table = self.ladder(Simbody=["false"], Pinocchio=self.peer(1))
        self.assertIn("| Simbody | no result |", table)
        self.assertRegex(table, r"\| Pinocchio, constraintDynamics \| [0-9.]+ \|")
        self.assertTrue(any("Simbody: the program ended with exit code 1" in note for note in growth.notes), growth.notes)

    def test_functions_of_mechanisms_are_compared(self):
        commands = {"Trammel": [closed_program], "Pinocchio": self.peer(1), "Simbody": self.peer(1.001)}
        measured = everyday.Everyday(commands, self.options())
        gallery, generated = everyday.gallery, everyday.generated
        everyday.gallery, everyday.generated = {"four-bar": "@four_bar"}, {}
        try:
            measured.run(time.monotonic() + 60, lambda: None)
        finally:
            everyday.gallery, everyday.generated = gallery, generated
        by_title = {row.title: row for row in measured.rows}
        self.assertEqual(list(by_title), list(everyday.functions))
        self.assertEqual(by_title["forward dynamics"].failures,
                         {("Simbody", "closed"): "wrong by 1e-03", ("Pinocchio", "closed_lcaba"): "no result"})
        self.assertEqual(by_title["derivatives"].failures, {("Pinocchio", "closed_derivatives"): "no result"})
        self.assertEqual(by_title["forward dynamics"].differences, {"Pinocchio, closed": 0.0})
        self.assertIsNotNone(by_title["reactions"].ratio())
        # the linearization is that of our accelerations, and not of others
        self.assertLess(by_title["derivatives"].differences["differences of Pinocchio"], 1e-6)
        self.assertGreater(by_title["derivatives"].differing["differences of Simbody"], 1e-4)

    def test_an_interrupted_run_keeps_what_was_measured(self):
        command = [sys.executable, "-B", top / "bench/growth_peers.py", "--ours", closed_program, "--build", self.folder,
                   "--only", "^$", "--families", "row", "--limit", "1000"]
        run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        page = self.folder / "growth_peers.md"
        while not page.exists() and run.poll() is None:
            time.sleep(0.02)
        run.send_signal(signal.SIGTERM)
        _, errors = run.communicate()
        self.assertEqual(run.returncode, 130, errors)
        self.assertIn("what was measured is in", errors)
        self.assertRegex(page.read_text(), r"\| Trammel \| [0-9.]+ \|")
        self.assertIn("The run is not complete.", page.read_text())
        self.assertFalse(json.loads((self.folder / "growth_peers.json").read_text())["is_complete"])


class Rows(Driver):
    def test_every_question_of_small_robots_is_checked_and_allocates_nothing(self):
        result = self.result("--rows", "arm7|humanoid|chain8$|coop2|fourbar", "--growth", "0")
        self.assertEqual({row["question"] for row in result["rows"]}, set(rows.questions))
        self.assertEqual(len(result["rows"]), 3 * (len(rows.questions) - 2) + 2 * 2)  # of loops, two questions
        for row in result["rows"]:
            with self.subTest(row["question"] + " " + row["model"]):
                self.assertTrue(row["right"])
                self.assertGreater(len(row["checks"]), 0)
                self.assertIn(row["allocations"], (0, None))
                self.assertGreater(row["times"]["portable"]["ns"], 0)

    def test_memory_is_counted(self):
        (row,) = self.result("--rows", "^inverse random_arm7", "--growth", "0")["rows"]
        self.assertEqual(row["allocations"], 0)

    def test_the_reference_of_a_file_is_honoured(self):
        lines = self.robot()
        zeros = " ".join(["0"] * 6)
        (self.folder / "models/small.txt").write_text("\n".join([*lines, f"ref 3 0 1 1 {zeros}"]) + "\n")
        done = self.bench("--json", "--models", self.folder / "models", "--growth", "0", "--rows", "^(inverse|forward|mass) small")
        self.assertEqual(done.returncode, 1)
        result = json.loads(done.stdout)
        self.assertEqual([row["right"] for row in result["rows"]], [False] * 3)
        self.assertNotIn("times", result["rows"][0])

    def test_a_long_chain_is_built_and_answers(self):
        (entry,) = self.result("--rows", "^$", "--growth", "0", "--large", "3000")["large"]
        self.assertEqual(entry["bodies"], 3000)
        self.assertLess(entry["error"], 1e-9)
        self.assertGreater(entry["model_bytes"], 500)  # of a body: its numbers alone are 176

    def test_growth_batches_plots_and_report(self):
        page = self.folder / "page.md"
        page.write_text(f"before\n{report.begin}\nold\n{report.end}\nafter\n")
        result = self.result("--rows", "^mass random_arm7", "--growth", "16", "--plots", self.folder / "plots", "--report", page)
        self.assertEqual([entry["bodies"] for entry in result["growth"]], [8, 16])
        self.assertEqual([len(family["points"]) for family in result["loop_growth"]], [4, 1])
        self.assertEqual([entry["states"] for entry in result["batch_sizes"]], [2**k for k in range(13)])
        for name in ("growth", "loop-growth", "batch-size"):
            self.assertIn("</svg>", (self.folder / f"plots/{name}.svg").read_text())
        text = page.read_text()
        self.assertTrue(text.startswith("before") and text.endswith("after\n"))
        self.assertIn("| mass matrix | random_arm7 |", text)
        self.assertIn("](plots/growth.svg)", text)
        self.assertNotIn("old", text)

    def test_the_terminal_shows_the_table(self):
        done = self.bench("--rows", "^mass random_arm7", "--growth", "0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("CPU: ", done.stdout)
        self.assertIn("mass matrix  random_arm7", done.stdout)


class WrongInput(Driver):
    def told(self, *options):
        done = self.bench(*options)
        self.assertEqual(done.returncode, 2)
        return done.stderr

    def test_options(self):
        self.assertIn("--models: there is no folder 'nowhere'", self.told("--models", "nowhere"))
        self.assertIn("--report: there is no file 'nowhere.md'", self.told("--report", "nowhere.md"))
        self.assertIn("unrecognized arguments: --fast", self.told("--fast"))
        self.assertIn("'none' is not a number from 1 up", self.told("--rounds", "none"))
        self.assertIn("'(' is no regular expression", self.told("--rows", "("))

    def test_a_folder_without_robots(self):
        done = self.bench("--models", self.folder)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no robots (*.txt) there", done.stderr)

    def test_a_program_that_is_not_there(self):
        done = self.bench(program=str(self.folder / "nothing"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("No such file", done.stderr)

    def test_a_page_without_marks(self):
        (self.folder / "page.md").write_text("nothing\n")
        done = self.bench("--rows", "^$", "--growth", "0", "--report", self.folder / "page.md")
        self.assertEqual(done.returncode, 1)
        self.assertIn("page.md: has no lines", done.stderr)

    def test_broken_robots(self):
        good = self.robot()

        def changed(number, line):
            return [*good[:number - 1], line, *good[number:]]

        self.assertIn("small.txt:1: the line should begin with 'model'", self.complaint(changed(1, "robot small")))
        self.assertIn("small.txt:3: the line should begin with 'body'", self.complaint(changed(3, "bone 0 R")))
        self.assertIn("small.txt:3: the line has 4 words, it should have 28", self.complaint(changed(3, "body 0 R 1")))
        self.assertIn("small.txt:2: could not convert string to float: 'x'", self.complaint(changed(2, good[1].rsplit(" ", 1)[0] + " x")))
        self.assertIn("small.txt:5: the file ends where a line 'states' should be", self.complaint(good[:4]))
        self.assertIn("small.txt:6: the line has 2 words, it should have 12", self.complaint(changed(6, "1 2")))


class Server(Driver):
    """What trammel_bench itself says of broken files and questions."""

    def output(self, line, lines=None):
        path = self.folder / "robot.txt"
        path.write_text("\n".join(lines if lines is not None else self.robot()) + "\n")
        return subprocess.run([program], input=line.replace("ROBOT", f'"{path}"') + "\n", capture_output=True, text=True).stdout.strip()

    def test_what_it_does_not_know(self):
        self.assertIn("Trammel, ", self.output("about"))
        self.assertTrue(self.output("answer ROBOT colour 0").endswith("there is no question 'colour'"))
        self.assertTrue(self.output("answer ROBOT colour_derivatives 0").endswith("there is no question 'colour_derivatives'"))
        self.assertTrue(self.output("answer ROBOT colour_batch 0").endswith("there is no question 'colour_batch'"))
        for question in ("inverse", "mass", "kinematics_jacobian", "forward_derivatives"):
            self.assertEqual(self.output(f"answer ROBOT {question} 64"), "error there are only 64 states")
        self.assertEqual(self.output("answer ROBOT mass_batch/2 2"), "error there are only 2 states")
        self.assertEqual(self.output("paint ROBOT inverse").split(":")[0], "error not understood")
        self.assertIn("no such file", self.output('time "nowhere.txt" inverse 1'))

    def test_broken_robots(self):
        good = self.robot()

        def told(number, line):
            return self.output("answer ROBOT inverse 0", [*good[:number - 1], line, *good[number:]])

        self.assertIn(":1: the line should begin with 'model'", told(1, "robot"))
        self.assertIn(":1: the line ends where a name should be", told(1, "model"))
        self.assertIn(":1: '1.5' is not the number wanted", told(1, "model small 1.5 0 0 0 0 0"))
        self.assertIn(":5: the line should begin with 'loop'", told(1, "model small 3 1 0 0 0 0"))
        self.assertIn(":1: the end effector is none of the bodies", told(1, "model small 3 0 3 0 0 0"))
        self.assertIn(":3: a parent comes before its children", told(3, good[2].replace("body 0", "body 2")))
        self.assertIn(":3: a joint is R, P or F, not 'X'", told(3, good[2].replace("R", "X")))
        self.assertIn(":4: bodies are in depth-first order", told(3, good[2].replace("body 0", "body -1")))
        self.assertIn(":3: only the first body may be free", told(3, good[2].replace("R", "F")))
        self.assertIn(":3: the line goes on with '7' where it should end", told(3, good[2] + " 7"))
        self.assertIn(":5: there must be at least one state", told(5, "states 0"))
        self.assertIn(":4: the file ends where", self.output("answer ROBOT inverse 0", good[:3]))


class BestPeer(unittest.TestCase):
    """The rule, on numbers worked out by hand from anchors.json."""

    def assert_best(self, asked, ns, who):
        times, name = rows.best_peer(*asked)
        self.assertEqual([round(time, 9) for time in times], ns)
        self.assertEqual(name, who)

    def test_the_smaller_counts(self):
        self.assert_best(("inverse", "arm7_panda", [600], [909]), [454], "RBDL [clang] by anchor")
        self.assert_best(("inverse", "arm7_panda", [400], [909]), [400], "Pinocchio [clang]")
        self.assert_best(("inverse", "arm7_panda", [400, 900, 410], [909, 909, 909]), [400, 900, 410], "Pinocchio [clang]")

    def test_what_has_no_anchor(self):
        self.assert_best(("forward", "chain256", None, [18511]), [11482], "RBDL [clang] by anchor")  # as chain64
        self.assert_best(("mass", "arm7_random", [1e9], [502]), [373], "Pinocchio [clang] by anchor")  # as the Panda
        self.assert_best(("inverse_derivatives", "chain64", [9], [8]), [8], "Pinocchio [g++]")
        self.assertIsNone(rows.best_peer("inverse", "chain64", None, None))

    def test_goals(self):
        self.assertEqual(rows.goal("forward_batch", "arm7_panda", 8), 0.10)
        self.assertEqual(rows.goal("forward_batch", "arm7_panda", 4), 0.18)
        self.assertEqual(rows.goal("inverse_batch", "humanoid", 8), 0.12)
        self.assertIsNone(rows.goal("inverse_batch", "humanoid", 4))
        self.assertEqual(rows.goal("mass", "chain8", 4), 0.60)



class Comparison(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_counts_that_grew_are_named(self):
        before = {("inverse dynamics", "a"): 1000, ("inverse dynamics", "b"): 1000, ("mass matrix", "a"): 10}
        lines, is_kept = compare.changes(before, {("inverse dynamics", "a"): 1011, ("inverse dynamics", "b"): 1009})
        self.assertFalse(is_kept)
        self.assertEqual(lines, ["inverse dynamics, a: 1,000 -> 1,011 instructions (+1.1 %)",
                                 "2 rows compared, 1 changed by more than 1 %"])

    def test_fewer_instructions_are_named_and_accepted(self):
        lines, is_kept = compare.changes({("mass matrix", "a"): 1000}, {("mass matrix", "a"): 900})
        self.assertTrue(is_kept)
        self.assertEqual(lines[0], "mass matrix, a: 1,000 -> 900 instructions (-10.0 %)")

    def test_nothing_in_common_is_no_success(self):
        self.assertFalse(compare.changes({("mass matrix", "a"): 1}, {("mass matrix", "b"): 1})[1])

    def test_page_and_json_are_read(self):
        page = self.folder / "page.md"
        page.write_text("| row | model | goal | instructions |\n| --- | --- | ---: | ---: |\n| mass matrix | arm | 0.60 | 3,437 |\n")
        self.assertEqual(compare.read(page), {("mass matrix", "arm"): 3437})
        page.write_text("# nothing\n")
        with self.assertRaisesRegex(compare.CompareError, "--instructions"):
            compare.read(page)
        stored = self.folder / "stored.json"
        question = next(iter(rows.titles))
        stored.write_text(json.dumps({"rows": [{"question": question, "model": "arm", "instructions": 5.0},
                                               {"question": question, "model": "leg"}]}))
        self.assertEqual(compare.read(stored), {(rows.titles[question], "arm"): 5.0})


if __name__ == "__main__":
    unittest.main()
