// Events and stops in the steps of a run: what reverts within a step, what a step that is cut short
// leaves for the next, and what is no event.
#include <cmath>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::event_in_step_test {
namespace {

Description slide() {
  Description description("slide");
  description.gravity = {0.0, 0.0, 0.0};
  description.body("block", {.mass = 2.0});
  description.joint("rail", JointKind::prismatic, "ground", "block", {.axis = {1.0, 0.0, 0.0}});
  return description;
}

// A block at 1 m/s: its position is the time. It is within 0.15 m of a mark for 0.3 s. Steps are 1
// s long, so for most marks one step begins before and ends after that.
TEST(EventInStep, is_located_if_it_reverts_within_the_step) {
  for (double mark = 3; mark < 4.95; mark += 0.1) {
    MotionOf motion(build_model(slide()));
    motion.state.v = {1.0};
    RunOptions options;
    options.step = 1;
    EventFunction near;
    near.what.name = "near", near.what.way = EventDescription::Way::up;
    near.value = [mark](const RunSnapshot& snapshot) {
      return 0.15 - std::abs(snapshot.state.q[0] - mark);
    };
    options.events = {near};
    ASSERT_TRUE(motion.go(7, options).ok());
    EXPECT_EQ(motion.statistics.longest, 1) << mark;
    ASSERT_EQ(motion.statistics.events.size(), 1U) << mark;
    EXPECT_EQ(motion.statistics.events[0].what, "event 'near'");
    EXPECT_NEAR(motion.statistics.events[0].time, mark - 0.15, 1e-12) << mark;
  }
}

// Steps end at multiples of 0.1 s; one is cut at the event at 0.13 s, and the next ends at 0.2 s.
TEST(EventInStep, keeps_the_grid_of_fixed_steps) {
  Description description = slide();
  EventDescription passes{.name = "passes"};
  passes.joint = "rail", passes.value = 0.13;
  description.events = {passes};
  MotionOf motion(build_model(description));
  motion.state.v = {1.0};
  RunOptions options;
  options.method = Method::rk4;
  options.step = 0.1;
  ASSERT_TRUE(motion.go(0.4, options).ok());
  const std::vector<double> times = {0, 0.1, 0.13, 0.2, 0.3, 0.4};
  ASSERT_EQ(motion.samples.size(), times.size());
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(motion.samples[k].time, times[k], 1e-15) << k;
  EXPECT_NEAR(motion.statistics.longest, 0.1, 1e-15);
}

// A block touches its stop at rest and presses on nothing; after 1 s a force of 2 N takes it away.
TEST(EventInStep, touching_a_stop_at_rest_is_none) {
  Description description = slide();
  description.joints[0].options.limits.lower = {0.0};
  description.joints[0].options.limits.restitution = {0.5};
  MotionOf motion(build_model(description));
  motion.run_inputs.add_effort(0, Signal::step(0, 2, 1));
  RunOptions options = MotionOf::precise();
  options.most_steps = 100;
  const Status status = motion.go(3, options);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(motion.statistics.impacts, 0);
  EXPECT_TRUE(motion.statistics.events.empty());
  EXPECT_NEAR(motion.state.q[0], 2 * 2 * 2 / (2 * 2.0), 1e-12);
}

}  // namespace
}  // namespace trammel::event_in_step_test
