import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import build_timing

LOG = ("# ninja log v5\n"
       "0\t9000\t1\tCMakeFiles/trammel_core.dir/trammel/constraint/rank/row_basis.cpp.o\tabc\n"
       "9000\t11000\t1\tCMakeFiles/trammel_core.dir/trammel/constraint/rank/row_basis.cpp.o\tdef\n"
       "0\t30000\t1\ttests/CMakeFiles/trammel_unit_tests.dir/unit/base/status_test.cpp.o\tabc\n"
       "0\t500\t1\tlibtrammel.a\tabc\n")


class BuildTiming(unittest.TestCase):
    def test_the_last_run_of_a_step_counts(self):
        self.assertIn((2.0, "CMakeFiles/trammel_core.dir/trammel/constraint/rank/row_basis.cpp.o"), list(build_timing.steps(LOG)))

    def test_files_count_for_their_folder(self):
        self.assertEqual(build_timing.folder_of("CMakeFiles/a.dir/trammel/constraint/rank/row_basis.cpp.o"), "trammel/constraint/rank")
        self.assertEqual(build_timing.folder_of("tests/CMakeFiles/a.dir/unit/base/status_test.cpp.o"), "tests/unit/base")

    def test_the_table_has_the_sum_the_folders_and_the_slowest(self):
        lines = list(build_timing.table(LOG, most=1))
        self.assertIn("2 files compiled", lines[0])
        self.assertIn("0.5 min  tests/unit/base", lines[1])
        self.assertIn("30.0 s    tests/CMakeFiles", lines[2])


if __name__ == "__main__":
    unittest.main()
