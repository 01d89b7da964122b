// Assembly of loops: kept joints stay, failure is reported, all assembly branches are found.
#include <gtest/gtest.h>

#include <numbers>

#include <fmt/format.h>

#include "tests/reference/posed.hpp"
#include "tests/support/capability.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/constraint/equations/closure_error.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel::assembly_test {
namespace {

constexpr double pi = std::numbers::pi;
const Vec3<Expr> y{0.0, 1.0, 0.0};

// bars in the x-z plane; angles about y, so positive ones point to -z
Description four_bar(double crank, double coupler, double rocker, double base) {
  Description description("four-bar");
  const auto bar = [](double length) {
    return Solid{.mass = length,
                 .com = {length / 2, 0.0, 0.0},
                 .inertia = {0.0, 0.0, 0.0, length / 12, 0.0, length / 12}};
  };
  description.body("crank", bar(crank));
  description.body("coupler", bar(coupler));
  description.body("rocker", bar(rocker));
  description.joint("motor", JointKind::revolute, "ground", "crank", {.axis = y});
  description.joint("knee", JointKind::revolute, "crank", "coupler",
                    {.at = {.xyz = {crank, 0.0, 0.0}}, .axis = y});
  description.joint("foot", JointKind::revolute, "ground", "rocker",
                    {.at = {.xyz = {base, 0.0, 0.0}}, .axis = y});
  description.joint("wrist", JointKind::revolute, "coupler", "rocker",
                    {.at = {.xyz = {coupler, 0.0, 0.0}},
                     .child_at = {.xyz = {rocker, 0.0, 0.0}},
                     .axis = y,
                     .cut = true});
  return description;
}
std::vector<JointId> joints(const Model& model, std::initializer_list<const char*> names) {
  std::vector<JointId> ids;
  for (const char* name : names) ids.push_back(*model.find_joint(name));
  return ids;
}
std::vector<Branch> branches_of(Posed& posed, const AssemblyOptions& options) {
  std::vector<Branch> out;
  const Status status = assembly_branches(posed.model, posed.state, posed.workspace, options, out);
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}

TEST(assembly, four_bar_has_two_branches) {
  Posed posed(four_bar(0.2, 0.5, 0.45, 0.5), {1.0, 0.0, 0.0});
  const std::vector<Branch> found = branches_of(posed, {.keep = joints(posed.model, {"motor"})});
  ASSERT_EQ(found.size(), 2u);
  // ends of the bars and the wrist: two circles intersect on either side of the diagonal, at equal
  // angles
  const Eigen::Vector2d crank(0.2 * std::cos(1.0), -0.2 * std::sin(1.0)), foot(0.5, 0);
  const double diagonal = (foot - crank).norm();
  const double opening =
      std::acos((diagonal * diagonal + 0.5 * 0.5 - 0.45 * 0.45) / (2 * diagonal * 0.5));
  const double slope = std::atan2(-(foot - crank).y(), (foot - crank).x());  // about y
  for (const double sign : {1.0, -1.0}) {
    const double knee = slope + sign * opening - 1.0;
    const bool is_there = std::ranges::any_of(found, [&](const Branch& branch) {
      EXPECT_EQ(branch.state.q[0], 1.0);
      return std::abs(std::remainder(branch.state.q[1] - knee, 2 * pi)) < 1e-9;
    });
    EXPECT_TRUE(is_there) << knee;
  }
  for (const Branch& branch : found) EXPECT_GT(branch.met, 20);
}

TEST(assembly, five_bar_has_two_branches) {
  Description description("five-bar");
  for (const char* name : {"left", "left arm", "right", "right arm"}) description.body(name, {});
  description.joint("a", JointKind::revolute, "ground", "left", {.axis = y});
  description.joint("b", JointKind::revolute, "left", "left arm",
                    {.at = {.xyz = {0.3, 0.0, 0.0}}, .axis = y});
  description.joint("c", JointKind::revolute, "ground", "right",
                    {.at = {.xyz = {0.2, 0.0, 0.0}}, .axis = y});
  description.joint("d", JointKind::revolute, "right", "right arm",
                    {.at = {.xyz = {0.3, 0.0, 0.0}}, .axis = y});
  description.joint("tip", JointKind::revolute, "left arm", "right arm",
                    {.at = {.xyz = {0.4, 0.0, 0.0}},
                     .child_at = {.xyz = {0.4, 0.0, 0.0}},
                     .axis = y,
                     .cut = true});
  Posed posed(description, {-2.0, 0.5, -1.0, 0.5});
  EXPECT_EQ(branches_of(posed, {.keep = joints(posed.model, {"a", "c"})}).size(), 2u);
}

// A plate on three legs of given lengths has at most six assembly modes
// [Gosselin, Sefrioui, Richard 1992], and all six are real for these lengths. Counted
// independently: for every angle of the plate the three circles give two linear equations for its
// corner, and a third that holds at six angles.
TEST(assembly, plate_on_three_legs_stands_in_six_ways) {
  const Eigen::Vector2d base[] = {{0, 0}, {15.91, 0}, {0, 10}};
  const double side2 = 17.04, side3 = 20.84, across = 16.54, leg[] = {14.98, 15.38, 12.0};
  const double corner =
      std::acos((side2 * side2 + side3 * side3 - across * across) / (2 * side2 * side3));
  const Eigen::Vector2d plate[] = {
      {0, 0}, {side2, 0}, {side3 * std::cos(corner), side3 * std::sin(corner)}};
  const auto misses = [&](double angle) {
    const Eigen::Rotation2Dd R(angle);
    Eigen::Matrix2d linear;
    Eigen::Vector2d rhs;
    for (int i = 1; i < 3; ++i) {
      const Eigen::Vector2d d = R * plate[i] - base[i];
      linear.row(i - 1) = 2 * d.transpose();
      rhs[i - 1] = leg[i] * leg[i] - leg[0] * leg[0] - d.squaredNorm();
    }
    Eigen::Matrix2d adjugate;
    adjugate << linear(1, 1), -linear(0, 1), -linear(1, 0), linear(0, 0);
    return (adjugate * rhs).squaredNorm() - std::pow(leg[0] * linear.determinant(), 2);
  };
  std::vector<double> angles;
  const int grid = 20000;
  for (int k = 0; k < grid; ++k) {
    double from = -pi + 2 * pi * k / grid, to = -pi + 2 * pi * (k + 1) / grid;
    if (misses(from) * misses(to) > 0) continue;
    for (int half = 0; half < 60; ++half) {
      const double middle = (from + to) / 2;
      (misses(from) * misses(middle) <= 0 ? to : from) = middle;
    }
    angles.push_back(from);
  }
  ASSERT_EQ(angles.size(), 6u);

  Description description("plate on three legs");
  description.body("plate", {});
  for (int i = 0; i < 3; ++i) {
    const std::string number = std::to_string(i + 1);
    description.body("cylinder " + number, {});
    description.body("rod " + number, {});
    description.joint("foot " + number, JointKind::revolute, "ground", "cylinder " + number,
                      {.at = {.xyz = {base[i].x(), base[i].y(), 0.0}}});
    description.joint("leg " + number, JointKind::prismatic, "cylinder " + number, "rod " + number,
                      {.axis = {1.0, 0.0, 0.0}});
    description.joint("corner " + number, JointKind::revolute, "rod " + number, "plate",
                      {.child_at = {.xyz = {plate[i].x(), plate[i].y(), 0.0}}, .cut = i > 0});
  }
  Model model = build_model(description);
  Posed posed(description, std::vector<double>(std::size_t(model.nq()), 0.1));
  for (int i = 0; i < 3; ++i) {
    const auto id = *posed.model.find_joint("leg " + std::to_string(i + 1));
    posed.state.q[std::size_t(posed.model[id].q_start)] = leg[i];
  }
  const std::vector<Branch> found =
      branches_of(posed, {.keep = joints(posed.model, {"leg 1", "leg 2", "leg 3"}), .starts = 300});
  ASSERT_EQ(found.size(), 6u);
  for (const double angle : angles) {
    const bool is_there = std::ranges::any_of(found, [&](const Branch& branch) {
      posed.state.q = branch.state.q;
      const Pose<double> X = posed.X("plate");
      return std::abs(std::remainder(std::atan2(X.R.x.y, X.R.x.x) - angle, 2 * pi)) < 1e-8;
    });
    EXPECT_TRUE(is_there) << angle;
  }
}

TEST(assembly, what_can_still_move_has_no_number_of_branches) {
  Posed posed(four_bar(0.2, 0.5, 0.45, 0.5), {1.0, 0.0, 0.0});
  std::vector<Branch> out;
  EXPECT_EQ(
      assembly_branches(posed.model, posed.state, posed.workspace, {}, out).message(),
      "assembly_branches: with the joints that are kept it still has 1 degree of freedom, so its "
      "closed positions are not isolated: keep joints with as many degrees of freedom more");
}

TEST(assembly, says_that_the_kept_joints_are_in_the_way) {
  // a crank that cannot make a full turn
  Posed posed(four_bar(0.5, 0.3, 0.3, 0.5), {3.0, 0.0, 0.0});
  const std::string kept =
      assemble(posed.model, posed.state, posed.workspace, {.keep = joints(posed.model, {"motor"})})
          .message();
  EXPECT_NE(kept.find("loop joint 'wrist' is violated by "), kept.npos) << kept;
  EXPECT_NE(kept.find("It closes without keeping joint"), kept.npos) << kept;
  EXPECT_EQ(posed.state.q[0], 3.0);
  // remaining distance, with rocker and coupler stretched toward each other
  const double left = 2 * 0.5 * std::cos((pi - 3.0) / 2) - 0.6;
  const std::vector<double>& q = posed.state.q;
  const Eigen::Vector2d coupler_end(0.5 * std::cos(q[0]) + 0.3 * std::cos(q[0] + q[1]),
                                    0.5 * std::sin(q[0]) + 0.3 * std::sin(q[0] + q[1])),
      rocker_end(0.5 + 0.3 * std::cos(q[2]), 0.3 * std::sin(q[2]));
  EXPECT_NEAR((coupler_end - rocker_end).norm(), left, 1e-6);
}

TEST(assembly, says_which_loop_stays_open) {
  Posed posed(four_bar(0.2, 0.1, 0.1, 0.5), {0.3, 0.2, 2.0});
  const std::string words = assemble(posed.model, posed.state, posed.workspace).message();
  EXPECT_NE(words.find("loop joint 'wrist' is violated by 0.1 m"), words.npos) << words;
  EXPECT_NE(words.find("check the lengths"), words.npos) << words;
}

// All in line, with the rocker pointing away, the violation of 0.3 m is stationary, but not least.
TEST(assembly, search_for_branches_reports_the_nearest_open_position) {
  Posed posed(four_bar(0.2, 0.1, 0.1, 0.5), {0.0, 0.0, 0.0});
  std::vector<Branch> out;
  const std::string words =
      assembly_branches(posed.model, posed.state, posed.workspace, {}, out).message();
  EXPECT_NE(words.find("loop joint 'wrist' is violated by 0.1 m"), words.npos) << words;
}

TEST(assembly, more_starts_find_what_one_does_not) {
  // stretched along its singular line, where no Newton step reduces the violation
  Posed posed(four_bar(0.3, 0.3, 0.3, 0.4), {pi, 0.0, 0.0});
  EXPECT_FALSE(assemble(posed.model, posed.state, posed.workspace, {.nudges = 0}).ok());
  posed.state.q = {pi, 0.0, 0.0};
  const Status status =
      assemble(posed.model, posed.state, posed.workspace, {.starts = 20, .nudges = 0});
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(assembly, velocities_of_kept_joints_must_belong_together) {
  Posed posed(four_bar(0.2, 0.5, 0.45, 0.5), {1.0, 0.2, 2.0}, {1.0, 0.0, 0.0});
  ASSERT_TRUE(
      assemble(posed.model, posed.state, posed.workspace, {.keep = joints(posed.model, {"motor"})})
          .ok());
  EXPECT_EQ(posed.state.v[0], 1.0);
  posed.state.v = {1.0, 5.0, 0.0};
  const State given = posed.state;
  const AssemblyOptions keep{.keep = joints(posed.model, {"motor", "knee"})};
  const std::string words = assemble(posed.model, posed.state, posed.workspace, keep).message();
  EXPECT_TRUE(
      words.starts_with("assemble: the velocities that are given violate loop joint 'wrist' by "))
      << words;
  // those are the velocities after an impact, and they can be kept
  State nearest = given;
  ASSERT_TRUE(project_velocity(posed.model, nearest, posed.workspace).ok());
  EXPECT_NE(words.find(fmt::format("motor = {:.12g}, knee = {:.12g}", nearest.v[0], nearest.v[1])),
            words.npos)
      << words;
  EXPECT_TRUE(assemble(posed.model, nearest, posed.workspace, keep).ok());
}

// All bars in line: no first-order step reduces the violation, and both sides are equivalent.
TEST(assembly, a_linkage_that_is_stretched_out_finds_a_way_to_fold) {
  Posed posed(four_bar(0.2, 0.5, 0.45, 0.5), {0.0, 0.0, 0.0});
  AssemblyOptions options{.nudges = 0};
  EXPECT_FALSE(assemble(posed.model, posed.state, posed.workspace, options).ok());
  posed.state.q = {0.0, 0.0, 0.0};
  const Status status = assemble(posed.model, posed.state, posed.workspace);
  ASSERT_TRUE(status.ok()) << status.message();
  const ClosureError error = closure_error(posed.model, posed.state, posed.workspace);
  EXPECT_LT(error.position, 1e-12);
  // the same result from the same guess
  State again = posed.state;
  again.q = {0.0, 0.0, 0.0};
  ASSERT_TRUE(assemble(posed.model, again, posed.workspace).ok());
  EXPECT_EQ(again.q, posed.state.q);
  // with its crank kept
  again.q = {0.0, 0.0, 0.0};
  ASSERT_TRUE(
      assemble(posed.model, again, posed.workspace, {.keep = joints(posed.model, {"motor"})}).ok());
  EXPECT_EQ(again.q[0], 0.0);
}

TEST(assembly, stays_inside_limits_if_requested) {
  Description description = four_bar(0.2, 0.5, 0.45, 0.5);
  description.joints[2].options.limits = {.lower = {0.0}, .upper = {pi}};
  Posed posed(description, {1.0, 0.0, -2.0});
  // without limits it closes at the nearer branch, with the rocker on the other side
  const std::vector<JointId> motor = joints(posed.model, {"motor"});
  ASSERT_TRUE(assemble(posed.model, posed.state, posed.workspace, {.keep = motor}).ok());
  EXPECT_LT(posed.state.q[2], 0);
  const std::vector<Branch> found = branches_of(posed, {.keep = motor, .within_limits = true});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_GE(found[0].state.q[2], 0);
  EXPECT_LE(found[0].state.q[2], pi);
}

TEST(assembly, wrong_guesses_are_reported) {
  Posed posed(four_bar(0.2, 0.5, 0.45, 0.5), {1.0, 0.0, 0.0});
  posed.state.q[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(assemble(posed.model, posed.state, posed.workspace).message(),
            "assemble: the guess is not finite: give it finite numbers");
  posed.state.q = {1.0};
  EXPECT_THROW((void)assemble(posed.model, posed.state, posed.workspace), std::invalid_argument);
}

}  // namespace
}  // namespace trammel::assembly_test
