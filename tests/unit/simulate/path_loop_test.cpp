// Path following of a vehicle with a loop that moves: the loop stays closed along the path.
#include <cmath>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/simulate/path/follow_path.hpp"

namespace trammel::path_loop_test {
namespace {

// A locomotive on a rail along x: its wheel of 0.1 m drives a piston over a pin at 0.05 m and a rod
// of 0.2 m.
Description locomotive() {
  Description description("locomotive");
  const Solid solid{.mass = 1.0, .com = {}, .inertia = {0.01, 0, 0, 0.01, 0, 0.01}};
  const Vec3<Expr> x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0};
  for (const char* body : {"deck", "wheel", "rod", "piston"}) description.body(body, solid);
  description.joint("ride", JointKind::prismatic, "ground", "deck",
                    {.at = {{0.0, 0.0, 0.1}, {}}, .axis = x});
  description.joint("axle", JointKind::revolute, "deck", "wheel", {.axis = y});
  description.joint("pin", JointKind::revolute, "wheel", "rod",
                    {.at = {{0.05, 0.0, 0.0}, {}}, .axis = y});
  description.joint("cylinder", JointKind::prismatic, "deck", "piston", {.axis = x});
  description.joint("crosshead", JointKind::revolute, "rod", "piston",
                    {.at = {{0.2, 0.0, 0.0}, {}}, .axis = y, .cut = true});
  description.wheels.push_back({.name = "tire", .body = "wheel", .radius = 0.1, .touches = false});
  description.start_positions = {{"cylinder", {0.25}}};
  return description;
}

// One step of 0.1 s turns the wheel by up to 1 rad: the integration error opens the loop.
TEST(PathLoop, stays_closed_with_long_steps) {
  MotionOf motion(build_model(locomotive()));
  Trajectory out;
  const Status status = follow_path(
      motion.model, motion.state, frame_ref(motion.model, "deck"), straight_path(1, 0, 2, 0),
      {.sample = 0.1, .steps = 1, .has_efforts = false}, motion.workspace, out);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(out.states.size(), 21U);
  const auto q = [&](const State& state, const char* joint) {
    return state.q[std::size_t(motion.model[*motion.model.find_joint(joint)].q_start)];
  };
  for (const State& state : out.states) {
    const double angle = q(state, "axle"), s = 0.05 * std::sin(angle);
    EXPECT_NEAR(q(state, "cylinder"), 0.05 * std::cos(angle) + std::sqrt(0.04 - s * s), 1e-12)
        << state.time;
  }
  EXPECT_GT(std::abs(q(out.states.back(), "axle")), 9);
}

}  // namespace
}  // namespace trammel::path_loop_test
