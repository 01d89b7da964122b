// Small loops in large mechanisms: the recursive solver judges the pivots of a loop by the length
// of the loop, not by that of the whole mechanism or by its place.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "tests/support/n_four_bar.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel::far_loops_test {
namespace {

// Equal four-bars at these places on the ground; the elbow is cut.
Description four_bars_at(std::initializer_list<double> places) {
  Description description("four-bars");
  description.gravity = {0.0, -9.81, 0.0};
  int k = 0;
  for (const double x : places) {
    const auto name = [&](const char* what) { return fmt::format("{}{}", what, k); };
    for (const char* bar : {"crank", "coupler", "rocker"})
      description.body(name(bar),
                       {.mass = 1.0, .com = {0.5, 0.0, 0.0}, .inertia = {1, 0, 0, 1, 0, 1}});
    const auto pin = [&](const char* joint, const std::string& parent, const char* child, double at,
                         double on_child = 0) {
      description.joint(name(joint), JointKind::revolute, parent, name(child),
                        {.at = {{at, 0.0, 0.0}, {}},
                         .child_at = {{on_child, 0.0, 0.0}, {}},
                         .cut = on_child > 0});
    };
    pin("left", "ground", "crank", x);
    pin("knee", name("crank"), "coupler", 1);
    pin("right", "ground", "rocker", x + 1);
    pin("elbow", name("coupler"), "rocker", 1, 1);
    ++k;
  }
  return description;
}

struct Solved {
  explicit Solved(const Description& description, double angle)
      : model(build_model(description)), workspace(model), state(neutral_state(model)) {
    for (const NamedJoint& joint : model.joints())
      if (joint.role == NamedJoint::Role::tree)
        state.q[std::size_t(joint.q_start)] = joint.name.starts_with("knee") ? -angle : angle;
    EXPECT_TRUE(assemble(model, state, workspace).ok());
    const Status status = constrained_dynamics(model, state, {}, workspace, answer);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  Model model;
  Workspace workspace;
  State state;
  ConstrainedAnswer answer;
};

TEST(FarLoops, are_solved_recursively_as_near_ones) {
  const Solved near(four_bars_at({0.0}), 0.9), far(four_bars_at({0.0, 1e5, 3e5}), 0.9);
  EXPECT_EQ(near.answer.solver, ConstraintSolver::star);
  EXPECT_EQ(far.answer.solver, ConstraintSolver::star);
  // rounding of places, 3e5 * 1e-16, times the condition of a loop
  for (Eigen::Index k = 0; k < far.answer.a.size(); ++k)
    EXPECT_NEAR(far.answer.a[k], near.answer.a[k % 3], 1e-8) << k;
}

// I theta'' = m g sin(theta)  (n_four_bar.hpp)
TEST(FarLoops, of_a_long_ladder_are_solved_recursively) {
  const int n = 4000;
  const Model model = build_model(n_four_bar(n));
  Workspace workspace(model);
  State state = neutral_state(model);
  for (const NamedJoint& joint : model.joints())
    if (joint.role == NamedJoint::Role::tree)
      state.q[std::size_t(joint.q_start)] = joint.name.starts_with("foot") ? -0.4 : 0.4;
  ConstrainedAnswer answer;
  const Status status = constrained_dynamics(model, state, {}, workspace, answer);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_NE(answer.solver, ConstraintSolver::sparse);
  const double I = (n + 1) / 3.0 + n, m = (n + 1) / 2.0 + n;
  const double expected = m * 9.81 * std::sin(0.4) / I;
  for (const NamedJoint& joint : model.joints()) {
    if (joint.role != NamedJoint::Role::tree) continue;
    const double sign = joint.name.starts_with("foot") ? -1 : 1;
    EXPECT_NEAR(answer.a[joint.v_start], sign * expected, 1e-8 * expected) << joint.name;
  }
}

}  // namespace
}  // namespace trammel::far_loops_test
