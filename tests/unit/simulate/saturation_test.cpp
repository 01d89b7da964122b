// Saturation of a controller: its effort is limited in both directions.
#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::saturation_test {
namespace {

// A block of 2 kg far from its target, with at most 10 N: s = F t^2 / (2 m) in either direction.
TEST(Saturation, the_effort_is_limited_in_both_directions) {
  Description description("slide");
  description.gravity = {0.0, 0.0, 0.0};
  description.body("block", {.mass = 2.0});
  description.joint("rail", JointKind::prismatic, "ground", "block", {.axis = {1.0, 0.0, 0.0}});
  for (const double target : {-1e3, 1e3}) {
    MotionOf motion(build_model(description));
    motion.run_inputs.add_controller(0, {.p = 50, .limit = 10}, Signal::constant(target));
    ASSERT_TRUE(motion.go(2).ok());
    const double side = target > 0 ? 1 : -1;
    EXPECT_NEAR(motion.state.q[0], side * 10 * 2 * 2 / (2 * 2.0), 1e-12) << target;
    EXPECT_NEAR(motion.state.v[0], side * 10 * 2 / 2.0, 1e-12) << target;
  }
}

}  // namespace
}  // namespace trammel::saturation_test
