// Simulation of [Yesiloglu 2007] E-05: two arms on a platform in space, driven for five seconds.
#include "tests/support/capability.hpp"
#include "tests/support/motion_of.hpp"

namespace trammel::motion_test {
namespace {

// Angle and position of the platform, then both arms: the order of [Yesiloglu 2007].
std::vector<double> in_its_order(const MotionOf& motion) {
  // the platform is a planar joint: x, y, angle
  std::vector<double> q{motion.q("float", 2), motion.q("float", 0), motion.q("float", 1)};
  for (const char* joint : {"left1", "left2", "left3", "right1", "right2", "right3"})
    q.push_back(motion.q(joint));
  return q;
}

TEST(yesiloglu_motion, two_arms_on_a_platform_for_two_hundred_seconds) {
  shows({"Y-37", "simulate", "momentum"});
  MotionOf motion("e_05");
  RunOptions options;
  options.relative = 1e-10;
  options.absolute = 1e-12;
  options.sample = 0.5;
  const auto at = [&](double time) { motion.at(time, options); };
  at(2);
  expect_near(in_its_order(motion),
              {0.0010924, -0.00005122, -0.00062539, -0.00842244, 0.01656709, -0.01212011,
               0.00333006, -0.00692776, -0.00037777},
              2e-8, "t = 2");
  at(5);
  expect_near(in_its_order(motion),
              {-0.010476124, 0.002493118, -0.003670583, -0.02298973, 0.131717836, -0.152989604,
               0.05398538, -0.018269765, -0.079977113},
              2e-8, "t = 5");
  EXPECT_NEAR(motion.energy_now(), 0.00284936708, 1e-9);
  at(10);
  expect_near(in_its_order(motion),
              {-0.072824114, 0.013298686, -0.00631651, -0.000344069, 0.410805116, -0.556305667,
               0.23283491, -0.000141201, -0.378538328},
              2e-8, "t = 10");
  EXPECT_NEAR(motion.energy_now(), 0.00069010433, 1e-9);
  at(20);
  expect_near(in_its_order(motion),
              {-0.20178434, 0.03296637, 0.00019608, -0.0000026, 0.96612744, -1.25309163, 0.59953645,
               -0.00007753, -0.88642571},
              2e-8, "t = 20");
  at(200);  // the published steps of 5 ms keep three digits for so long
  EXPECT_NEAR(motion.energy_now(), 4.6278e-4, 1e-3 * 4.6278e-4);

  // no external forces: momentum stays zero, the center of mass is fixed, and after five seconds
  // energy only decreases
  CenterOfMass start, now;
  ASSERT_TRUE(center_of_mass(motion.model, motion.samples.front(), motion.workspace, start).ok());
  double before = 1;
  for (const State& seen : motion.samples) {
    Momentum momentum;
    Energy energy;
    ASSERT_TRUE(trammel::momentum(motion.model, seen, motion.workspace, momentum).ok());
    ASSERT_TRUE(center_of_mass(motion.model, seen, motion.workspace, now).ok());
    ASSERT_TRUE(trammel::energy(motion.model, seen, motion.workspace, energy).ok());
    EXPECT_LT(norm(momentum.linear) + norm(momentum.angular), 1e-8);
    EXPECT_LT(norm(now.position - start.position), 1e-8);
    if (seen.time > 5) {
      EXPECT_LT(energy.total(), before + 1e-11);
      before = energy.total();
    }
  }
  EXPECT_LT(motion.largest_violation().position, 1e-12);
}

TEST(yesiloglu_motion, dampers_of_the_flexible_joints_take_the_energy) {
  shows({"Y-30", "simulate", "energy"});
  MotionOf motion("e_05");
  RunOptions options = MotionOf::precise();
  motion.at(5, options);  // the torques end
  motion.samples.clear();
  options.sample = 0.002;
  ASSERT_TRUE(motion.go(4, options).ok());
  double lost = 0;  // Simpson's rule
  const std::size_t n = motion.samples.size() - 1;
  ASSERT_EQ(n % 2, 0u);
  const auto rate = [&](const State& seen, const char* joint) {
    return seen.v[std::size_t(motion.model[*motion.model.find_joint(joint)].v_start)];
  };
  for (std::size_t k = 0; k <= n; ++k) {
    const double left = rate(motion.samples[k], "left1"), right = rate(motion.samples[k], "right2");
    lost += 0.5 * (left * left + right * right) * (k == 0 || k == n ? 1 : k % 2 == 1 ? 4 : 2);
  }
  lost *= options.sample / 3;
  Energy first, last;
  ASSERT_TRUE(energy(motion.model, motion.samples.front(), motion.workspace, first).ok());
  ASSERT_TRUE(energy(motion.model, motion.samples.back(), motion.workspace, last).ok());
  EXPECT_GT(lost, 1e-3);
  EXPECT_NEAR(first.total() - last.total(), lost, 1e-10);
}

}  // namespace
}  // namespace trammel::motion_test
