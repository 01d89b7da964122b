// Simulation of R-EX7 [Rodriguez 1988]: two arms that grasp one object, released.
#include "tests/support/capability.hpp"
#include "tests/support/motion_of.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::motion_test {
namespace {

// R-EX2 without its motors.
Model let_go(const Vec3<double>& gravity) {
  Description description = load_model("@r_ex2").description();
  description.inputs.clear();
  description.gravity = {gravity.x, gravity.y, gravity.z};
  return build_model(description);
}
struct Object {
  Vec3<double> center;
  Motion<double> V;
};
Object object(MotionOf& motion) {
  Kinematics seen(motion.model);
  EXPECT_TRUE(kinematics(motion.model, motion.state, {}, motion.workspace, seen).ok());
  const FrameRef place = frame_ref(motion.model, "object");  // its frame is at its center of mass
  return {pose(motion.model, seen, place).p, velocity(motion.model, seen, place, Axes::world)};
}

// ten decimals are published, of a run with errors of 1e-9
constexpr double published = 2e-9;
void expect_vector(const Vec3<double>& found, const Vec3<double>& wanted, const char* what) {
  EXPECT_LT(norm(found - wanted), published) << what;
}

TEST(rodriguez_motion, two_arms_coast_with_their_object) {
  shows({"R-64", "simulate", "closure_error"});
  MotionOf motion(let_go({0, 0, 0}));
  EXPECT_NEAR(motion.energy_now(), 0.3268129401, 1e-9);
  motion.at(1);
  const Object now = object(motion);
  expect_vector(now.center, {0.0435949426, 0.2515545333, 0.3073549742}, "C");
  expect_vector(now.V.angular, {0.0498330664, -0.1136238226, 0.2974014732}, "omega");
  expect_vector(now.V.linear, {0.0428099778, 0.0897703539, -0.0429664281}, "v");
  const double q[] = {0.1683778964, -0.1768429861, 0.5430703469,  0.7251793877,
                      0.6393770903, -1.0210341938, -0.3651335308, -0.5600840770,
                      0.9332482008, 0.2188768711,  0.6902651043,  -0.5789832954};
  for (int k = 0; k < 12; ++k) {
    const std::string joint =
        "arm" + std::to_string(1 + k / 6) + "_joint" + std::to_string(1 + k % 6);
    EXPECT_NEAR(motion.q(joint), q[k], published) << joint;
  }
  EXPECT_LT(motion.energy_change(), 1e-10);
  EXPECT_LT(motion.largest_violation().position, 1e-12);
}

TEST(rodriguez_motion, two_arms_drop_their_object) {
  MotionOf motion(let_go({0, 0, -9.81}));
  std::ranges::fill(motion.state.v, 0.0);
  EXPECT_NEAR(motion.energy_now(), 255.769929, 1e-6);
  motion.at(0.1);
  expect_vector(object(motion).center, {-0.0041611457, 0.1575653907, 0.3116318468}, "C at 0.1 s");
  EXPECT_NEAR(object(motion).V.linear.z, -1.1503170931, 1e-8);
  motion.at(0.2);
  expect_vector(object(motion).center, {-0.0029655546, 0.1609772880, 0.1451558492}, "C at 0.2 s");
  EXPECT_NEAR(object(motion).V.linear.z, -2.1387594743, 1e-8);
  EXPECT_LT(motion.energy_change(), 1e-8);
}

}  // namespace
}  // namespace trammel::motion_test
