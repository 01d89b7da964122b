// Simulations of [van der Merwe 1995]: the closed chain ME-3b for ten seconds, the pendulum with a
// level load (ME-4), the three-leg machine falling in oblique gravity (MX-5).
#include <numbers>

#include "tests/support/capability.hpp"
#include "tests/support/motion_of.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/kinematics.hpp"

namespace trammel::motion_test {
namespace {

TEST(van_der_merwe_motion, ten_seconds_of_the_closed_chain) {
  shows({"M-52", "simulate", "constrained_reactions"}, {"M-55", "simulate"});
  MotionOf motion("me_3b");
  struct RunSnapshot {
    double time;
    std::vector<double> q, v;
    double fx, fz, energy;
  };
  // six decimals of angles, five of rates, four of forces are published
  const std::vector<RunSnapshot> moments = {{0.5,
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
    // the frame of the tip on ground is that of the world: force of ground on the last link
    const std::size_t tip = std::size_t(index(*motion.model.find_joint("chain_tip")));
    Kinematics seen(motion.model);
    ASSERT_TRUE(kinematics(motion.model, state, {}, motion.workspace, seen).ok());
    const NamedJoint& joint = motion.model.joints()[tip];
    const Pose<double> X_WM = pose(motion.model, seen, {joint.child, joint.X_CM});
    const Vec3<double> on_ground = -1.0 * (X_WM.R * reactions.force[tip].force);
    EXPECT_NEAR(on_ground.x, fx, 2e-4) << when;
    EXPECT_NEAR(on_ground.z, fz, 2e-4) << when;
  }
  EXPECT_LT(motion.largest_violation().position, 1e-12);
}

TEST(van_der_merwe_motion, steps_grow_and_shrink_with_the_spikes_of_the_closed_chain) {
  shows({"M-78", "simulate"});
  MotionOf reference("me_3b"), motion("me_3b");
  RunOptions best = MotionOf::precise(), options;
  best.method = Method::extrapolation;
  best.relative = 1e-13;
  best.absolute = 1e-15;
  options.relative = 1e-10;
  options.absolute = 1e-12;
  reference.at(10, best);
  motion.at(10, options);
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(motion.state.q[k], reference.state.q[k], 1e-8) << k;
  EXPECT_LT(motion.statistics.steps, 3000);  // Euler's method took ten thousand, for two digits
  EXPECT_GT(motion.statistics.longest, 10 * motion.statistics.shortest);
}

TEST(van_der_merwe_motion, friction_takes_what_energy_is_lost) {
  shows({"M-33", "simulate", "energy"});
  MotionOf motion("me_3b");
  RunOptions options = MotionOf::precise();
  options.sample = 0.0005;
  ASSERT_TRUE(motion.go(2, options).ok());
  // Simpson's rule over the samples
  double lost = 0;
  const std::size_t n = motion.samples.size() - 1;
  ASSERT_EQ(n % 2, 0u);
  for (std::size_t k = 0; k <= n; ++k) {
    double power = 0;
    for (const double v : motion.samples[k].v) power += 0.25 * v * v;
    lost += power * (k == 0 || k == n ? 1 : k % 2 == 1 ? 4 : 2);
  }
  lost *= options.sample / 3;
  EXPECT_NEAR(lost, 95 - 70.14342, 2e-5);
  EXPECT_NEAR(motion.energy_now(), 95 - lost, 1e-7);
}

TEST(van_der_merwe_motion, without_friction_the_closed_chain_keeps_its_energy) {
  MotionOf motion("me_3");
  const State& state = motion.at(2);
  expect_near(state.q, {0.380336, -2.501238, 3.976568, -2.463980}, 2e-6, "q");
  expect_near(state.v, {-0.366010, 1.596493, -0.170349, -1.184906}, 2e-6, "v");
  EXPECT_NEAR(motion.energy_now(), 95, 1e-8);
  EXPECT_LT(motion.energy_change(), 1e-8);
}

TEST(van_der_merwe_motion, the_load_swings_level_with_the_period_of_a_pendulum) {
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
    EXPECT_NEAR(pose(motion.model, kinematics, frame_ref(motion.model, "load")).R.x.x, 1, 1e-14);
  }
}

TEST(van_der_merwe_motion, three_legs_fall_in_oblique_gravity) {
  shows({"M-60", "simulate"});  // with ME-4, ME-5, MX-2 to MX-4, which have tests at one state
  ReadOptions options;
  options.set = {{"load_xx", 0.3}, {"load_zz", 0.4}};
  MotionOf motion(load_model("@me_5", options).with_gravity({2, -9, 1}));
  struct RunSnapshot {
    double time;
    Vec3<double> p, w;
  };
  for (const auto& [time, p, w] :
       {RunSnapshot{0.2, {0.0130309, -1.1801264, 0.0075662}, {0.5546805, 0.0000738, -0.9532983}},
        RunSnapshot{
            0.4, {0.0268707, -1.7174237, 0.0156120}, {1.0459963, -0.0025303, -1.8316718}}}) {
    const State& state = motion.at(time);
    Kinematics seen(motion.model);
    ASSERT_TRUE(kinematics(motion.model, state, {}, motion.workspace, seen).ok());
    const FrameRef load = frame_ref(motion.model, "load");
    // seven decimals are published, of the results as of the geometry
    EXPECT_LT(norm(pose(motion.model, seen, load).p - p), 5e-7) << time;
    EXPECT_LT(norm(velocity(motion.model, seen, load, Axes::body).angular - w), 5e-7) << time;
  }
  EXPECT_LT(motion.energy_change(), 1e-8);
  EXPECT_LT(motion.largest_violation().position, 1e-12);
}

// ME-5 under its controllers: PID on the slides and on the rotations of the ankles about z, or on
// the slides only. Heights are those of the load above its home.
struct ThreeLegs : MotionOf {
  ThreeLegs() : MotionOf("me_5") {}
  static constexpr double home_slide = 1.0874871, home_turn = 1.1669367;
  static constexpr double raised_slide = 0.8632081, raised_turn = 1.0528785;
  const PidGains gains{.p = 800, .i = 1000, .d = 50};

