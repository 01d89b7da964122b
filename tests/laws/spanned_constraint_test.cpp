// A constraint whose rows lie in the span of the others, in every pose, changes nothing: the point
// that a hinge, a universal or a ball joint keeps together, a weld of what is fixed, a coupling
// that is another times a factor.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/motion_of.hpp"
#include "tests/random_closed_robot.hpp"
#include "trammel/constraint/constrained_dynamics.hpp"
#include "trammel/constraint/mobility.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"

namespace trammel {
namespace {

using Kind = ConstraintDescription::Kind;

// What can be added to this joint; nothing where no constraint has rows in its span alone.
std::optional<Kind> spanned_by(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
    case JointKind::universal:
    case JointKind::spherical: return Kind::point;
    case JointKind::fixed: return Kind::weld;
    default: return {};
  }
}

void add_spanned(Description& description, const JointDescription& joint, Kind kind) {
  const std::string here = joint.name + " here", there = joint.name + " there";
  description.frame(here, joint.parent, joint.options.at);
  description.frame(there, joint.child, joint.options.child_at);
  description.constraints.push_back(
      {.name = joint.name + " again", .kind = kind, .frame = here, .other_frame = there});
}

// Adds to every joint what its rows span, and to every coupling its multiple.
int add_all_spanned(Description& description) {
  int added = 0;
  const std::vector<JointDescription> joints = description.joints;
  for (const JointDescription& joint : joints)
    if (const std::optional<Kind> kind = spanned_by(joint.kind)) {
      add_spanned(description, joint, *kind);
      ++added;
    }
  const auto couplings = description.couplings;
  for (auto again : couplings) {
    again.name += " again";
    for (auto& [joint, factor] : again.terms) factor = Expr(-1.7) * factor;
    again.offset = Expr(-1.7) * again.offset;
    description.couplings.push_back(again);
    ++added;
  }
  return added;
}

struct Answers {
  std::vector<double> a;
  Mobility moves;
};
Answers answers(const Model& model, const State& state, const std::vector<double>& tau) {
  Workspace workspace(model);
  Answers out;
  out.a.resize(std::size_t(model.nv()));
  const Status status = forward_dynamics(model, state, {.tau = tau}, workspace, out.a);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_TRUE(mobility(model, state, workspace, out.moves).ok());
  return out;
}

void compare(const Description& one, const Description& two, const State& state,
             const std::vector<double>& tau) {
  const Answers before = answers(build_model(one), state, tau);
  const Answers after = answers(build_model(two), state, tau);
  double scale = 1;
  for (const double a : before.a) scale += std::abs(a);
  ASSERT_EQ(after.a.size(), before.a.size());
  // both are exact but for what the condition of M makes of rounding
  for (std::size_t f = 0; f < before.a.size(); ++f)
    ASSERT_NEAR(after.a[f], before.a[f], 1e-7 * scale) << f;
  EXPECT_EQ(after.moves.rank, before.moves.rank);
  EXPECT_EQ(after.moves.instantaneous, before.moves.instantaneous);
  EXPECT_TRUE(after.moves.undecided.empty());
}

TEST(SpannedConstraint, of_random_trees_changes_nothing) {
  int compared = 0;
  for (int seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomRobot robot(seed, {.bodies = 1 + seed % 12});
    Description more = robot.description;
    if (add_all_spanned(more) == 0) continue;
    compare(robot.description, more, robot.state, robot.a);
    if (testing::Test::HasFailure()) return;
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

TEST(SpannedConstraint, of_random_closed_mechanisms_changes_nothing) {
  int compared = 0;
  for (int seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomClosedRobot robot(seed);
    Description more = robot.description;
    if (add_all_spanned(more) == 0) continue;
    compare(robot.description, more, robot.state, robot.tau);
    if (testing::Test::HasFailure()) return;
    ++compared;
  }
  EXPECT_GT(compared, 150);
}

// In time, in every pose that it passes: the same path.
TEST(SpannedConstraint, changes_no_motion) {
  for (const char* name : {"double_pendulum", "six_axis_arm", "four_bar"}) {
    SCOPED_TRACE(name);
    const Description description = load_model(std::string("@") + name).description();
    Description more = description;
    ASSERT_GT(add_all_spanned(more), 0);
    MotionOf one(build_model(description)), two(build_model(more));
    RunOptions options;
    options.relative = 1e-9;
    options.absolute = 1e-11;
    ASSERT_TRUE(one.go(0.4, options).ok());
    const Status status = two.go(0.4, options);
    ASSERT_TRUE(status.ok()) << status.message();
    double fastest = 1;
    for (const double v : one.state.v) fastest = std::max(fastest, std::abs(v));
    for (std::size_t k = 0; k < one.state.q.size(); ++k)
      EXPECT_NEAR(two.state.q[k], one.state.q[k], 1e-6 * fastest) << k;
    EXPECT_LE(two.facts.steps, 2 * one.facts.steps + 5);
  }
}

}  // namespace
}  // namespace trammel
