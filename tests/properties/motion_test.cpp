// Properties of simulations: every integrator has its order, loops stay closed, isolated systems
// keep energy and momentum, samples between steps lie on the motion.
#include <cmath>

#include "tests/support/capability.hpp"
#include "tests/support/how_many.hpp"
#include "tests/support/motion_of.hpp"
#include "tests/support/random_closed_robot.hpp"
#include "tests/support/thrown.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::motion_test {
namespace {

void throw_it(MotionOf& motion) {
  for (std::size_t k = 0; k < motion.state.v.size(); ++k)
    motion.state.v[k] = 1.5 * std::cos(1.0 + 2.4 * double(k));
}

struct Order {
  Method method;
  int order;
  double step;  // so long that its error is far above rounding
};
class EveryMethod : public testing::TestWithParam<Order> {
 protected:
  // fixed steps, also for adaptive methods
  static RunOptions steps_of(Method method, double step) {
    RunOptions options;
    options.method = method;
    options.step = step;
    options.relative = 0.1;
    options.absolute = 1e3;
    return options;
  }
  template <class Make> double measured_order(const Make& make, double duration) {
    const auto [method, order, step] = GetParam();
    MotionOf reference = make();
    RunOptions best = MotionOf::precise();
    best.method = Method::extrapolation;
    best.relative = 1e-13;
    best.absolute = 1e-14;
    EXPECT_TRUE(reference.go(duration, best).ok());
    double errors[2];
    for (int k = 0; k < 2; ++k) {
      MotionOf motion = make();
      const Status status = motion.go(duration, steps_of(method, step / (k + 1)));
      EXPECT_TRUE(status.ok()) << status.message();
      errors[k] = apart(motion.model, motion.state, reference.state);
    }
    RecordProperty("error", std::to_string(errors[1]));
    return std::log2(errors[0] / errors[1]);
  }
  // one halving of the step measures an order to some tenths; higher-order terms can only raise it
  static void expect_order(double order) {
    EXPECT_GT(order, GetParam().order - 0.4);
    EXPECT_LT(order, GetParam().order + 1);
  }
};
INSTANTIATE_TEST_SUITE_P(methods, EveryMethod,
                         testing::Values(Order{Method::semi_implicit_euler, 1, 0.002},
                                         Order{Method::rk4, 4, 0.02},
                                         Order{Method::dormand_prince, 5, 0.04},
                                         Order{Method::extrapolation, 8, 0.1},
                                         Order{Method::radau, 5, 0.1}),
                         [](const auto& tested) {
                           std::string name = to_string(tested.param.method);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(EveryMethod, has_its_order_on_a_closed_loop) {
  const double order = measured_order(
      [] {
        MotionOf motion("four_bar");
        return motion;
      },
      0.8);
  expect_order(order);
}

TEST_P(EveryMethod, has_its_order_on_a_floating_tree_with_ball_joints) {
  const double order = measured_order(
      [] {
        MotionOf motion(thrown_model());
        throw_it(motion);
        return motion;
      },
      0.8);
  expect_order(order);
}

TEST(motion, what_floats_keeps_energy_and_momentum) {
  shows({"M-64", "simulate", "momentum"});
  MotionOf motion(thrown_model().with_gravity({0, 0, 0}));
  throw_it(motion);
  Momentum before, after;
  ASSERT_TRUE(momentum(motion.model, motion.state, motion.workspace, before).ok());
  ASSERT_TRUE(motion.go(5).ok());
  ASSERT_TRUE(momentum(motion.model, motion.state, motion.workspace, after).ok());
  // some thousand steps, each precise to 1e-11
  EXPECT_LT(norm(after.linear - before.linear), 1e-9);
  EXPECT_LT(norm(after.angular - before.angular), 1e-9);
  EXPECT_LT(motion.energy_change(), 1e-9);
}

TEST(motion, samples_between_steps_lie_on_the_motion) {
  for (const char* model : {"four_bar", "double_pendulum"}) {
    MotionOf sampled(model);
    RunOptions options;
    options.relative = 1e-9;
    options.sample = 0.01;
    ASSERT_TRUE(sampled.go(1, options).ok());
    ASSERT_EQ(sampled.samples.size(), 101u);
    MotionOf stepped(model);
    for (std::size_t k = 0; k < sampled.samples.size(); k += 7) {
      const State& seen = sampled.samples[k];
      stepped.at(seen.time);
      // dense output has order 4 where steps have order 5
      EXPECT_LT(apart(sampled.model, seen, stepped.state), 1e-5) << model << " " << seen.time;
    }
    EXPECT_LT(sampled.largest_violation().position, 1e-12) << model;
    EXPECT_LT(sampled.largest_violation().velocity, 1e-11) << model;
  }
}

TEST(motion, ten_minutes_do_not_open_a_loop) {
  shows({"Y-71", "simulate", "closure_error"});
  for (const char* name : {"four_bar", "r_ex2"}) {
    Description description = load_model(std::string("@") + name).description();
    description.inputs.clear();
    // mechanisms that fall move fast; without gravity they take a hundredth of the steps
    if (description.joints.size() > 10) description.gravity = {0.0, 0.0, 0.0};
    MotionOf motion(build_model(description));
    RunOptions options;
    options.sample = 1;
    const Status status = motion.go(how_many(600), options);
    ASSERT_TRUE(status.ok()) << name << ": " << status.message();
    const ClosureError gap = motion.largest_violation();
    const double change = motion.energy_change();
    std::printf("%s, %.0f s, %ld steps: gap %.1e m, %.1e m/s; energy by %.1e J\n", name,
                motion.statistics.end, motion.statistics.steps, gap.position, gap.velocity, change);
    double fastest = 1;
    for (const State& seen : motion.samples)
      for (const double v : seen.v) fastest = std::max(fastest, std::abs(v));
    EXPECT_LT(gap.position, 1e-12) << name;
    EXPECT_LT(gap.velocity, 1e-12 * fastest) << name;
    // an upper bound: steps with errors of 1e-8, all of one sign
    EXPECT_LT(change, 1e-8 * double(motion.statistics.steps) * fastest * fastest) << name;
  }
}

// Seeds of fixed and floating robots, some with redundant rows; without dampers energy is constant,
// with them it must not grow.
class EveryMovingRobot : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, EveryMovingRobot, testing::Range(1, 1 + how_many(30)));

TEST_P(EveryMovingRobot, stays_closed_and_gains_no_energy) {
  RandomClosedRobot robot(GetParam(), GetParam() % 3 == 0);
  MotionOf motion(robot.model);
  motion.state = robot.state;
  RunOptions options;
  options.relative = 1e-9;
  options.sample = 0.02;
  const Status status = motion.go(0.2, options);
  ASSERT_TRUE(status.ok()) << status.message();
  const double length = robot.model.characteristic_length();
  double fastest = 1;
  for (const State& seen : motion.samples)
    for (const double v : seen.v) fastest = std::max(fastest, std::abs(v));
  EXPECT_LT(motion.largest_violation().position, 1e-12 * (1 + length));
  EXPECT_LT(motion.largest_violation().velocity, 1e-12 * (1 + length) * fastest);
  Energy before, now;
  ASSERT_TRUE(energy(motion.model, motion.samples.front(), motion.workspace, before).ok());
  for (const State& seen : motion.samples) {
    ASSERT_TRUE(energy(motion.model, seen, motion.workspace, now).ok());
    EXPECT_LT(now.total(), before.total() + 1e-6 * (1 + before.kinetic)) << seen.time;
    before = now;
  }
}

}  // namespace
}  // namespace trammel::motion_test
