// A wheel that would slip for less than a step: reported with begin and end.
#include <cmath>
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::brief_slip_test {
namespace {

// A ball on a level floor, pushed at its center by P(t): it rolls with a = P / (m (1 + 2/5)), and
// the floor must supply 2/7 of P. With friction mu it slips while P > 7/2 mu m g.
struct PushedBall : MotionOf {
  static constexpr double m = 2, r = 0.1, mu = 0.3;
  static constexpr double slipping = 3.5 * mu * m * 9.81;
  PushedBall() : MotionOf(build_model(description())) {}
  static Description description() {
    Description description("ball");
    description.body("ball", sphere(m, r));
    description.joint("free", JointKind::free, "ground", "ball");
    description.wheels.push_back({.name = "skin",
                                  .body = "ball",
                                  .radius = r,
                                  .kind = WheelDescription::Kind::ball,
                                  .friction = mu});
    description.start_positions = {{"free", {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, r}}};
    return description;
  }
  // P is a sine that exceeds the limit by 5e-5 around `peak`, for 6.4 ms if that is about 0.25 s.
  // Steps of 0.1 s.
  void expect_slip_around(double peak) {
    const double most = (1 + 5e-5) * slipping, frequency = 0.25 / peak;
    run_inputs.add_wrench(
        frame_ref(model, "ball"), Axes::world,
        {Signal(), Signal(), Signal(), Signal::sine(most, frequency, 0, 0), Signal(), Signal()});
    RunOptions options;
    options.method = Method::rk4;
    options.step = 0.1;
    ASSERT_TRUE(go(0.4, options).ok());
    const double half = std::acos(slipping / most) / (2 * std::numbers::pi * frequency);
    ASSERT_EQ(statistics.events.size(), 2U) << peak;
    EXPECT_EQ(statistics.events[0].what.find("wheel 'skin' would slip"), 0U)
        << statistics.events[0].what;
    EXPECT_EQ(statistics.events[1].what, "wheel 'skin' holds again");
    EXPECT_NEAR(statistics.events[0].time, peak - half, 1e-9) << peak;
    EXPECT_NEAR(statistics.events[1].time, peak + half, 1e-9) << peak;
  }
};

// The margin is the same at both ends of the step from 0.2 s to 0.3 s: only its size is a hint.
TEST(BriefSlip, in_the_middle_of_a_step_is_reported) { PushedBall().expect_slip_around(0.25); }

// No quarter of the step lies in the interval of slip.
TEST(BriefSlip, between_the_quarters_of_a_step_is_reported) {
  PushedBall().expect_slip_around(0.2625);
  PushedBall().expect_slip_around(0.235);
}

}  // namespace
}  // namespace trammel::brief_slip_test
