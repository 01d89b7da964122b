// Times of steps and samples: times that differ by rounding are merged, none occurs twice.
#include "tests/support/motion_of.hpp"
#include "trammel/simulate/integrate/fixed_steps.hpp"

namespace trammel::sampling_test {
namespace {

// 49 times 1/49 is 1 - 1e-16 in doubles: the last of 49 samples is the end, not a time just before
// it.
constexpr double sample = 1.0 / 49;
static_assert(49 * sample < 1);

TEST(Sampling, a_sample_that_rounds_to_the_end_is_the_end) {
  for (const Method method : {Method::dormand_prince, Method::rk4}) {
    MotionOf motion("pendulum");
    RunOptions options = MotionOf::precise();
    options.method = method;
    options.sample = sample;
    options.step = method == Method::rk4 ? 0.01 : 0;
    ASSERT_TRUE(motion.go(1, options).ok());
    ASSERT_EQ(motion.samples.size(), 50U) << to_string(method);
    EXPECT_EQ(motion.samples.back().time, 1);
    for (std::size_t k = 0; k < 50; ++k)
      EXPECT_NEAR(motion.samples[k].time, double(k) / 49, 1e-15) << to_string(method);
  }
}

TEST(Sampling, fixed_steps_have_no_slivers) {
  // the grid, the samples and two breakpoints, one of them an ulp off the grid
  const double beside = std::nextafter(7 * sample, 1), between = 10.5 * sample;
  const std::vector<FixedStep> steps = fixed_steps(0, 1, sample, sample, {beside, between});
  ASSERT_EQ(steps.size(), 50U);  // 49, and one more for the breakpoint in between
  double time = 0;
  int samples = 0;
  for (const FixedStep& step : steps) {
    EXPECT_EQ(step.time, time);
    EXPECT_GT(step.end - step.time, 0.4 * sample);
    time = step.end;
    samples += step.is_sample ? 1 : 0;
  }
  EXPECT_EQ(time, 1);
  EXPECT_EQ(samples, 49);
}

// A run longer than a sampling interval by less than a billionth of it has no sample but those at
// the start and the end, however short its steps are.
TEST(Sampling, fixed_steps_have_no_sample_just_before_the_end) {
  const std::vector<FixedStep> steps = fixed_steps(0, 1 + 5e-10, 0.01, 1, {});
  int samples = 0;
  for (const FixedStep& step : steps) samples += step.is_sample ? 1 : 0;
  EXPECT_EQ(samples, 1);
  EXPECT_TRUE(steps.back().is_sample);
  EXPECT_EQ(steps.back().end, 1 + 5e-10);
}

TEST(Sampling, additional_times_are_sampled_between_the_regular_ones) {
  for (const Method method : {Method::dormand_prince, Method::rk4}) {
    MotionOf motion("pendulum");
    RunOptions options = MotionOf::precise();
    options.method = method;
    options.sample = 0.1;
    options.step = method == Method::rk4 ? 0.05 : 0;
    options.at = {0.25, 0.13};
    ASSERT_TRUE(motion.go(0.3, options).ok());
    const std::vector<double> times = {0, 0.1, 0.13, 0.2, 0.25, 0.3};
    ASSERT_EQ(motion.samples.size(), times.size()) << to_string(method);
    for (std::size_t k = 0; k < times.size(); ++k)
      EXPECT_NEAR(motion.samples[k].time, times[k], 1e-15) << to_string(method);
  }
}

// Steps of 0.1 s, cut by a breakpoint at 0.13 s: 0.1, 0.03, 0.07, 0.1.
TEST(Sampling, the_shortest_step_is_the_shortest_of_all) {
  MotionOf motion("pendulum");
  motion.run_inputs.add_effort(0, Signal::step(0, 1, 0.13));
  RunOptions options;
  options.method = Method::rk4;
  options.step = 0.1;
  ASSERT_TRUE(motion.go(0.3, options).ok());
  EXPECT_EQ(motion.statistics.steps, 4);
  EXPECT_NEAR(motion.statistics.shortest, 0.03, 1e-15);
  EXPECT_NEAR(motion.statistics.longest, 0.1, 1e-15);
}

}  // namespace
}  // namespace trammel::sampling_test
