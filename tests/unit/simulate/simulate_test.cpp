// Simulations: prescribed motions are followed, efforts start and end, controllers reach targets,
// errors are reported, and a run that cannot continue keeps its results up to there.
#include "trammel/simulate/simulate.hpp"

#include <cmath>
#include <numbers>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/simulate/checks/audit.hpp"
#include "trammel/simulate/recorder.hpp"

namespace trammel::simulate_test {
namespace {

Description pendulum_on_cart(Drive drive) {
  Description description("cart");
  description.body("cart", {.mass = 2.0});
  description.body(
      "rod", {.mass = 1.0, .com = {0.0, 0.0, -0.5}, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.0}});
  description.joint("rail", JointKind::prismatic, "ground", "cart",
                    {.axis = {1.0, 0.0, 0.0}, .drive = drive});
  description.joint("pivot", JointKind::revolute, "cart", "rod", {.axis = {0.0, 1.0, 0.0}});
  return description;
}

TEST(simulate, a_joint_driven_by_motion_follows_its_prescribed_position) {
  MotionOf motion(build_model(pendulum_on_cart(Drive::motion)));
  const Signal plan = Signal::rest_to_rest(0, 0.5, 0.2, 1);
  motion.run_inputs.prescribe(0, plan);
  RunOptions options;
  options.sample = 0.05;
  const Status status = motion.go(2, options);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(motion.samples.size(), 41u);
  for (const State& seen : motion.samples) {
    EXPECT_EQ(seen.q[0], plan.at(seen.time).value) << seen.time;
    EXPECT_EQ(seen.v[0], plan.at(seen.time).rate) << seen.time;
  }
  EXPECT_GT(std::abs(motion.samples.back().q[1]), 1e-3);  // the rod swings
}

TEST(simulate, a_constant_force_makes_a_parabola_and_a_pulse_lets_go) {
  Description description("slide");
  description.gravity = {0.0, 0.0, 0.0};
  description.body("block", {.mass = 2.0});
  description.joint("rail", JointKind::prismatic, "ground", "block", {.axis = {1.0, 0.0, 0.0}});
  MotionOf motion(build_model(description));
  motion.run_inputs.add_effort(0, Signal::pulse(0, 3, 0.25, 0.5));
  ASSERT_TRUE(motion.go(2).ok());
  // 3 N on 2 kg for half a second: 0.75 m/s and 0.1875 m
  EXPECT_NEAR(motion.state.v[0], 0.75, 1e-13);
  EXPECT_NEAR(motion.state.q[0], 0.1875 + 0.75 * 1.25, 1e-13);
}

TEST(simulate, a_controller_pulls_a_joint_to_its_target_and_its_integral_takes_the_weight) {
  Description description("lift");
  description.body("block", {.mass = 2.0});
  description.joint("lift", JointKind::prismatic, "ground", "block", {.axis = {0.0, 0.0, 1.0}});
  MotionOf held(build_model(description));
  held.run_inputs.add_controller(0, {.p = 200, .i = 300, .d = 40}, Signal::step(0, 0.3, 1));
  ASSERT_TRUE(held.go(15).ok());
  EXPECT_NEAR(held.state.q[0], 0.3, 1e-6);
  EXPECT_NEAR(300 * held.state.z[0], 2 * 9.81, 1e-3);

  // without an integral it hangs lower by weight / p, and with a too small limit it falls
  MotionOf low(build_model(description));
  low.run_inputs.add_controller(0, {.p = 200, .d = 40}, Signal::constant(0));
  ASSERT_TRUE(low.go(15).ok());
  EXPECT_NEAR(low.state.q[0], -2 * 9.81 / 200, 1e-6);
  MotionOf weak(build_model(description));
  weak.run_inputs.add_controller(0, {.p = 200, .i = 300, .d = 40, .limit = 10},
                                 Signal::constant(0));
  ASSERT_TRUE(weak.go(3).ok());
  EXPECT_LT(weak.state.q[0], -1);
  EXPECT_LT(weak.state.z[0], 0.5);  // no further windup
}

TEST(simulate, a_function_may_act_too) {
  MotionOf motion("pendulum");
  motion.run_inputs.add_effort_law(
      [](const State& state, std::span<double> tau) { tau[0] -= 5 * state.v[0]; });
  motion.state.q[0] = 1;
  ASSERT_TRUE(motion.go(30).ok());
  EXPECT_LT(std::abs(motion.state.v[0]), 1e-3);
  EXPECT_FALSE(conserves_energy(motion.model, motion.run_inputs));
}

TEST(simulate, tells_what_is_wrong_before_it_begins) {
  MotionOf motion("pendulum");
  const auto told = [&](auto change) {
    RunOptions options;
    change(options);
    return simulate(
               motion.model, motion.state, motion.run_inputs, options, motion.workspace,
               [](const State&) { return Status(); }, motion.statistics)
        .message();
  };
  EXPECT_EQ(told([](RunOptions& o) { o.duration = -1; }),
            "simulate: the duration is -1 s: give a time above 0");
  EXPECT_EQ(told([](RunOptions& o) { o.step = -0.1; }),
            "simulate: the step is -0.1 s: give a time above 0");
  EXPECT_EQ(told([](RunOptions& o) { o.method = Method::rk4; }),
            "simulate: the method rk4 has a fixed step: give one (option step)");
  EXPECT_EQ(told([](RunOptions& o) { o.relative = 1e-30; }),
            "simulate: the relative tolerance is 1e-30: numbers of 16 digits can keep 1e-14 at "
            "best, and above 0.1 nothing is kept");
  EXPECT_EQ(told([](RunOptions& o) { o.sample = std::nan(""); }),
            "simulate: samples are nan s apart: give a time above 0");
  MotionOf prescribed(build_model(pendulum_on_cart(Drive::motion)));
  EXPECT_EQ(
      prescribed.go(1).message(),
      "simulate: joint 'rail' is driven by motion, but has no prescribed motion: give it an input, "
      "or prescribe it");
  EXPECT_THROW(prescribed.run_inputs.add_effort(0, Signal::constant(1)), std::invalid_argument);
  EXPECT_THROW(prescribed.run_inputs.prescribe(1, Signal::constant(1)), std::invalid_argument);
  EXPECT_THROW(prescribed.run_inputs.add_controller(7, {}, {}), std::invalid_argument);
}

TEST(simulate, stops_where_a_motion_blows_up_and_keeps_what_was) {
  MotionOf motion("pendulum");
  motion.state.v[0] = 1;
  // v' > v^2: no motion after t = 1
  motion.run_inputs.add_effort_law([](const State& state, std::span<double> tau) {
    tau[0] += 100 * state.v[0] * state.v[0] * std::abs(state.v[0]);
  });
  const Status status = motion.go(10);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("simulate: stopped at t = "), std::string::npos)
      << status.message();
  EXPECT_NE(status.message().find("joint 'pivot'"), std::string::npos) << status.message();
  EXPECT_GT(motion.samples.size(), 3u);
  for (const State& seen : motion.samples) EXPECT_TRUE(std::isfinite(seen.v[0]));
}

