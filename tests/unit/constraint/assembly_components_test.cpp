// Assembly of mechanisms with many loops: each connected component of the equations is closed by
// itself.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "tests/reference/posed.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/model/state.hpp"

namespace trammel::assembly_components_test {
namespace {

// lengths of a four-bar [m]; its crank turns at x = 0.1 of the body below, its rocker at x = 0.5
constexpr double crank = 0.2, coupler = 0.45, rocker = 0.35, base = 0.4;

// Four-bars in a row, each on the coupler of the one before. The coupler of number `too_long` is
// longer than any gap that it can bridge.
Description row_of_four_bars(int n, int too_long = -1) {
  Description description("row");
  const auto pin = [](double x) { return JointOptions{.at = {{x, 0.0, 0.0}, {}}}; };
  const Solid bar{.mass = 1.0, .com = {0.1, 0.0, 0.0}, .inertia = {0.01, 0, 0, 0.01, 0, 0.01}};
  std::string below = "ground";
  for (int k = 0; k < n; ++k) {
    const std::string i = std::to_string(k);
    for (const char* name : {"crank", "coupler", "rocker"}) description.body(name + i, bar);
    description.joint("motor" + i, JointKind::revolute, below, "crank" + i, pin(0.1));
    description.joint("elbow" + i, JointKind::revolute, "crank" + i, "coupler" + i, pin(crank));
    description.joint("foot" + i, JointKind::revolute, below, "rocker" + i, pin(0.1 + base));
    JointOptions wrist = pin(k == too_long ? 2.0 : coupler);
    wrist.child_at = {{rocker, 0.0, 0.0}, {}};
    wrist.cut = true;
    description.joint("wrist" + i, JointKind::revolute, "coupler" + i, "rocker" + i, wrist);
    below = "coupler" + i;
  }
  return description;
}

double coordinate(const Model& model, const State& state, const std::string& joint) {
  return state.q[std::size_t(model[*model.find_joint(joint)].q_start)];
}
double coordinate(const Posed& posed, const std::string& joint) {
  return coordinate(posed.model, posed.state, joint);
}
void set_coordinate(Posed& posed, const std::string& joint, double value) {
  posed.state.q[std::size_t(posed.model[*posed.model.find_joint(joint)].q_start)] = value;
}

// Angles of elbow and foot for an angle of the crank, wrist on the left of the line from the
// crank's end to the rocker's foot: intersection of two circles.
struct FourBarAngles {
  double elbow, foot;
};
FourBarAngles closed_form(double motor) {
  const double x = base - crank * std::cos(motor), y = -crank * std::sin(motor);
  const double diagonal = std::hypot(x, y);
  const double opening = std::acos((diagonal * diagonal + coupler * coupler - rocker * rocker) /
                                   (2 * diagonal * coupler));
  const double direction = std::atan2(y, x) + opening;
  const double foot_x = coupler * std::cos(direction) - x,
               foot_y = coupler * std::sin(direction) - y;
  return {direction - motor, std::atan2(foot_y, foot_x)};
}

Posed near_closed(int n, double far, int too_long = -1) {
  const Description description = row_of_four_bars(n, too_long);
  Posed posed(description, neutral_state(build_model(description)).q);
  std::mt19937 engine(1);
  const auto even = [&] { return far * (2 * double(engine()) / 4294967296.0 - 1); };
  for (int k = 0; k < n; ++k) {
    const std::string i = std::to_string(k);
    const double motor = 1.2 + 0.1 * (k % 3);
    const FourBarAngles angles = closed_form(motor);
    set_coordinate(posed, "motor" + i, motor + even());
    set_coordinate(posed, "elbow" + i, angles.elbow + even());
    set_coordinate(posed, "foot" + i, angles.foot + even());
  }
  return posed;
}

void expect_closed(const Posed& posed, int k, double tolerance) {
  const std::string i = std::to_string(k);
  const FourBarAngles angles = closed_form(coordinate(posed, "motor" + i));
  EXPECT_NEAR(coordinate(posed, "elbow" + i), angles.elbow, tolerance) << "four-bar " << k;
  EXPECT_NEAR(coordinate(posed, "foot" + i), angles.foot, tolerance) << "four-bar " << k;
}

TEST(assembly_components, four_bars_in_a_row_close_as_in_closed_form) {
  for (const int n : {1, 8, 64}) {
    Posed posed = near_closed(n, 0.2);
    const Status status = assemble(posed.model, posed.state, posed.workspace);
    ASSERT_TRUE(status.ok()) << status.message();
    // rounding of poses that are n four-bars away from ground
    for (int k = 0; k < n; ++k) expect_closed(posed, k, 1e-12 * (1 + n));
  }
}

// The least-norm Newton step of a loop does not depend on the other loops.
TEST(assembly_components, a_loop_closes_the_same_with_and_without_others) {
  Posed alone = near_closed(1, 0.2), row = near_closed(8, 0.2);
  ASSERT_TRUE(assemble(alone.model, alone.state, alone.workspace).ok());
  ASSERT_TRUE(assemble(row.model, row.state, row.workspace).ok());
  for (const char* joint : {"motor0", "elbow0", "foot0"})
    EXPECT_NEAR(coordinate(row, joint), coordinate(alone, joint), 1e-13) << joint;
}

TEST(assembly_components, closed_loops_do_not_move) {
  Posed posed = near_closed(8, 0.2);
  ASSERT_TRUE(assemble(posed.model, posed.state, posed.workspace).ok());
  const State before = posed.state;
  set_coordinate(posed, "elbow3", coordinate(posed, "elbow3") + 0.3);
  ASSERT_TRUE(assemble(posed.model, posed.state, posed.workspace).ok());
  expect_closed(posed, 3, 1e-11);
  EXPECT_GT(std::abs(coordinate(posed, "motor3") - coordinate(posed.model, before, "motor3")),
            1e-3);
  for (int k = 0; k < 8; ++k)
    for (const char* joint : {"motor", "elbow", "foot"})
      if (k != 3) {
        const std::string name = joint + std::to_string(k);
        EXPECT_EQ(coordinate(posed, name), coordinate(posed.model, before, name)) << name;
      }
}

TEST(assembly_components, a_loop_that_cannot_close_is_named_and_the_others_are_closed) {
  Posed posed = near_closed(5, 0.2, 2);
  const Status status = assemble(posed.model, posed.state, posed.workspace);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("loop joint 'wrist2' is violated"), std::string::npos)
      << status.message();
  for (const int k : {0, 1, 3, 4}) expect_closed(posed, k, 1e-9);
}

// Kept cranks lead each loop along its own branch.
TEST(assembly_components, continuation_follows_all_cranks) {
  const int n = 8;
  Posed posed = near_closed(n, 0.2);
  ASSERT_TRUE(assemble(posed.model, posed.state, posed.workspace).ok());
  const State start = posed.state;
  AssemblyOptions options;
  for (int k = 0; k < n; ++k) {
    options.keep.push_back(*posed.model.find_joint("motor" + std::to_string(k)));
    set_coordinate(posed, "motor" + std::to_string(k), 2.0 - 0.3 * k);
  }
  const Status status =
      assemble_by_continuation(posed.model, start, posed.state, posed.workspace, options);
  ASSERT_TRUE(status.ok()) << status.message();
  for (int k = 0; k < n; ++k) {
    EXPECT_EQ(coordinate(posed, "motor" + std::to_string(k)), 2.0 - 0.3 * k);
    expect_closed(posed, k, 1e-10);
  }
}

// J v = 0 of each four-bar: derivative of the closed form.
TEST(assembly_components, velocities_follow_the_cranks) {
  const int n = 8;
  Posed posed = near_closed(n, 0.0);
  AssemblyOptions options;
  options.keep_velocity.emplace();
  for (int k = 0; k < n; ++k) {
    const JointId motor = *posed.model.find_joint("motor" + std::to_string(k));
    options.keep_velocity->push_back(motor);
    posed.state.v[std::size_t(posed.model[motor].v_start)] = 1.0 + 0.1 * k;
  }
  ASSERT_TRUE(assemble(posed.model, posed.state, posed.workspace, options).ok());
  for (int k = 0; k < n; ++k) {
    const std::string i = std::to_string(k);
    const double motor = coordinate(posed, "motor" + i), h = 1e-5;
    const FourBarAngles after = closed_form(motor + h), before = closed_form(motor - h);
    const double speed = 1.0 + 0.1 * k;
    const auto v = [&](const std::string& joint) {
      return posed.state.v[std::size_t(posed.model[*posed.model.find_joint(joint)].v_start)];
    };
    // central differences: error h^2
    EXPECT_NEAR(v("elbow" + i), speed * (after.elbow - before.elbow) / (2 * h), 1e-8);
    EXPECT_NEAR(v("foot" + i), speed * (after.foot - before.foot) / (2 * h), 1e-8);
  }
}

}  // namespace
}  // namespace trammel::assembly_components_test
