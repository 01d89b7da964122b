// Static efforts along a prescribed motion: by virtual work, the gradient of the energy.
#include "trammel/simulate/static.hpp"

#include <cmath>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/simulate/recorder.hpp"

namespace trammel::static_test {
namespace {

// The four-bar with a prescribed crank and a spring in the knee.
Model led_four_bar() {
  Description description = load_model("@four_bar").description();
  for (JointDescription& joint : description.joints) {
    if (joint.name == "motor") joint.options.drive = Drive::motion;
    if (joint.name == "knee") {
      joint.options.stiffness = {3.0};
      joint.options.rest = {0.2};
      joint.options.damping = {5.0};  // no effect at rest
    }
  }
  return build_model(description);
}

TEST(static_mode, effort_is_the_derivative_of_energy) {
  MotionOf led(led_four_bar());
  const double start = led.q("motor"), rate = 2;
  led.run_inputs.prescribe(0, Signal::ramp(start, start + rate, 0, 1));
  led.run_inputs.set_static();
  Recorder recorder(led.model, led.run_inputs, {"positions", "velocities", "efforts", "energy"});
  RunOptions options{.duration = 1, .sample = 0.001};
  RunStatistics statistics;
  const Status status = simulate_static(
      led.model, led.state, led.run_inputs, options, led.workspace,
      [&](const State& seen) { return recorder.observe(seen, led.workspace); }, statistics);
  ASSERT_TRUE(status.ok()) << status.message();
  const auto effort = recorder.recording().column("tau.motor");
  const auto angle = recorder.recording().column("q.motor");
  const auto energy = recorder.recording().column("energy.total");
  const auto speed = recorder.recording().column("v.motor");
  ASSERT_EQ(effort.size(), 1001u);
  EXPECT_NEAR(angle.back() - angle.front(), rate, 1e-12);
  double largest = 0;
  for (std::size_t k = 2; k + 2 < effort.size(); ++k) {
    // derivative by differences of fourth order over 2 mrad
    const double slope = (energy[k - 2] - 8 * energy[k - 1] + 8 * energy[k + 1] - energy[k + 2]) /
                         (12 * (angle[k + 1] - angle[k]));
    EXPECT_NEAR(effort[k], slope, 1e-8) << k;
    EXPECT_EQ(speed[k], 0);
    largest = std::max(largest, std::abs(effort[k]));
  }
  EXPECT_GT(largest, 0.1);
}

TEST(static_mode, reactions_carry_the_weight) {
  MotionOf led(led_four_bar());
  const double start = led.q("motor");
  // fast, so that inertia would be visible
  led.run_inputs.prescribe(0, Signal::sine(1, 3, 0, start));
  led.run_inputs.set_static();
  Recorder recorder(led.model, led.run_inputs, {"positions", "accelerations", "reactions"});
  RunOptions options{.duration = 1, .sample = 0.05};
  RunStatistics statistics;
  const Status status = simulate_static(
      led.model, led.state, led.run_inputs, options, led.workspace,
      [&](const State& seen) { return recorder.observe(seen, led.workspace); }, statistics);
  ASSERT_TRUE(status.ok()) << status.message();
  const Recording& kept = recorder.recording();
  for (const char* name : {"a.motor", "a.knee", "a.foot"})
    for (const double a : kept.column(name)) EXPECT_NEAR(a, 0, 1e-9) << name;
  // the two joints on ground carry the whole weight, in axes that turn about y with their bars
  const double weight = (0.2 + 0.5 + 0.45) * 9.81;
  for (std::size_t k = 0; k < kept.samples(); ++k) {
    double up = 0;
    for (const std::string name : {"motor", "foot"}) {
      const double angle = kept.column("q." + name)[k];
      up += std::cos(angle) * kept.column("reaction." + name + ".force.z")[k] -
            std::sin(angle) * kept.column("reaction." + name + ".force.x")[k];
    }
    EXPECT_NEAR(up, weight, 1e-9) << k;
  }
}

TEST(static_mode, wants_drives_that_hold_still) {
  MotionOf led(led_four_bar());
  RunStatistics statistics;
  EXPECT_THROW(static_cast<void>(simulate_static(
                   led.model, led.state, led.run_inputs, {}, led.workspace,
                   [](const State&) { return Status(); }, statistics)),
               std::invalid_argument);
}

}  // namespace
}  // namespace trammel::static_test
