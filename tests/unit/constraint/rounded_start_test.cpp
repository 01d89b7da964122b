// Start values written with a few digits: within the assembly tolerance they are projected, beyond
// it they are refused. Initial velocities and angles of loop joints likewise.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reference/posed.hpp"
#include "tests/unit/constraint/mechanisms.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/assembly/start_velocities.hpp"
#include "trammel/constraint/equations/closure_error.hpp"

namespace trammel::rounded_start_test {
namespace {

using mechanisms::four_bars, mechanisms::pin, mechanisms::solid;

// A parallelogram is closed at motor = foot = angle, elbow = -angle.
const std::vector<double> closed{1.1, -1.1, 1.1};

TEST(RoundedStart, a_small_violation_is_projected_and_a_large_one_refused) {
  Posed posed(four_bars(1), {1.1, -1.1, 1.10001});
  ASSERT_TRUE(close_rounded(posed.model, posed.state, posed.workspace).ok());
  EXPECT_LT(closure_error(posed.model, posed.state, posed.workspace).position, 1e-9);
  const std::vector<double> open{1.1, -1.1, 1.15};
  posed.state.q = open;
  const std::string words(close_rounded(posed.model, posed.state, posed.workspace).message());
  // the rocker's end, 0.3 m from its foot, is 2 * 0.3 m * sin(0.05 / 2) from the coupler's
  EXPECT_NE(words.find("is violated by 0.015 m"), words.npos) << words;
  EXPECT_EQ(posed.state.q, open);
}

// Two kept joints of one degree of freedom.
TEST(RoundedStart, kept_joints_that_contradict_each_other_are_refused) {
  Posed posed(four_bars(1), closed);
  const State start = posed.state;
  const AssemblyOptions keep{
      .keep = {*posed.model.find_joint("motor0"), *posed.model.find_joint("foot0")}};
  posed.state.q = {1.3, 0.0, 1.30001};
  ASSERT_TRUE(
      assemble_by_continuation(posed.model, start, posed.state, posed.workspace, keep).ok());
  EXPECT_NEAR(posed.state.q[1], -1.3, 2e-5);
  posed.state.q = {1.3, 0.0, 1.5};
  const std::string words(
      assemble_by_continuation(posed.model, start, posed.state, posed.workspace, keep).message());
  EXPECT_NE(words.find("contradict each other"), words.npos) << words;
}

// A triangle of bars is rigid; a chain of three more bars from its corner to ground can move.
// The kept angle of the triangle, given to four digits, cannot lead: it is projected.
TEST(RoundedStart, a_joint_that_cannot_move_is_projected) {
  Description description("triangle with a chain");
  for (const char* name : {"left", "right", "first", "second", "third"})
    description.body(name, solid(1.0));
  description.joint("a", JointKind::revolute, "ground", "left", pin(0.0));
  description.joint("b", JointKind::revolute, "ground", "right", pin(1.0));
  JointOptions corner = pin(0.8);
  corner.child_at = {{0.7, 0.0, 0.0}, {}};
  corner.cut = true;
  description.joint("corner", JointKind::revolute, "left", "right", corner);
  description.joint("c", JointKind::revolute, "left", "first", pin(0.8));
  description.joint("d", JointKind::revolute, "first", "second", pin(0.5));
  description.joint("e", JointKind::revolute, "ground", "third", pin(0.2, 1.3));
  JointOptions end = pin(0.6);
  end.child_at = {{0.4, 0.0, 0.0}, {}};
  end.cut = true;
  description.joint("end", JointKind::revolute, "second", "third", end);

  // law of cosines
  const double angle = std::acos((1 + 0.8 * 0.8 - 0.7 * 0.7) / (2 * 0.8));
  const double other = std::atan2(0.8 * std::sin(angle), 0.8 * std::cos(angle) - 1);
  Posed posed(description, {angle, other, 1.0, 0.9, 0.3});
  const JointId kept = *posed.model.find_joint("a");
  ASSERT_TRUE(assemble(posed.model, posed.state, posed.workspace).ok());
  const State start = posed.state;
  ASSERT_NEAR(start.q[0], angle, 1e-9);
  posed.state.q[0] = angle + 3e-5;
  const Status status =
      assemble_by_continuation(posed.model, start, posed.state, posed.workspace, {.keep = {kept}});
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_NEAR(posed.state.q[0], angle, 1e-9);
  EXPECT_LT(closure_error(posed.model, posed.state, posed.workspace).position, 1e-9);
}

// The coupler of a parallelogram does not turn: motor = foot = -elbow.
TEST(RoundedStart, velocities_are_checked_to_four_digits) {
  Posed posed(four_bars(1), closed, {2.0, -2.00001, 2.0});
  EXPECT_TRUE(check_start_velocities(posed.model, posed.state, posed.workspace).ok());
  posed.state.v = {2.0, -2.02, 2.0};
  const std::string words(
      check_start_velocities(posed.model, posed.state, posed.workspace).message());
  // the end of the coupler, 0.4 m long, moves at 0.4 m * 0.02 rad/s
  EXPECT_NE(words.find("violate loop joint 'wrist0' by 0.008 m/s"), words.npos) << words;
}

// Two hinges with crossing axes at one point: the position is satisfied at every angle.
TEST(RoundedStart, angles_of_loop_joints_are_checked) {
  Description description("crossed hinges");
  description.body("leaf", solid(1.0));
  description.joint("x", JointKind::revolute, "ground", "leaf", {.axis = {1.0, 0.0, 0.0}});
  description.joint("z", JointKind::revolute, "ground", "leaf",
                    {.axis = {0.0, 0.0, 1.0}, .cut = true});
  Posed posed(description, {1e-5});
  EXPECT_TRUE(check_start_position(posed.model, posed.state, posed.workspace).ok());
  posed.state.q = {0.01};
  const std::string words(
      check_start_position(posed.model, posed.state, posed.workspace).message());
  EXPECT_NE(words.find("violates loop joint 'z' by 0 m and 0.01 rad"), words.npos) << words;
}

}  // namespace
}  // namespace trammel::rounded_start_test
