// MX-6 [van der Merwe 1995]: legs that end in universal joints, released in oblique gravity. The
// axes of such a joint rotate with both bodies; the acceleration this adds to the closure is zero
// in planar motion, so this spatial case tests it.
#include "tests/support/motion_of.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/dynamics/kinematics.hpp"

namespace trammel::universal_tips_test {
namespace {

TEST(van_der_merwe_universal_tips, legs_of_one_link_fall_in_oblique_gravity) {
  MotionOf motion("mx_6");
  Mobility ways;
  ASSERT_TRUE(mobility(motion.model, motion.state, motion.workspace, ways).ok());
  EXPECT_EQ(ways.finite, 3);
  const State& state = motion.at(0.4);
  Kinematics seen(motion.model);
  ASSERT_TRUE(kinematics(motion.model, state, {}, motion.workspace, seen).ok());
  const FrameRef load = frame_ref(motion.model, "load");
  // seven decimals are published, of the results as of the geometry: half a unit of the last one,
  // 0.15 m from the center of the load, rotates the load by 3e-7
  const Vec3<double> p{0.0248218, -1.7174950, 0.0148461}, w{0.9303235, -0.0021386, -1.6095247};
  EXPECT_LT(norm(pose(motion.model, seen, load).p - p), 1e-7);
  EXPECT_LT(norm(velocity(motion.model, seen, load, Axes::body).angular - w), 5e-7);
  EXPECT_LT(motion.energy_change(), 1e-8);
  EXPECT_LT(motion.largest_violation().position, 1e-12);
}

TEST(van_der_merwe_universal_tips, axes_stay_at_right_angles_and_ends_together) {
  MotionOf motion("mx_6");
  RunOptions options = MotionOf::precise();
  options.sample = 0.02;
  ASSERT_TRUE(motion.go(0.4, options).ok());
  ASSERT_EQ(motion.samples.size(), 21u);
  for (const State& moment : motion.samples) {
    Kinematics seen(motion.model);
    ASSERT_TRUE(kinematics(motion.model, moment, {}, motion.workspace, seen).ok());
    for (const char* name : {"tip1", "tip2", "tip3"}) {
      const NamedJoint& tip = motion.model[*motion.model.find_joint(name)];
      const Pose<double> rod = pose(motion.model, seen, {tip.parent, tip.X_PF}),
                         load = pose(motion.model, seen, {tip.child, tip.X_CM});
      // y of the rod and z of the load: the two axes of the joint. The reference run keeps them
      // orthogonal to 2e-10; here projection restores them to rounding
      EXPECT_LT(std::abs(dot(rod.R.y, load.R.z)), 1e-12) << name << " at " << moment.time;
      EXPECT_LT(norm(rod.p - load.p), 1e-12) << name << " at " << moment.time;
    }
  }
}

}  // namespace
}  // namespace trammel::universal_tips_test
