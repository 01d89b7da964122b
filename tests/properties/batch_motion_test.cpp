// A batch of simulations gives the results of the single runs: equal to rounding, and bitwise equal
// for any number of threads.
#include <cmath>
#include <random>

#include "tests/support/motion_of.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/simulate/simulate_batch.hpp"

namespace trammel::batch_motion_test {
namespace {

// Not a multiple of the number of SIMD lanes.
constexpr int runs = 37;

struct Starts {
  Eigen::MatrixXd q, v;
};
// States near a given one, with changed positions and velocities, projected onto the loops.
Starts around(MotionOf& motion) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  Starts starts{{motion.model.nq(), runs}, {motion.model.nv(), runs}};
  for (int run = 0; run < runs; ++run) {
    State state = motion.state;
    std::vector<double> step(state.v.size());
    for (double& x : step) x = 0.02 * normal(random);
    integrate(motion.model, motion.state.q, step, state.q);
    for (double& x : state.v) x += 0.1 * normal(random);
    if (motion.model.has_constraints()) {
      const Status status = assemble(motion.model, state, motion.workspace);
      EXPECT_TRUE(status.ok()) << status.message();
    }
    starts.q.col(run) = Eigen::Map<Eigen::VectorXd>(state.q.data(), motion.model.nq());
    starts.v.col(run) = Eigen::Map<Eigen::VectorXd>(state.v.data(), motion.model.nv());
  }
  return starts;
}

BatchMotion follow(const MotionOf& motion, const Starts& starts, const BatchRunOptions& options,
                   int threads) {
  BatchWorkspace workspace(motion.model, threads);
  BatchMotion out;
  const Status status = simulate_batch(motion.model, {starts.q, starts.v}, motion.run_inputs,
                                       options, workspace, out);
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}

// Compares each run alone with the batch on one, two and three threads.
void expect_same_as_alone(MotionOf& motion, const BatchRunOptions& options, double allowed) {
  const Starts starts = around(motion);
  const BatchMotion together = follow(motion, starts, options, 1);
  for (const int threads : {2, 3}) {
    const BatchMotion shared = follow(motion, starts, options, threads);
    ASSERT_EQ(shared.times, together.times);
    for (std::size_t k = 0; k < shared.times.size(); ++k) {
      EXPECT_TRUE(shared.q[k] == together.q[k]) << threads << " threads, " << shared.times[k];
      EXPECT_TRUE(shared.v[k] == together.v[k]) << threads << " threads, " << shared.times[k];
    }
  }
  for (const int run : {0, 5, runs - 1}) {
    State state = motion.state;
    Eigen::Map<Eigen::VectorXd>(state.q.data(), motion.model.nq()) = starts.q.col(run);
    Eigen::Map<Eigen::VectorXd>(state.v.data(), motion.model.nv()) = starts.v.col(run);
    std::vector<State> alone;
    RunStatistics statistics;
    const Status status = simulate(
        motion.model, state, motion.run_inputs,
        {.duration = options.duration,
         .method = options.method,
         .step = options.step,
         .sample = options.sample},
        motion.workspace,
        [&](const State& seen) {
          alone.push_back(seen);
          return Status();
        },
        statistics);
    ASSERT_TRUE(status.ok()) << status.message();
    ASSERT_EQ(alone.size(), together.times.size());
    for (std::size_t k = 0; k < alone.size(); ++k) {
      EXPECT_NEAR(alone[k].time, together.times[k], 1e-12);
      for (int f = 0; f < motion.model.nq(); ++f)
        EXPECT_NEAR(alone[k].q[std::size_t(f)], together.q[k](f, run), allowed) << run << " " << k;
      for (int f = 0; f < motion.model.nv(); ++f)
        EXPECT_NEAR(alone[k].v[std::size_t(f)], together.v[k](f, run), 10 * allowed) << run;
    }
  }
}

// a thousand operations per step, hundreds of steps, motions that double errors a few times
constexpr double rounding = 1e-11;
BatchRunOptions steps(Method method) {
  return {.duration = 0.25, .method = method, .step = 0.002, .sample = 0.05};
}

class FixedMethod : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(methods, FixedMethod,
                         testing::Values(Method::rk4, Method::semi_implicit_euler),
                         [](const auto& tested) {
                           std::string name = to_string(tested.param);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(FixedMethod, trees_are_the_same_side_by_side) {
  for (const char* name : {"seven_axis_arm", "double_pendulum", "f12"}) {
    SCOPED_TRACE(name);
    MotionOf motion(name);
    expect_same_as_alone(motion, steps(GetParam()), rounding);
  }
}

TEST_P(FixedMethod, drives_act_on_every_run) {
  MotionOf motion("seven_axis_arm");
  motion.run_inputs.add_effort(1, Signal::pulse(0, 5, 0.1013, 0.05));  // starts between two steps
  motion.run_inputs.add_controller(3, {.p = 20, .i = 5, .d = 2}, Signal::constant(0.3));
  motion.run_inputs.add_effort_law(
      [](const State& state, std::span<double> tau) { tau[0] -= state.v[0]; });
  expect_same_as_alone(motion, steps(GetParam()), rounding);
  // and a wrench, which the SIMD batch does not support
  motion.run_inputs.add_wrench(
      {.at = frame_ref(motion.model, motion.model.named_bodies().back().name),
       .F = {{0, 0, 1}, {3, 0, 0}}});
  expect_same_as_alone(motion, steps(GetParam()), rounding);
}

TEST_P(FixedMethod, loops_are_the_same_side_by_side) {
  for (const char* name : {"four_bar", "r_ex2", "e_05"}) {
    SCOPED_TRACE(name);
    MotionOf motion(name);
    expect_same_as_alone(motion, steps(GetParam()), 100 * rounding);
  }
}

// rk4 projects the stages of long steps only: at steps of 8 ms the velocities of the two kinds of
// runs are 1e-7 apart.
TEST_P(FixedMethod, stages_off_the_loops_are_the_same_side_by_side) {
  MotionOf motion("stewart_platform");
  BatchRunOptions options = steps(GetParam());
  options.step = 0.008;
  options.duration = 0.2;
  expect_same_as_alone(motion, options, 10 * rounding);
}

TEST_P(FixedMethod, wheels_are_the_same_side_by_side) {
  for (const char* name : {"s_t08", "s_t03", "e_07"}) {
    SCOPED_TRACE(name);
    MotionOf motion(name);
    expect_same_as_alone(motion, steps(GetParam()), 100 * rounding);
  }
}

TEST(batch_motion, random_robots_are_the_same_side_by_side) {
  for (int seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    RandomRobot robot(seed);
    MotionOf motion(robot.model);
    expect_same_as_alone(motion, {.duration = 0.02, .step = 0.001, .sample = 0.01}, 1e-9);
  }
}

// Masses that fall on a stop, each at its own time, and bounce.
TEST(batch_motion, stops_are_met_by_every_run) {
  Description description("ball");
  description.body("ball", {.mass = 1.0, .inertia = {0.1, 0, 0, 0.1, 0, 0.1}});
  JointOptions joint{.axis = {0.0, 0.0, 1.0}};
  joint.limits.lower = {0.0};
  joint.limits.restitution = {0.6};
  description.joint("fall", JointKind::prismatic, "ground", "ball", joint);
  MotionOf motion(build_model(description));
  motion.state.q[0] = 0.5;
  const BatchRunOptions options{.duration = 1, .step = 0.01, .sample = 0.1};
  expect_same_as_alone(motion, options, rounding);
  const BatchMotion out = follow(motion, around(motion), options, 2);
  double lowest = 1;
  for (const Eigen::MatrixXd& q : out.q) lowest = std::min(lowest, q.minCoeff());
  EXPECT_GE(lowest, -1e-9);  // falling half a meter takes 0.3 s
}

TEST(batch_motion, one_that_cannot_go_on_does_not_hold_the_others) {
  MotionOf motion("double_pendulum");
  Starts starts = around(motion);
  const BatchRunOptions options = steps(Method::rk4);
  const BatchMotion sound = follow(motion, starts, options, 1);
  starts.v(0, 3) = 1e200;
  BatchWorkspace workspace(motion.model, 2);
  BatchMotion out;
  const Status status = simulate_batch(motion.model, {starts.q, starts.v}, motion.run_inputs,
                                       options, workspace, out);
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message().find("1 of 37 runs did not reach the end; run 3 stopped at t = 0 s"),
            std::string::npos)
      << status.message();
  EXPECT_FALSE(out.stopped[3].empty());
  for (int run = 0; run < runs; ++run)
    if (run != 3) {
      EXPECT_TRUE(out.stopped[std::size_t(run)].empty());
      // in the step in which one run stops, the runs in the same SIMD pack may be evaluated singly
      EXPECT_LT((out.q.back() - sound.q.back()).col(run).cwiseAbs().maxCoeff(), rounding) << run;
    }
}

TEST(batch_motion, says_what_is_wrong) {
  MotionOf motion("double_pendulum");
  Starts starts = around(motion);
  BatchWorkspace workspace(motion.model);
  const auto description = [&](const BatchRunOptions& options) {
    BatchMotion out;
    return simulate_batch(motion.model, {starts.q, starts.v}, motion.run_inputs, options, workspace,
                          out)
        .message();
  };
  EXPECT_EQ(description({.step = 0}), "simulate_batch: the step is 0 s: give a time above 0");
  EXPECT_EQ(description({.duration = -1}),
            "simulate_batch: the duration is -1 s: give a time above 0");
  EXPECT_EQ(description({.sample = -1}),
            "simulate_batch: samples are -1 s apart: give a time above 0");
  EXPECT_EQ(description({.method = Method::dormand_prince}),
            "simulate_batch: the method dormand-prince chooses its steps, and runs side by side "
            "take the same: take rk4 or semi-implicit-euler");
  starts.q(1, 4) = std::nan("");
  EXPECT_EQ(description({}),
            "simulate_batch: run 4 starts where q[1], of joint 'elbow', is nan: give it a finite "
            "number");
}

// One run of a closed mechanism diverges, and stops; those beside it in the register go on.
TEST(batch_motion, a_run_that_diverges_does_not_disturb_the_others) {
  MotionOf motion("four_bar");
  motion.run_inputs.add_effort_law([](const State& state, std::span<double> tau) {
    if (std::abs(state.v[0]) > 100) tau[0] = 1e150;
  });
  const Starts starts = around(motion);
  const BatchMotion right = follow(motion, starts, steps(Method::rk4), 1);
  Starts fast = starts;
  fast.v.col(5) *= 1000 / fast.v.col(5).cwiseAbs().maxCoeff();
  BatchWorkspace workspace(motion.model);
  BatchMotion out;
  EXPECT_FALSE(simulate_batch(motion.model, {fast.q, fast.v}, motion.run_inputs, steps(Method::rk4),
                              workspace, out)
                   .ok());
  for (int run = 0; run < runs; ++run) {
    EXPECT_EQ(out.stopped[std::size_t(run)].empty(), run != 5) << run;
    if (run == 5) continue;
    // lanes next to a huge angle take their sines from the C library
    EXPECT_LT((out.q.back().col(run) - right.q.back().col(run)).norm(), 100 * rounding) << run;
    EXPECT_LT((out.v.back().col(run) - right.v.back().col(run)).norm(), 1000 * rounding) << run;
  }
  EXPECT_TRUE(out.q.back().allFinite() && out.v.back().allFinite());
}

}  // namespace
}  // namespace trammel::batch_motion_test
