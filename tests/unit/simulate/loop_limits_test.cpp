// Limits that are no stops, exceeded by a loop joint: reported like those of any other joint, at
// the time at which the same mechanism with another cut reports them.
#include "tests/support/motion_of.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel::loop_limits_test {
namespace {

// The four-bar of the gallery, cut at one of its joints; the wrist exceeds its limits.
RunStatistics followed(const std::string& cut) {
  Description description = load_model("@four_bar").description();
  // both start at the closed state of the gallery
  MotionOf whole("four_bar");
  LoopMotion wrist;
  EXPECT_TRUE(loop_motion(whole.model, whole.state, whole.workspace, wrist).ok());
  description.start_positions.clear();
  for (const NamedJoint& joint : whole.model.joints()) {
    if (joint.name == cut) continue;
    const bool is_tree = joint.role == NamedJoint::Role::tree;
    const double angle = is_tree ? whole.state.q[std::size_t(joint.q_start)] : wrist.q[0];
    description.start_positions.push_back({.joint = joint.name, .values = {angle}});
  }
  for (JointDescription& joint : description.joints) {
    joint.options.cut = joint.name == cut;
    if (joint.name != "wrist") continue;
    joint.options.limits.lower = {0.5};  // it stays above
    joint.options.limits.upper = {1.2};
  }
  MotionOf motion(build_model(description));
  const Status status = motion.go(2, {.method = Method::rk4, .step = 1e-3});
  EXPECT_TRUE(status.ok()) << status.message();
  return motion.statistics;
}

TEST(LoopLimits, are_reported_when_they_are_passed) {
  const RunStatistics loop = followed("wrist"), tree = followed("foot");
  ASSERT_EQ(tree.events.size(), 1);
  ASSERT_EQ(loop.events.size(), tree.events.size());
  for (std::size_t k = 0; k < loop.events.size(); ++k) {
    // reported at the end of a step
    EXPECT_NEAR(loop.events[k].time, tree.events[k].time, 1.1e-3);
    std::string what = loop.events[k].what;
    const std::size_t at = what.find("loop joint");
    ASSERT_NE(at, std::string::npos) << what;
    EXPECT_EQ(what.erase(at, 5), tree.events[k].what);
  }
}

// A velocity limit applies in both directions.
TEST(LoopLimits, of_velocities_hold_in_both_directions) {
  Description description = load_model("@four_bar").description();
  for (JointDescription& joint : description.joints)
    if (joint.name == "wrist") joint.options.limits.velocity = {2.0};
  const Model model = build_model(description);
  LoopMotion motion;
  motion.q = Eigen::VectorXd::Zero(model.loop_nq());
  for (const double v : {-3.0, -1.0, 1.0, 3.0}) {
    motion.v = Eigen::VectorXd::Constant(model.loop_nv(), v);
    EXPECT_EQ(check_loop_limits(model, motion).list().size(), std::abs(v) > 2 ? 1U : 0U) << v;
  }
}

}  // namespace
}  // namespace trammel::loop_limits_test
