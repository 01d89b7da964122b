// Public benchmark cases in simulation: F1, F2 (through singular poses), F3, F10, F12.
#include "tests/support/motion_of.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"

namespace trammel::field_motion_test {
namespace {

Vec3<double> place_of(MotionOf& motion, const std::string& name) {
  Kinematics seen(motion.model);
  EXPECT_TRUE(kinematics(motion.model, motion.state, {}, motion.workspace, seen).ok());
  return pose(motion.model, seen, frame_ref(motion.model, name)).p;
}

TEST(field_motion, F1_simple_pendulum) {
  MotionOf motion("f1");
  struct RunSnapshot {
    double time, x, y;
  };
  // thirteen decimals are published; ten seconds of steps with errors of 1e-11 keep 1e-9
  for (const auto& [time, x, y] : {RunSnapshot{1, 0.9862917511319, -0.1650108531255},
                                   RunSnapshot{5, -0.9423054350438, -0.334754338414},
                                   RunSnapshot{10, -0.2750874625761, -0.9614192050991}}) {
    motion.at(time);
    const Vec3<double> p = place_of(motion, "end");
    EXPECT_NEAR(p.x, x, 1e-9) << time;
    EXPECT_NEAR(p.y, y, 1e-9) << time;
  }
  EXPECT_LT(motion.energy_change(), 1e-9);
}

TEST(field_motion, F2_passes_its_singular_poses) {
  MotionOf motion("f2");
  RunOptions options = MotionOf::precise();
  const auto tip = [&] {
    const double angle = motion.q("foot0");  // from the upright
    return Vec3<double>{-std::sin(angle), std::cos(angle), 0};
  };
  motion.at(4, options);
  EXPECT_NEAR(tip().x, 0.1176161023768, 1e-7);
  EXPECT_NEAR(tip().y, 0.9930591384513, 1e-7);
  motion.at(10, options);
  EXPECT_NEAR(tip().x, 0.3284581115408, 1e-7);
  EXPECT_NEAR(tip().y, 0.9445185381786, 1e-7);
  EXPECT_NEAR(-std::cos(motion.q("foot0")) * motion.v("foot0"), 1.423051470207, 1e-6);
  EXPECT_NEAR(-std::sin(motion.q("foot0")) * motion.v("foot0"), -0.494868845487, 1e-6);
  EXPECT_LT(motion.energy_change(), 1e-8);
}

TEST(field_motion, F3_squeezer) {
  MotionOf motion("f3");
  RunOptions options = MotionOf::precise();
  options.relative = 1e-12;
  motion.at(0.03, options);
  struct Angle {
    const char* joint;
    double q, v;
  };
  for (const auto& [joint, q, v] :
       {Angle{"beta", 15.810771195, 1139.920302}, Angle{"Theta", -15.756371058, -1424.379295},
        Angle{"gamma", .04082224012, 11.0329119}, Angle{"Phi", -.53473011634, 19.2933741},
        Angle{"delta", .52440996588, .57356991}, Angle{"Omega", .53473011634, -19.2933741},
        Angle{"epsilon", 1.04808074104, .32317915}}) {
    EXPECT_NEAR(motion.q(joint), q, 1e-8) << joint;
    EXPECT_NEAR(motion.v(joint), v, 1e-6 * std::max(1.0, std::abs(v))) << joint;
  }
  EXPECT_LT(motion.largest_violation().position, 1e-12);
}

TEST(field_motion, F10_chain_of_five_boxes) {
  MotionOf motion("f10");
  const State& state = motion.at(1);
  expect_near(state.q,
              {-1.31995028365, -.0366712882625, -.0406165986581, -.606541632437, .694395851603},
              1e-9, "q at 1 s");
  // and the classical Runge-Kutta method with steps of 5 ms, its own error included
  MotionOf classical("f10");
  RunOptions options;
  options.method = Method::rk4;
  options.step = 0.005;
  double sum = 0;
  for (const double angle : classical.at(1, options).q) sum += angle;
  EXPECT_NEAR(sum, -1.3093839602164, 1e-12);
}

TEST(field_motion, F12_heavy_top_keeps_what_it_must) {
  MotionOf motion("f12");
  RunOptions options;
  options.method = Method::rk4;
  options.step = 1e-4;
  options.sample = 0.01;
  ASSERT_TRUE(motion.go(2, options).ok());
  const double energy = motion.energy_now();
  EXPECT_LT(motion.energy_change(), 1e-8 * std::abs(energy));
  Momentum first, now;
  ASSERT_TRUE(momentum(motion.model, motion.samples.front(), motion.workspace, first).ok());
  for (const State& seen : motion.samples) {
    ASSERT_TRUE(momentum(motion.model, seen, motion.workspace, now).ok());
    EXPECT_NEAR(now.angular.z, first.angular.z, 1e-8 * norm(first.angular));
    EXPECT_NEAR(seen.v[1], 150, 1e-8 * 150);
  }
}

}  // namespace
}  // namespace trammel::field_motion_test
