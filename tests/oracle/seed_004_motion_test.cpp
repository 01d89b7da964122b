// Seed 004 in motion: the closed chain ME-3b for ten seconds, the pendulum that keeps its load
// level (ME-4), the three-leg machine falling in oblique gravity (MX-5).
#include "tests/capability.hpp"
#include "tests/motion_of.hpp"
#include "trammel/constraint/constrained_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"

namespace trammel {
namespace {

TEST(seed_004_motion, ten_seconds_of_the_closed_chain) {
  MotionOf motion("me_3b");
  struct Moment {
    double time;
    std::vector<double> q, v;
    double fx, fz, energy;
  };
  // six decimals of angles, five of rates, four of forces are published
  const std::vector<Moment> moments = {{0.5,
                                        {0.111977, 0.551825, 0.190768, -2.188592},
                                        {0.65300, -2.14968, 4.12916, -6.69409},
                                        -7.2359,
                                        -45.4119,
                                        90.47494},
                                       {1.0,
                                        {0.812893, -0.614709, -0.072957, -2.287856},
                                        {2.18244, -4.20590, -2.35995, 5.52842},
                                        13.2559,
                                        -25.7410,
                                        87.52915},
                                       {1.5,
                                        {1.275384, -3.747147, 2.865125, -1.455200},
                                        {-1.55894, -0.57530, 1.65075, 3.55173},
                                        -18.8347,
                                        -36.0362,
                                        70.81082},
                                       {2.5,
                                        {1.450619, -2.467688, 0.603436, -1.266880},
                                        {-1.49843, 5.55836, -5.71891, 0.07458},
                                        2.9706,
                                        -36.0689,
                                        61.02438},
                                       {5.0,
                                        {1.509260, -3.478825, 2.092474, -1.420864},
                                        {-0.48089, -1.11897, 2.18224, 0.40981},
                                        -8.9499,
                                        -35.5586,
                                        49.86663},
                                       {10.0,
                                        {1.563417, -2.996116, 1.386120, -1.615386},
                                        {0.04753, -0.48084, 0.51751, 0.26161},
                                        3.1776,
                                        -39.3488,
                                        45.46528}};
  for (const auto& [time, q, v, fx, fz, energy] : moments) {
    const State& state = motion.at(time);
    const std::string when = "t = " + std::to_string(time);
    expect_near(state.q, q, 2e-6, "q at " + when);
    expect_near(state.v, v, 2e-5, "v at " + when);
    EXPECT_NEAR(motion.energy_now(), energy, 2e-5) << when;
    UniqueReactions reactions;
    ASSERT_TRUE(constrained_reactions(motion.model, state, {}, motion.workspace, reactions).ok());
    // the tip's frame on ground is the world's: what ground does to the last link
    const std::size_t tip = std::size_t(index(*motion.model.find_joint("chain_tip")));
    Kinematics seen(motion.model);
    ASSERT_TRUE(kinematics(motion.model, state, {}, motion.workspace, seen).ok());
    const NamedJoint& joint = motion.model.joints()[tip];
    const Pose<double> X_WM = pose(motion.model, seen, {joint.child, joint.X_CM});
    const Vec3<double> on_ground = -1.0 * (X_WM.R * reactions.force[tip].force);
    EXPECT_NEAR(on_ground.x, fx, 2e-4) << when;
    EXPECT_NEAR(on_ground.z, fz, 2e-4) << when;
  }
  EXPECT_LT(motion.largest_gap().position, 1e-12);
}

TEST(seed_004_motion, without_friction_the_closed_chain_keeps_its_energy) {
  MotionOf motion("me_3");
  const State& state = motion.at(2);
  expect_near(state.q, {0.380336, -2.501238, 3.976568, -2.463980}, 2e-6, "q");
  expect_near(state.v, {-0.366010, 1.596493, -0.170349, -1.184906}, 2e-6, "v");
  EXPECT_NEAR(motion.energy_now(), 95, 1e-8);
  EXPECT_LT(motion.energy_change(), 1e-8);
}

TEST(seed_004_motion, the_load_swings_level_with_the_period_of_a_pendulum) {
  MotionOf motion("me_4");
  const double period = 2.4714649;
  motion.at(period / 4);  // straight down
  EXPECT_NEAR(motion.q("left"), std::numbers::pi / 2, 1e-7);
  EXPECT_NEAR(std::abs(motion.v("left")), 2.0235656, 1e-7);
  motion.at(period);  // back: seven decimals of the period, and there it turns around
  EXPECT_NEAR(motion.q("left"), std::numbers::pi / 4, 1e-8);
  EXPECT_NEAR(motion.v("left"), 0, 1e-6);
  for (const State& seen : motion.samples) {
    Kinematics kinematics(motion.model);
    ASSERT_TRUE(trammel::kinematics(motion.model, seen, {}, motion.workspace, kinematics).ok());
    EXPECT_NEAR(pose(motion.model, kinematics, at(motion.model, "load")).R.x.x, 1, 1e-14);
  }
}

TEST(seed_004_motion, three_legs_fall_in_oblique_gravity) {
  MotionOf motion("mx_5");
  struct Moment {
    double time;
    Vec3<double> p, w;
  };
  for (const auto& [time, p, w] :
       {Moment{0.2, {0.0130309, -1.1801264, 0.0075662}, {0.5546805, 0.0000738, -0.9532983}},
        Moment{0.4, {0.0268707, -1.7174237, 0.0156120}, {1.0459963, -0.0025303, -1.8316718}}}) {
    const State& state = motion.at(time);
    Kinematics seen(motion.model);
    ASSERT_TRUE(kinematics(motion.model, state, {}, motion.workspace, seen).ok());
    const At load = at(motion.model, "machine_load");
    // seven decimals are published, and so are those of the geometry it was worked out with
    EXPECT_LT(norm(pose(motion.model, seen, load).p - p), 5e-7) << time;
    EXPECT_LT(norm(velocity(motion.model, seen, load, Axes::body).angular - w), 5e-7) << time;
  }
  EXPECT_LT(motion.energy_change(), 1e-8);
  EXPECT_LT(motion.largest_gap().position, 1e-12);
}

}  // namespace
}  // namespace trammel
