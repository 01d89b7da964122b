// Memory of large models: 100,000 bodies with 20,000 loops are read from a file, evaluated and
// moved in 2 GB. That is 20 kB a body, here of 4,000 and of 20,000 bodies; a matrix of their
// degrees of freedom would have 32 and 160 kB a body.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "tests/allocation/malloc_count.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/read/load.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel::large_models_test {
namespace {

constexpr double most_bytes = 20000;  // per body

// Model file: parallelograms of links of 0.1 m side by side, each with an arm of two bodies on its
// coupler; five bodies and one loop each.
std::string four_bars(int loops) {
  std::string text = "trammel = 1\ngravity = [0, -9.81, 0]\n";
  const auto out = std::back_inserter(text);
  const auto link = [&](const char* name, int k, const std::string& parent, const std::string& at,
                        const char* axis, const char* com) {
    fmt::format_to(out,
                   "[body.{0}{1}]\nmass = 0.2\ncom = {5}\ninertia = [1.7e-4, 1.7e-4, 1.7e-4]\n"
                   "[joint.to_{0}{1}]\ntype = \"revolute\"\nparent = \"{2}\"\nchild = \"{0}{1}\"\n"
                   "at = {{ xyz = {3} }}\naxis = \"{4}\"\n",
                   name, k, parent, at, axis, com);
  };
  const char* const middle = "[0.025, 0.0433012701892219, 0]";
  const char* const end = "[0.05, 0.0866025403784438, 0]";
  for (int k = 0; k < loops; ++k) {
    const auto named = [&](const char* name) { return fmt::format("{}{}", name, k); };
    link("crank", k, "ground", fmt::format("[{}, 0, 0]", 0.2 * k), "z", middle);
    link("rocker", k, "ground", fmt::format("[{}, 0, 0]", 0.2 * k + 0.1), "z", middle);
    link("coupler", k, named("crank"), end, "z", "[0.05, 0, 0]");
    fmt::format_to(
        out,
        "[joint.elbow{0}]\ntype = \"revolute\"\nparent = \"coupler{0}\"\nchild = "
        "\"rocker{0}\"\nat = {{ xyz = [0.1, 0, 0] }}\nchild_at = {{ xyz = {1} }}\naxis = "
        "\"z\"\ncut = true\n",
        k, end);
    link("upper", k, named("coupler"), "[0.05, 0, 0]", "x", "[0, 0, -0.05]");
    link("fore", k, named("upper"), "[0, 0, -0.1]", "y", "[0, 0, -0.05]");
  }
  return text;
}

Model read(const std::string& text) {
  Diagnostics diagnostics;
  Description description = read_description("large.toml", text, {}, diagnostics);
  return build_model(std::move(description), std::move(diagnostics));
}

class LargeModels : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!counts_memory()) GTEST_SKIP() << "memory is counted with glibc's malloc only";
    text_ = four_bars(GetParam());
    before_ = bytes_in_use();
    forget_peak();
  }
  // Since SetUp, per body.
  double peak() const { return double(most_bytes_in_use() - before_) / (5.0 * GetParam()); }

  std::string text_;
  std::size_t before_ = 0;
};

TEST_P(LargeModels, reading_needs_a_bounded_number_of_bytes_and_allocations_for_each_body) {
  const std::size_t begin = allocations_so_far();
  const Model model = read(text_);
  ASSERT_EQ(model.closures().size(), std::size_t(GetParam()));
  EXPECT_LT(peak(), most_bytes / 2) << "the other half is for what evaluates it";
  // the longest of names, keys, lists and tables of a body and its joint are about forty
  EXPECT_LT(double(allocations_so_far() - begin) / (5.0 * GetParam()), 200);
  RecordProperty("bytes_per_body", std::to_string(peak()));
}

TEST_P(LargeModels, energy_dynamics_and_a_step_need_no_matrix_of_all_degrees_of_freedom) {
  const Model model = read(text_);
  Workspace workspace(model);
  State state;
  ASSERT_TRUE(assembled_start(model, workspace, state).ok());
  Energy found;
  ASSERT_TRUE(energy(model, state, workspace, found).ok());
  std::vector<double> a(std::size_t(model.nv())), tau(a);
  ASSERT_TRUE(forward_dynamics(model, state, {}, workspace, a).ok());
  ASSERT_TRUE(inverse_dynamics(model, state, {.a = a}, workspace, tau).ok());
  // free motion needs no efforts; gravity alone would need 1 N m
  for (const double effort : tau) ASSERT_LT(std::abs(effort), 1e-9);
  const SimulationInputs run_inputs(model);
  RunStatistics statistics;
  ASSERT_TRUE(simulate(
                  model, state, run_inputs, {.duration = 1e-3, .method = Method::rk4, .step = 1e-3},
                  workspace, [](const State&) { return Status(); }, statistics)
                  .ok());
  EXPECT_LT(peak(), most_bytes);
  RecordProperty("bytes_per_body", std::to_string(peak()));
}

TEST_P(LargeModels, on_several_threads_allocate_nothing_once_warm) {
  const Model model = read(text_);
  Workspace workspace(model);
  workspace.set_threads(model, 3);
  State state;
  ASSERT_TRUE(assembled_start(model, workspace, state).ok());
  std::vector<double> a(std::size_t(model.nv()));
  ASSERT_TRUE(forward_dynamics(model, state, {}, workspace, a).ok());
  const std::size_t begin = allocations_so_far();
  for (int again = 0; again < 3; ++again)
    ASSERT_TRUE(forward_dynamics(model, state, {}, workspace, a).ok());
  EXPECT_EQ(allocations_so_far(), begin);
}

INSTANTIATE_TEST_SUITE_P(Loops, LargeModels, testing::Values(800, 4000));

}  // namespace
}  // namespace trammel::large_models_test