TEST(recorder, names_what_it_keeps) {
  MotionOf motion("four_bar");
  Recorder recorder(motion.model, motion.run_inputs,
                    {"positions", "energy", "reactions", "loops", "violations"});
  RunOptions options;
  options.duration = 0.5;
  options.sample = 0.1;
  ASSERT_TRUE(simulate(
                  motion.model, motion.state, motion.run_inputs, options, motion.workspace,
                  [&](const State& seen) { return recorder.observe(seen, motion.workspace); },
                  motion.statistics)
                  .ok());
  const Recording& kept = recorder.recording();
  EXPECT_EQ(kept.samples(), 6u);
  EXPECT_EQ(kept.columns[0].name, "time");
  EXPECT_EQ(kept.columns[1].unit, "rad");
  EXPECT_NEAR(kept.column("time").back(), 0.5, 1e-15);
  const std::vector<double> total = kept.column("energy.total");
  EXPECT_NEAR(total.back(), total.front(), 1e-6);
  try {
    (void)kept.column("energy.totla");
    FAIL();
  } catch (const std::invalid_argument& mistake) {
    EXPECT_STREQ(mistake.what(),
                 "record: there is no column 'energy.totla'; did you mean 'energy.total'?");
  }
  try {
    Recorder(motion.model, motion.run_inputs, {"postions"});
    FAIL();
  } catch (const std::invalid_argument& mistake) {
    EXPECT_STREQ(mistake.what(),
                 "record: there is no quantity 'postions'; did you mean 'positions'?");
  }
}

}  // namespace
}  // namespace trammel::simulate_test
