import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import capability_calls

TABLE = """id,capability,check,kind,reason
Y-01,Forward dynamics,ABA,test,
Y-02,A gain,equality,missing,no function computes it
"""
HEADER = """#pragma once
namespace trammel {
// Forward dynamics: see energy(model).
[[nodiscard]] Status forward_dynamics(const Model& model, std::span<double> out);
template <class S> S energy(const Model& model) { return S(0); }
struct Signal {
  static Signal step(double from, double to);
  double at(double time) const { return time; }
};
}
"""
KERNEL = "namespace trammel::kernel { void sweep(const Model& model); }\n"
HELPERS = """#pragma once
inline double moved(const Model& model) {
  std::vector<double> a(3);
  (void)forward_dynamics(model, a);
  return a[0];
}
struct Asked {
  explicit Asked(const Model& m) : model(m), own{1.0} { prepared = true; }
  double energies() { return energy<double>(model); }
  Model model;
  double own;
};
inline double gain(double x) { return 2 * x; }
"""


class CapabilityCallsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("docs/capabilities.csv", TABLE)
        self.write("trammel/dynamics/forward_dynamics.hpp", HEADER)
        self.write("trammel/dynamics/kernel/sweep.hpp", KERNEL)
        self.write("tests/helpers.hpp", HELPERS)

    def write(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def complaints(self, shows, body, above=""):
        """What is said of one test, whose shows() is on line 5."""
        lines = ['#include "tests/helpers.hpp"', '#include "trammel/dynamics/forward_dynamics.hpp"', above,
                 "TEST(laws, hold) {", f"  shows({shows});", body, "}", ""]
        self.write("tests/properties/x_test.cpp", "\n".join(lines))
        return list(capability_calls.complaints(self.root))

    def expect_called(self, name, body, above=""):
        self.assertEqual(self.complaints(f'{{"Y-01", "{name}"}}', body, above), [])

    def expect_not_called(self, name, body, above=""):
        self.assertEqual(self.complaints(f'{{"Y-01", "{name}"}}', body, above),
                         [f"tests/properties/x_test.cpp:5: Y-01 names '{name}', but the test does not call it"])

    def test_a_call_in_the_test_counts(self):
        self.expect_called("forward_dynamics", "ASSERT_TRUE(forward_dynamics(model, a).ok());")
        self.expect_called("forward_dynamics", "const Status s = trammel::forward_dynamics(model, a);")
        self.expect_called("energy", "return energy<double>(model);")
        self.expect_called("energy", "const Span<double> I =\n      energy<Span<double>>(model);")

    def test_what_is_named_and_not_called_is_an_error(self):
        self.expect_not_called("forward_dynamics", "EXPECT_EQ(energy<double>(model), 0);")

    def test_comments_texts_and_variables_are_no_calls(self):
        self.expect_not_called("forward_dynamics", '// forward_dynamics(model, a)\nsay("forward_dynamics(model)");')
        self.expect_not_called("energy", "const Energy energy(model); /* energy(model) */")
        self.expect_not_called("energy", "std::vector<double> energy(3);")
        self.expect_not_called("energy", "plain.energy(model);")  # a method of another object
        self.expect_not_called("energy", "others::energy(model);")

    def test_helpers_count_as_far_as_they_are_called(self):
        self.expect_called("forward_dynamics", "EXPECT_EQ(moved(model), 0);")
        self.expect_called("forward_dynamics", "EXPECT_EQ(twice(), 0);", "double twice() { return 2 * moved(m); }")
        self.expect_called("energy", "Asked asked(model);\n  EXPECT_EQ(asked.energies(), 0);")
        self.expect_not_called("energy", "Asked asked(model);\n  EXPECT_EQ(asked.own, 0);")
        self.expect_not_called("energy", "EXPECT_EQ(other.energies(), 0);")  # Asked is not named
        self.expect_not_called("forward_dynamics", "EXPECT_EQ(gain(1), 2);")

    def test_methods_and_types(self):
        self.expect_called("Signal::step", "const auto s = Signal::step(0, 1);")
        self.expect_called("Signal::at", "EXPECT_EQ(signal.at(1), 1);")
        self.expect_not_called("Signal::at", "EXPECT_EQ(at(1), 1);")
        self.expect_called("Signal", "const Signal s = given;")
        self.expect_not_called("Signal", "EXPECT_EQ(1, 1);")

    def test_only_what_a_public_header_declares_is_of_trammel(self):
        for name in ("gain", "sweep", "no_such_thing", "Signal::no_such_thing"):
            self.assertEqual(self.complaints(f'{{"Y-01", "{name}"}}', "gain(1); sweep(model);"),
                             [f"tests/properties/x_test.cpp:5: Y-01 names '{name}', which no header below trammel/ declares"])

    def test_a_function_that_a_test_defines_anew_is_not_that_of_trammel(self):
        self.assertEqual(self.complaints('{"Y-01", "energy"}', "energy(m);", "double energy(Model m) { return 0; }"),
                         ["tests/properties/x_test.cpp:5: Y-01 names 'energy', but tests/ defines one of its own"])
        self.assertEqual(self.complaints('{"Y-01", "energy"}', "energy(m);", "struct laws { double energy(Model m); };"),
                         ["tests/properties/x_test.cpp:5: Y-01 names 'energy', but tests/ defines one of its own"])

    def test_ids_are_those_of_the_table(self):
        called = "energy(m);"
        self.assertEqual(self.complaints('{"Y-01", "energy"}, {"Y-99", "energy"}', called),
                         ["tests/properties/x_test.cpp:5: there is no capability 'Y-99'"])
        self.assertEqual(self.complaints('{"Y-01", "energy"}, {"Y-02", "energy"}', called),
                         ["tests/properties/x_test.cpp:5: docs/capabilities.csv says Y-02 is missing; "
                          "drop the id here or the word there"])

    def test_an_id_without_a_function_is_an_error(self):
        self.assertEqual(self.complaints('{"Y-01"}', ""),
                         ["tests/properties/x_test.cpp:5: Y-01 names no function; write which public function is called"])
        for form in ('"Y-01"', '"Y-01", "energy"', 'id, {"Y-01", "energy"}', ""):
            self.assertEqual(self.complaints(form, "energy(m);"),
                             ['tests/properties/x_test.cpp:5: write shows({"ID", "function"}, ...) in the test itself'])

    def test_several_ids_over_several_lines(self):
        self.write("docs/capabilities.csv", TABLE + "Y-03,Energy,kept,test,\n")
        self.assertEqual(self.complaints('{"Y-01", "forward_dynamics", "energy"},\n        {"Y-03", "energy"}',
                                         "moved(m); energy(m);"), [])

    def test_capabilities_without_a_test_must_be_marked_missing(self):
        self.write("tests/properties/x_test.cpp", "TEST(laws, hold) {}\n")
        self.assertEqual(list(capability_calls.complaints(self.root)),
                         ["docs/capabilities.csv: no test shows Y-01; write the test, or say that it is missing and why"])


class OurOwnTestsTest(unittest.TestCase):
    def test_a_function_that_is_called_elsewhere_only_is_found_out(self):
        sources = capability_calls.Sources(ROOT)
        found = list(capability_calls.claims(ROOT, sources))
        self.assertGreater(len(found), 300)
        self.assertIn("best_layout", sources.public)
        calling = {claim.place for claim in found
                   if capability_calls.is_called("best_layout", sources.reach(claim.path, claim.test))}
        self.assertEqual(calling, {claim.place for claim in found if "best_layout" in claim.names})


if __name__ == "__main__":
    unittest.main()
