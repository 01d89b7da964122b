// Adaptive methods: the error decreases with the tolerance, on a closed loop and on a floating tree
// with ball joints.
//
// Step size goes with tolerance^(1/(r+1)), r the order of the error estimate, and the global error
// with the step size to the power of the order p of the method [Hairer, Norsett, Wanner, II.4]: so
// the error goes with tolerance^(p/(r+1)). That is 5/5 for Dormand-Prince 5(4), 8/7 for
// extrapolation 8(6), 5/4 for Radau 5(3); multistep methods estimate the error of the order they
// use: 5/6 for BDF of order 5.
#include <cmath>

#include <fmt/format.h>

#include "tests/support/motion_of.hpp"
#include "tests/support/thrown.hpp"

namespace trammel::tolerance_test {
namespace {

MotionOf thrown() {
  MotionOf motion(thrown_model());
  for (std::size_t k = 0; k < motion.state.v.size(); ++k)
    motion.state.v[k] = 1.5 * std::cos(1.0 + 2.4 * double(k));
  return motion;
}
MotionOf four_bar() { return MotionOf("four_bar"); }

struct Case {
  const char* name;
  MotionOf (*make)();
  Method method;
  double slope;  // of the logarithm of the error over that of the tolerance
};
class EveryTolerance : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    methods, EveryTolerance,
    testing::Values(Case{"bdf_on_a_loop", four_bar, Method::bdf, 5.0 / 6},
                    Case{"bdf_on_a_floating_tree", thrown, Method::bdf, 5.0 / 6},
                    Case{"radau_on_a_loop", four_bar, Method::radau, 5.0 / 4},
                    Case{"radau_on_a_floating_tree", thrown, Method::radau, 5.0 / 4},
                    Case{"dormand_prince_on_a_loop", four_bar, Method::dormand_prince, 1},
                    Case{"dormand_prince_on_a_floating_tree", thrown, Method::dormand_prince, 1},
                    Case{"extrapolation_on_a_loop", four_bar, Method::extrapolation, 8.0 / 7},
                    Case{"extrapolation_on_a_floating_tree", thrown, Method::extrapolation,
                         8.0 / 7}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace

TEST_P(EveryTolerance, the_error_follows_it) {
  const auto& [name, make, method, expected] = GetParam();
  if (!method_lacks(method).empty()) GTEST_SKIP() << method_lacks(method);
  const double duration = 0.8;
  RunOptions best = MotionOf::precise();
  best.method = Method::extrapolation;
  best.relative = 1e-13, best.absolute = 1e-14;
  MotionOf reference = make();
  ASSERT_TRUE(reference.go(duration, best).ok());

  const auto run = [&, make_it = make, chosen = method](double tolerance, long& steps) {
    MotionOf motion = make_it();
    RunOptions options;
    options.method = chosen;
    options.relative = tolerance, options.absolute = tolerance / 100;
    const Status status = motion.go(duration, options);
    EXPECT_TRUE(status.ok()) << status.message();
    steps = motion.statistics.steps;
    return apart(motion.model, motion.state, reference.state);
  };
  long few = 0, many = 0, steps = 0;
  const double coarse = run(1e-4, few), fine = run(1e-10, many);
  const double slope = std::log10(coarse / fine) / 6;
  RecordProperty("coarse", fmt::format("{:.2g}", coarse));
  RecordProperty("fine", fmt::format("{:.2g}", fine));
  RecordProperty("slope", fmt::format("{:.2f}", slope));
  EXPECT_NEAR(slope, expected, 0.25);  // over six decades a factor of thirty at an end
  EXPECT_GT(many, 2 * few);
  // never much more than the tolerance, over the whole range
  for (const double tolerance : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9})
    EXPECT_LT(run(tolerance, steps), 1000 * tolerance) << tolerance;
}

}  // namespace trammel::tolerance_test
