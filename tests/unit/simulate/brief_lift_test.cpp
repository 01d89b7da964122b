// A wheel that would lift off and land again within a step, at both ends of which it is fully
// loaded.
#include <array>
#include <cmath>
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"
#include "trammel/simulate/events/wheel_watch.hpp"

namespace trammel::brief_lift_test {
namespace {

constexpr double m = 2, r = 0.1, g = 9.81;

Description ball_on_the_floor() {
  Description description("ball");
  description.body("ball", sphere(m, r));
  description.joint("free", JointKind::free, "ground", "ball");
  description.wheels.push_back(
      {.name = "skin", .body = "ball", .radius = r, .kind = WheelDescription::Kind::ball});
  description.start_positions = {{"free", {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, r}}};
  return description;
}

// Pulled up at its center by P(t) = 1.5 m g sin(2 pi f t), a ball on a level floor does not move:
// the floor's force m g - P(t) is negative from arcsin(2/3) / (2 pi f) to half a period less that.
// Nothing but that force depends on P, so that steps become as long as they may be: a period, after
// which all loads are the same again.
TEST(BriefLift, in_steps_as_long_as_the_period_is_reported) {
  const double frequency = 10, period = 1 / frequency;
  for (const Method method : {Method::dormand_prince, Method::extrapolation}) {
    MotionOf run(build_model(ball_on_the_floor()));
    run.run_inputs.add_wrench(frame_ref(run.model, "ball"), Axes::world,
                              {Signal(), Signal(), Signal(), Signal(), Signal(),
                               Signal::sine(1.5 * m * g, frequency, 0, 0)});
    RunOptions options{.method = method, .step = period};
    ASSERT_TRUE(run.go(8 * period, options).ok());
    EXPECT_GE(run.statistics.longest, 0.99 * period);
    const double up = std::asin(1 / 1.5) / (2 * std::numbers::pi * frequency);
    const double down = period / 2 - up;
    ASSERT_EQ(run.statistics.events.size(), 16U) << to_string(method);
    for (std::size_t k = 0; k < 16; ++k) {
      const EventRecord& found = run.statistics.events[k];
      EXPECT_EQ(found.what,
                k % 2 == 0 ? "wheel 'skin' would lift: the floor has to pull it down from here on"
                           : "wheel 'skin' presses on the floor again")
          << to_string(method);
      // located to 3e-14 of a step, where the load is known to rounding
      EXPECT_NEAR(found.time, double(k / 2) * period + (k % 2 == 0 ? up : down), 1e-12)
          << to_string(method) << ' ' << k;
    }
  }
}

// The margin of a wheel as a polynomial of known zeros, at four times.
TEST(BriefLift, is_excluded_only_where_the_margin_has_no_zero) {
  const auto keeps = [](const std::array<double, 4>& times, const auto& margin) {
    std::array<double, 4> values;
    for (std::size_t k = 0; k < 4; ++k) values[k] = margin(times[k]);
    return WheelWatch::keeps_sign(times, values);
  };
  for (const std::array<double, 4>& times :
       {std::array<double, 4>{-2, -1, 0, 1}, {-0.7, -0.2, 0, 1}, {-5, -1.5, 0, 1}})
    for (const double sign : {1.0, -1.0}) {
      // (t - 1/2)^2 + c has no zero, or two inside the step
      for (const double c : {1e-3, -1e-3, -0.2})
        EXPECT_EQ(keeps(times, [&](double t) { return sign * ((t - 0.5) * (t - 0.5) + c); }), c > 0)
            << c;
      // a zero between the ends, and one before the step, which is none of its own
      EXPECT_FALSE(keeps(times, [&](double t) { return sign * (t - 0.3); }));
      EXPECT_TRUE(keeps(times, [&](double t) { return sign * (t + 0.1); }));
      // a cubic with its least value inside: 4 (t - 1/2)^3 - (t - 1/2) + c has it at 1/2 +
      // 1/sqrt(12)
      const double least = -1 / std::sqrt(27.0);
      const auto cubic = [&](double t) {
        const double s = t - 0.5;
        return sign * (4 * s * s * s - s - least - 1e-3);
      };
      EXPECT_FALSE(keeps(times, cubic));
    }
  // values that no parabola foretells: the cubic through them is not believed
  const std::array<double, 4> times{-2, -1, 0, 1};
  const std::array<double, 4> smooth{1, 1, 1, 1.4}, jumps{1, 1, 1, 2.5};
  EXPECT_TRUE(WheelWatch::keeps_sign(times, smooth));
  EXPECT_FALSE(WheelWatch::keeps_sign(times, jumps));
}

}  // namespace
}  // namespace trammel::brief_lift_test
