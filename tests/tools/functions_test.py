"""Every public Status function is called by the tests over all functions (tests/support/every_function.hpp and
every_constraint_function.hpp) and is reachable from trammel/trammel.hpp."""
import pathlib
import re
import unittest

top = pathlib.Path(__file__).resolve().parents[2]

# of trammel/dynamics: the same function under another name, and parts of others
inside = {"hybrid_dynamics_as", "add_element_forces", "gather_loads", "check_given_accelerations",
          # of trammel/constraint: parts of functions, for this module and those that build on it
          "add_loop_forces", "check_closed", "check_prescribed_given", "check_prescribed_only", "check_kept_closed", "refuse_accelerations",
          "check_left_out_rows", "solve_constrained_dense", "share_among_drives", "mobility_as_it_is",
          "check_start_velocities", "check_start_position", "check_left_out_rates", "freeze_rank", "dynamics_with_rows",
          "dynamics_on_manifold", "local_derivatives", "wheel_loads"}


def offered(module):
    for header in sorted(path for path in (top / "trammel" / module).rglob("*.hpp") if "kernel" not in path.parts):
        text = re.sub(r"//[^\n]*", "", header.read_text())
        for name in re.findall(r"^(?:\[\[nodiscard\]\] )?Status (\w+)\(", text, re.M):
            yield name


class EveryFunction(unittest.TestCase):
    def test_is_called_by_the_tests_of_all_functions(self):
        asked = set()
        for list_of_functions in "every_function.hpp", "every_constraint_function.hpp":
            asked |= set(re.findall(r'^ {6}\{"(\w+)",', (top / "tests/support" / list_of_functions).read_text(), re.M))
        self.assertGreater(len(asked), 60)
        there = {name for module in ("dynamics", "constraint") for name in offered(module)}
        self.assertGreater(len(there), 60)
        self.assertEqual(sorted(there - asked - inside), [])
        self.assertEqual(sorted(inside - there), [])  # no exception without its function

    def test_is_reachable_from_the_public_header(self):
        reached, todo = set(), ["trammel/trammel.hpp"]
        while todo:
            header = todo.pop()
            if header not in reached:
                reached.add(header)
                todo += re.findall(r'#include "(trammel/[^"]+)"', (top / header).read_text())
        declared = set()
        for header in reached:
            declared |= set(re.findall(r"^(?:\[\[nodiscard\]\] )?Status (\w+)\(", (top / header).read_text(), re.M))
        there = {name for module in ("dynamics", "constraint") for name in offered(module)}
        self.assertEqual(sorted(there - inside - declared), [])


if __name__ == "__main__":
    unittest.main()
