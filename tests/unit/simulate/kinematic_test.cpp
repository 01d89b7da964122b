// Motions along prescribed joint positions: the mechanism must be determined by them, and must move
// continuously from sample to sample.
#include "trammel/simulate/kinematic.hpp"

#include <cmath>
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::kinematic_test {
namespace {

Status follow(MotionOf& motion, const RunOptions& options) {
  return simulate_kinematic(
      motion.model, motion.state, motion.run_inputs, options, motion.workspace,
      [&](const State& seen) {
        motion.samples.push_back(seen);
        return Status();
      },
      motion.statistics);
}

TEST(Kinematic, degrees_of_freedom_without_prescribed_motion_are_counted) {
  Description description("chain");
  description.body("cart", {.mass = 2.0});
  description.joint("rail", JointKind::prismatic, "ground", "cart",
                    {.axis = {1.0, 0.0, 0.0}, .drive = Drive::motion});
  std::string parent = "cart";
  for (const std::string rod : {"first", "second"}) {
    description.body(rod, {.mass = 1.0, .com = {0.5, 0.0, 0.0}, .inertia = {0, 0, 0, 0.1, 0, 0.1}});
    description.joint(rod, JointKind::revolute, parent, rod, {.at = {{1.0, 0.0, 0.0}, {}}});
    parent = rod;
    MotionOf motion(build_model(description));
    motion.run_inputs.prescribe(0, Signal::ramp(0, 1, 0, 1));
    const Status status = follow(motion, {.duration = 1, .sample = 0.1});
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.message().find(rod == "first" ? "1 degree of freedom is left to forces"
                                                   : "2 degrees of freedom are left to forces"),
              std::string::npos)
        << status.message();
    EXPECT_TRUE(motion.samples.empty());
  }
}

// Crank of 0.3 m, rod of 1 m; the slider is at 0.3 cos(a) + sqrt(1 - 0.09 sin^2(a)).
Description slider_crank() {
  Description description("crank and slider");
  for (const char* body : {"crank", "rod", "slider"})
    description.body(body, {.mass = 1.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
  description.joint("motor", JointKind::revolute, "ground", "crank", {.drive = Drive::motion});
  description.joint("pin", JointKind::revolute, "crank", "rod", {.at = {{0.3, 0.0, 0.0}, {}}});
  description.joint("rail", JointKind::prismatic, "ground", "slider", {.axis = {1.0, 0.0, 0.0}});
  description.joint("foot", JointKind::revolute, "rod", "slider",
                    {.at = {{1.0, 0.0, 0.0}, {}}, .cut = true});
  description.start_positions = {{"rail", {1.3}}};
  return description;
}

// Half a turn from rest to rest within 0.8 s. Samples 1 s apart show no velocity at all between two
// poses far apart: nothing tells on which branch the loop is after that.
TEST(Kinematic, poses_that_their_velocities_do_not_connect_are_refused) {
  for (const double sample : {0.01, 1.0}) {
    MotionOf motion(build_model(slider_crank()));
    motion.run_inputs.prescribe(0, Signal::rest_to_rest(0, std::numbers::pi, 0.1, 0.8));
    const Status status = follow(motion, {.duration = 2, .sample = sample});
    if (sample == 1) {
      ASSERT_FALSE(status.ok());
      EXPECT_EQ(status.message(),
                "simulate_kinematic: stopped at t = 1 s: the loops jump: a dead point is here, or "
                "samples are too far apart");
      EXPECT_EQ(motion.samples.size(), 1U);
      continue;
    }
    ASSERT_TRUE(status.ok()) << status.message();
    for (const State& seen : motion.samples) {
      const double a = seen.q[std::size_t(motion.model[*motion.model.find_joint("motor")].q_start)],
                   s = 0.3 * std::sin(a);
      EXPECT_NEAR(seen.q[std::size_t(motion.model[*motion.model.find_joint("rail")].q_start)],
                  0.3 * std::cos(a) + std::sqrt(1 - s * s), 1e-12);
    }
  }
}

}  // namespace
}  // namespace trammel::kinematic_test
