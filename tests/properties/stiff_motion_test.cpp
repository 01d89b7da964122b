// Stiff springs in a loop: implicit methods take few steps, and reach the state of the explicit
// ones.
#include <cmath>

#include "tests/support/motion_of.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::stiff_motion_test {
namespace {

// Four-bar with an elastic coupler: a stiff spring and a stiff damper along it. Its motion is that
// of the rigid one plus a mode of rate 20,000 / s that decays at once.
Model elastic_four_bar() {
  Description description = load_model("@four_bar").description();
  description.body("tip",
                   {.mass = 0.1, .com = {0.0, 0.0, 0.0}, .inertia = {1e-4, 0, 0, 1e-4, 0, 1e-4}});
  description.joint(
      "stretch", JointKind::prismatic, "coupler", "tip",
      {.at = {{0.5, 0.0, 0.0}, {}}, .axis = {1.0, 0.0, 0.0}, .stiffness = {1e6}, .damping = {2e3}});
  for (JointDescription& joint : description.joints)
    if (joint.name == "wrist") {
      joint.parent = "tip";
      joint.options.at = {};
      joint.options.cut = true;
    }
  return build_model(description);
}
// From the start of the rigid one: the spring at rest.
MotionOf elastic_motion() {
  const MotionOf rigid("four_bar");
  MotionOf motion(elastic_four_bar());
  std::ranges::fill(motion.state.q, 0.0);
  for (const char* joint : {"motor", "knee", "foot"})
    motion.state.q[std::size_t(motion.model[*motion.model.find_joint(joint)].q_start)] =
        rigid.q(joint);
  return motion;
}

RunOptions by(Method method, double tolerance) {
  RunOptions options;
  options.method = method;
  options.relative = tolerance;
  options.absolute = tolerance / 100;
  return options;
}

struct RunOutcome {
  double error;
  RunStatistics statistics;
  ClosureError gap;
};
class StiffLoop : public testing::Test {
 protected:
  static constexpr double duration = 1;
  static void SetUpTestSuite() {
    MotionOf best = elastic_motion();
    const Status status = best.go(duration, by(Method::dormand_prince, 1e-10));
    ASSERT_TRUE(status.ok()) << status.message();
    reference = new State(best.state);
  }
  static void TearDownTestSuite() { delete reference; }
  static RunOutcome follow(Method method, double tolerance) {
    MotionOf motion = elastic_motion();
    const Status status = motion.go(duration, by(method, tolerance));
    EXPECT_TRUE(status.ok()) << status.message();
    const RunOutcome found{apart(motion.model, motion.state, *reference), motion.statistics,
                           motion.largest_violation()};
    std::printf("%s, %.0e: error %.1e, %ld steps, %ld refused, %ld slopes\n",
                to_string(method).c_str(), tolerance, found.error, found.statistics.steps,
                found.statistics.rejected, found.statistics.evaluations);
    return found;
  }
  static const State* reference;
};
const State* StiffLoop::reference = nullptr;

TEST_F(StiffLoop, radau_takes_a_fifteenth_of_the_steps_of_dormand_prince) {
  const RunOutcome implicit = follow(Method::radau, 1e-4);
  // at the loosest accepted tolerance: stiffness alone limits its steps
  const RunOutcome explicit_one = follow(Method::dormand_prince, 1e-4);
  EXPECT_LE(implicit.error, explicit_one.error);
  EXPECT_GT(explicit_one.statistics.steps, 15 * implicit.statistics.steps);
  EXPECT_LT(implicit.gap.position, 1e-12);
  EXPECT_LT(implicit.gap.velocity, 1e-11);
}

TEST_F(StiffLoop, errors_follow_the_tolerance) {
  for (const Method method : {Method::radau, Method::bdf}) {
    if (!method_lacks(method).empty()) continue;
    const RunOutcome loose = follow(method, 1e-4), tight = follow(method, 1e-8);
    EXPECT_LT(tight.error, 0.1 * loose.error);
    // some hundreds of steps, each with an error of 1e-8 of motions of size 10
    EXPECT_LT(tight.error, 1e-5);
    EXPECT_LT(tight.gap.position, 1e-12);
    EXPECT_LT(tight.gap.velocity, 1e-11);
  }
}

// Implicit methods adapt their steps on any motion, end them at jumps of signals, and have dense
// output.
class ImplicitMethod : public testing::TestWithParam<Method> {
 protected:
  void SetUp() override {
    if (const std::string lacks = method_lacks(GetParam()); !lacks.empty()) {
      MotionOf motion("double_pendulum");
      EXPECT_EQ(motion.go(1, by(GetParam(), 1e-6)).message(), "simulate: " + lacks);
      GTEST_SKIP() << lacks;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(methods, ImplicitMethod, testing::Values(Method::radau, Method::bdf),
                         [](const auto& tested) { return to_string(tested.param); });

TEST_P(ImplicitMethod, passes_jumps_and_shows_what_lies_between) {
  const auto pushed = [] {
    MotionOf motion("four_bar");
    motion.run_inputs.add_effort(0, Signal::pulse(0, 0.3, 0.2, 0.1));
    return motion;
  };
  MotionOf best = pushed(), motion = pushed();
  RunOptions options = by(Method::dormand_prince, 1e-11);
  options.sample = 0.05;
  ASSERT_TRUE(best.go(1, options).ok());
  options = by(GetParam(), 1e-9);
  options.sample = 0.05;
  const Status status = motion.go(1, options);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(motion.samples.size(), best.samples.size());
  for (std::size_t k = 0; k < best.samples.size(); ++k) {
    EXPECT_DOUBLE_EQ(motion.samples[k].time, best.samples[k].time);
    // some hundred steps, each with an error of 1e-9, of a motion that doubles errors in a second;
    // dense output of a lower order
    EXPECT_LT(apart(motion.model, motion.samples[k], best.samples[k]), 2e-6) << k;
  }
  EXPECT_LT(motion.largest_violation().position, 1e-12);
  EXPECT_LT(motion.largest_violation().velocity, 1e-11);
}

TEST_P(ImplicitMethod, meets_stops_when_it_is_time) {
  Description description = load_model("@double_pendulum").description();
  for (JointDescription& joint : description.joints)
    if (joint.name == "elbow") {
      joint.options.limits.lower = {-0.6};
      joint.options.limits.upper = {0.6};
      joint.options.limits.restitution = {0.5};
    }
  const auto started = [&] {
    MotionOf motion(build_model(description));
    motion.state.q = {0.3, 0.3};
    motion.state.v = {0.5, 4};
    return motion;
  };
  MotionOf best = started(), motion = started();
  ASSERT_TRUE(best.go(0.2).ok());
  const Status status = motion.go(0.2, by(GetParam(), 1e-9));
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_GT(best.statistics.impacts, 0);
  EXPECT_EQ(motion.statistics.impacts, best.statistics.impacts);
  // an impact turns an error of its time into one of velocity
  EXPECT_LT(apart(motion.model, motion.state, best.state), 1e-5);
}

TEST_P(ImplicitMethod, follows_ball_joints_and_what_floats) {
  for (const char* model : {"e_05", "f12"}) {
    MotionOf best(model), motion(model);
    ASSERT_TRUE(best.go(0.5).ok()) << model;
    const Status status = motion.go(0.5, by(GetParam(), 1e-9));
    ASSERT_TRUE(status.ok()) << model << ": " << status.message();
    double fastest = 1;
    for (const double v : best.state.v) fastest = std::max(fastest, std::abs(v));
    // a thousand steps with errors of 1e-9, relative to the speed
    EXPECT_LT(apart(motion.model, motion.state, best.state), 1e-6 * fastest) << model;
  }
}

}  // namespace
}  // namespace trammel::stiff_motion_test
