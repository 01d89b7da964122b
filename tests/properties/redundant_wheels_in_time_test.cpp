// Simulations of vehicles with degenerate wheel layouts: they roll, they keep their energy, and
// locking is reported.
#include "tests/support/motion_of.hpp"
#include "tests/support/redundant_wheels.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::redundant_wheels_in_time_test {
namespace {

// As `trammel simulate @e_09 --set drive=2 --set steer=0.3` for two seconds: the legs turn twice.
TEST(WheelsAlikeInTime, contacts_stand_still_to_rounding_while_all_legs_turn) {
  MotionOf run(load_model("@e_09", {.set = {{"drive", 2.0}, {"steer", 0.3}}}));
  RunOptions options;
  const Status status = run.go(2, options);
  ASSERT_TRUE(status.ok()) << status.message();
  // some wheels would lift in so narrow a curve; none is out of line
  for (const EventRecord& event_record : run.statistics.events)
    EXPECT_TRUE(event_record.what.starts_with("wheel")) << event_record.what;
  EXPECT_GT(run.q("front_left_steer"), 12);
  EXPECT_LT(run.largest_violation().position, 1e-12);
  EXPECT_LT(run.largest_violation().velocity, 1e-11);
}

// An arm that swings freely on a platform that rolls freely.
TEST(WheelsAlikeInTime, an_arm_that_swings_keeps_the_energy) {
  MotionOf run(build_model(RedundantWheels::description("e_12a", true)));
  const Status status = run.go(2);
  ASSERT_TRUE(status.ok()) << status.message();
  // of some 500 J of potential and kinetic energy; steps with errors of 1e-11 each
  EXPECT_LT(run.energy_change(), 1e-7);
  EXPECT_LT(run.largest_violation().velocity, 1e-11);
}

}  // namespace
}  // namespace trammel::redundant_wheels_in_time_test
