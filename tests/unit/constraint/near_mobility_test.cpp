// Mechanisms that would be movable if some of their lengths were slightly different, and others
// that only seem so.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reference/posed.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/read/load.hpp"

namespace trammel::near_mobility_test {
namespace {

using enum Mobility::Verdict;

Mobility ways(Posed& posed) {
  Mobility found;
  const Status status = mobility(posed.model, posed.state, posed.workspace, found);
  EXPECT_TRUE(status.ok()) << status.message();
  return found;
}

constexpr double rocker = 0.6;

// Three equal rockers on one coupler, the pin of the third on the coupler displaced by `off`:
// movable if it is zero, otherwise a structure that closes with upright rockers.
Description three_rockers(double off) {
  Description description("three rockers");
  const Vec3<Expr> y{0.0, 1.0, 0.0};
  const Solid bar{.mass = 1.0, .inertia = {0.01, 0.0, 0.0, 0.02, 0.0, 0.02}};
  for (const char* name : {"r1", "coupler", "r2", "r3"}) description.body(name, bar);
  const Placement tip{.xyz = {rocker, 0.0, 0.0}};
  description.joint("g1", JointKind::revolute, "ground", "r1", {.axis = y});
  description.joint("c1", JointKind::revolute, "r1", "coupler", {.at = tip, .axis = y});
  description.joint("g2", JointKind::revolute, "ground", "r2",
                    {.at = {.xyz = {1.0, 0.0, 0.0}}, .axis = y});
  description.joint("g3", JointKind::revolute, "ground", "r3",
                    {.at = {.xyz = {1.5, 0.0, 0.0}}, .axis = y});
  description.joint("c2", JointKind::revolute, "r2", "coupler",
                    {.at = tip, .child_at = {.xyz = {1.0, 0.0, 0.0}}, .axis = y, .cut = true});
  description.joint(
      "c3", JointKind::revolute, "r3", "coupler",
      {.at = tip, .child_at = {.xyz = {1.5 + off, 0.0, 0.0}}, .axis = y, .cut = true});
  return description;
}
// The tips of rockers one and three are `off` apart at equal height: they lean away from each other
// by the same angle.
std::vector<double> upright(double off) {
  const double angle = std::acos(-off / (2 * rocker)), other = std::acos(off / (2 * rocker));
  return {-angle, angle, -angle, -other};
}

TEST(near_mobility, a_third_rocker_a_little_off_is_reported_with_the_length) {
  for (const double off : {2e-3, -5e-4, 1e-5}) {
    Posed posed(three_rockers(off), upright(off));
    const Mobility found = ways(posed);
    EXPECT_EQ(found.finite, 0);
    EXPECT_EQ(found.instantaneous, 0);
    EXPECT_EQ(found.verdict, nearly_overconstrained) << off;
    EXPECT_EQ(found.finite_nearby, 1);
    // the tips form parallelograms again if one of the two pins of the third rocker is moved by
    // `off` along the coupler: no other single place does it, and none by a smaller change
    ASSERT_EQ(found.lengths.size(), 1u);
    EXPECT_NEAR(found.lengths[0].by, std::abs(off), 1e-9);
    const std::string name = found.lengths[0].name;
    EXPECT_TRUE(name == "the place of joint 'c3' on body 'coupler'" ||
                name == "the place of joint 'g3' on ground")
        << name;
    EXPECT_NEAR(std::abs(found.lengths[0].along.x), 1, 1e-6);
  }
}

TEST(near_mobility, with_its_lengths_right_it_is_regular) {
  Posed posed(three_rockers(0), {-1.2, 1.2, -1.2, -1.2});
  const Mobility found = ways(posed);
  EXPECT_EQ(found.finite, 1);
  EXPECT_EQ(found.verdict, regular);
  EXPECT_TRUE(found.lengths.empty());
}

TEST(near_mobility, with_lengths_far_off_it_is_a_structure) {
  Posed posed(three_rockers(0.1), upright(0.1));
  const Mobility found = ways(posed);
  EXPECT_EQ(found.finite, 0);
  EXPECT_EQ(found.verdict, regular);
}

// Bennett's linkage, closed at a pose, with one revolute joint displaced and the last one adjusted
// so that it still closes there: axis directions are unchanged, lengths are not.
TEST(near_mobility, a_bennett_linkage_a_little_off_is_reported) {
  const Model exact = load_model("@bennett");
  Posed right(exact.description(), start_state(exact).q);
  ASSERT_EQ(ways(right).verdict, regular);
  const Vec3<double> off{8e-4, -5e-4, 6e-4};
  const Vec3<double> back =
      transpose_times(right.X("fourth").R, right.X("second").R * (-1.0 * off));
  Description description = exact.description();
  const Values<double> value = evaluate_at_nominal(description);
  const auto shift = [&](const std::string& joint, const Vec3<double>& by) {
    for (JointDescription& each : description.joints)
      if (each.name == joint) {
        Vec3<Expr>& xyz = each.options.at.xyz;
        xyz = {value(xyz.x) + by.x, value(xyz.y) + by.y, value(xyz.z) + by.z};
      }
  };
  shift("hinge3", off);
  shift("hinge1", back);
  Posed posed(description, right.state.q);
  const Mobility found = ways(posed);
  EXPECT_EQ(found.finite, 0);
  EXPECT_EQ(found.verdict, nearly_overconstrained);
  EXPECT_EQ(found.finite_nearby, 1);
  // no more than moving both joints back
  double sum = 0;
  for (const LengthChange& change : found.lengths) sum += change.by * change.by;
  EXPECT_LE(std::sqrt(sum), 1.0001 * std::sqrt(dot(off, off) + dot(back, back)));
  EXPECT_GT(sum, 0);
}

// Near a singular pose a mechanism has nearly dependent rows, but correct lengths.
TEST(near_mobility, a_regular_mechanism_near_a_singular_pose_is_none) {
  // three bars and ground, stretched: the coupler nearly in line with the crank
  Description description("four-bar");
  const Vec3<Expr> y{0.0, 1.0, 0.0};
  const Solid bar{.mass = 1.0, .inertia = {0.01, 0.0, 0.0, 0.02, 0.0, 0.02}};
  for (const char* name : {"a", "b", "c"}) description.body(name, bar);
  description.joint("1", JointKind::revolute, "ground", "a", {.axis = y});
  description.joint("2", JointKind::revolute, "a", "b",
                    {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = y});
  description.joint("3", JointKind::revolute, "ground", "c",
                    {.at = {.xyz = {1.0, 0.0, 0.0}}, .axis = y});
  description.joint("4", JointKind::revolute, "b", "c",
                    {.at = {.xyz = {0.8, 0.0, 0.0}},
                     .child_at = {.xyz = {0.3, 0.0, 0.0}},
                     .axis = y,
                     .cut = true});
  // crank, coupler, rocker and ground all nearly in line: 0.5 + 0.8 = 1.0 + 0.3
  for (const double angle : {1e-2, 1e-3, 1e-4}) {
    Posed posed(description, {angle, -angle, 0.0});
    ASSERT_TRUE(assemble(posed.model, posed.state, posed.workspace,
                         {.keep = {*posed.model.find_joint("1")}})
                    .ok());
    const Mobility found = ways(posed);
    EXPECT_LT(found.least, 1e-2);
    EXPECT_EQ(found.verdict, regular) << angle;
    EXPECT_EQ(found.finite, 1);
  }
}

}  // namespace
}  // namespace trammel::near_mobility_test