  int dof(const std::string& joint, int k) const {
    return model[*model.find_joint(joint)].v_start + k;
  }
  void control(double slide, double raised, double at, bool with_ankles, double turn = home_turn,
               double raised_to = raised_turn) {
    for (const char* leg : {"1", "2", "3"}) {
      run_inputs.add_controller(dof(std::string("leg") + leg, 2), gains,
                                Signal::step(slide, raised, at));
      if (with_ankles)
        run_inputs.add_controller(dof(std::string("ankle") + leg, 1), gains,
                                  Signal::step(turn, raised_to, at));
    }
    state.z.assign(std::size_t(run_inputs.nz()), 0.0);
  }
  double height() {
    Kinematics seen(model);
    EXPECT_TRUE(kinematics(model, state, {}, workspace, seen).ok());
    return pose(model, seen, trammel::frame_ref(model, "load")).p.y + 1;
  }
  double effort(const std::string& joint, int k) {
    SimulationInputs::Acting acting(model);
    run_inputs.evaluate(state, acting);
    return acting.tau[std::size_t(dof(joint, k))];
  }
  void expect_heights(double start, std::initializer_list<std::pair<double, double>> wanted,
                      double tolerance) {
    for (const auto& [time, height_then] : wanted) {
      at(start + time);
      EXPECT_NEAR(height(), height_then, tolerance) << time;
    }
  }
};

TEST(van_der_merwe_motion, three_legs_hold_and_rise_under_their_controllers) {
  shows({"M-69", "SimulationInputs::add_controller", "simulate"}, {"M-70", "mobility"});
  ThreeLegs machine;
  Mobility ways;
  ASSERT_TRUE(mobility(machine.model, machine.state, machine.workspace, ways).ok());
  EXPECT_EQ(ways.finite, 3);

  // A: hold the home pose, support removed, integrators empty; B: from there a quarter meter up.
  // Six decimals are published; targets have seven, which the loop turns into some 1e-7
  const double settled = 30;
  machine.control(ThreeLegs::home_slide, ThreeLegs::raised_slide, settled, true);
  machine.expect_heights(0, {{0.1, -0.029739}, {0.2, -0.057359}}, 2e-6);
  EXPECT_NEAR(machine.effort("leg1", 2), -52.409, 2e-3);
  EXPECT_NEAR(machine.effort("ankle1", 1), -19.497, 2e-3);
  machine.expect_heights(0,
                         {{0.228, -0.05881},
                          {0.3, -0.052570},
                          {0.5, -0.026723},
                          {1, -0.015177},
                          {2, -0.003924},
                          {3, -0.001000}},
                         6e-6);
  machine.at(settled);
  EXPECT_NEAR(machine.effort("leg1", 2), -217.233, 2e-2);
  EXPECT_NEAR(machine.effort("ankle1", 1), -105.721, 2e-2);
  machine.expect_heights(settled,
                         {{0.1, 0.154932},
                          {0.244, 0.32705},
                          {0.5, 0.251982},
                          {1, 0.256460},
                          {2, 0.251762},
                          {3, 0.250445}},
                         1e-5);
}

// The same with the controllers of the model.
TEST(van_der_merwe_motion, three_legs_are_controlled_by_their_model) {
  shows({"M-69", "simulate"});
  MotionOf machine("me_5_held");
  const auto height = [&](double time) {
    machine.at(time);
    Kinematics seen(machine.model);
    EXPECT_TRUE(kinematics(machine.model, machine.state, {}, machine.workspace, seen).ok());
    return pose(machine.model, seen, frame_ref(machine.model, "legs_load")).p.y + 1;
  };
  // six decimals are published
  for (const auto& [time, published] : {std::pair(0.1, -0.029739),
                                        {0.2, -0.057359},
                                        {0.3, -0.052570},
                                        {0.5, -0.026723},
                                        {1.0, -0.015177}})
    EXPECT_NEAR(height(time), published, 2e-6) << time;
  for (const auto& [time, published] :
       {std::pair(0.1, 0.154932), {0.5, 0.251982}, {1.0, 0.256460}, {3.0, 0.250445}})
    EXPECT_NEAR(height(30 + time), published, 1e-5) << time;
}

// C: the same step with the slides alone.
TEST(van_der_merwe_motion, three_legs_rise_by_their_slides_alone) {
  shows({"M-69", "SimulationInputs::add_controller", "simulate"});
  ThreeLegs machine;
  machine.control(ThreeLegs::raised_slide, ThreeLegs::raised_slide, 100, false);
  for (std::size_t k = 0; k < machine.state.z.size(); k += 2)
    machine.state.z[k] = -43.497501 / machine.gains.i;  // their effort before
  machine.expect_heights(0,
                         {{0.1, 0.137335},
                          {0.2, 0.309803},
                          {0.276, 0.35090},
                          {0.3, 0.347799},
                          {0.5, 0.240145},
                          {1, 0.255362},
                          {2, 0.251357}},
                         1e-5);
  machine.at(40);
  EXPECT_NEAR(machine.effort("leg1", 2), -44.1163, 2e-3);
}

// Targets of slide and ankle that contradict each other by a thousandth of a radian: the load comes
// to rest between them, and the integrators wind up without end.
TEST(van_der_merwe_motion, controllers_of_three_legs_that_disagree_wind_up) {
  shows({"M-69", "SimulationInputs::add_controller", "simulate"});
  ThreeLegs machine;
  const double off = 1e-3, turn = ThreeLegs::raised_turn + off;
  machine.control(ThreeLegs::raised_slide, ThreeLegs::raised_slide, 100, true, turn, turn);
  // derivatives of slide and ankle by the height, from the geometry of a leg
  const double slide = ThreeLegs::raised_slide, up = std::sin(ThreeLegs::raised_turn);
  const double d = 1 / std::numbers::sqrt3 - 0.15, across = d / (slide * slide);
  const double lower = across * off / (up * up + across * across);
  machine.at(30);
  EXPECT_NEAR(machine.height(), 0.25 - lower, 1e-6);  // squares of the offset
  EXPECT_NEAR(machine.height(), 0.249471, 1e-6);      // published
  const double slide_before = machine.effort("leg1", 2), turn_before = machine.effort("ankle1", 1);
  machine.at(50);
  // rates are the integral gain times the remaining error of each
  const double pushes = (machine.effort("leg1", 2) - slide_before) / 20,
               turns = (machine.effort("ankle1", 1) - turn_before) / 20;
  EXPECT_NEAR(pushes, -machine.gains.i * up * lower, 1e-3);
  EXPECT_NEAR(turns, machine.gains.i * (off - across * lower), 1e-3);
  EXPECT_NEAR(pushes, -0.4594, 1e-4);
  EXPECT_NEAR(turns, 0.6969, 1e-4);
}

}  // namespace
}  // namespace trammel::motion_test
