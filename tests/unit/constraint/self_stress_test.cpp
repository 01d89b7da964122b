// Reactions of statically indeterminate joints: weights, uniqueness, length of the moments.
#include <gtest/gtest.h>

#include "tests/reference/posed.hpp"
#include "trammel/constraint/forces/stress_length.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::self_stress_test {
namespace {

// Two equal guides at one place carry a weight F together: the minimum of w1 f1^2 + w2 f2^2 with
// f1 + f2 = F is at f1 = F w2 / (w1 + w2).
TEST(SelfStress, weights_share_a_load_in_inverse_proportion) {
  Description description("carriage");
  description.gravity = {0.0, 0.0, -10.0};
  description.body("carriage", point_mass(2.0));
  const JointOptions guide{.axis = {1.0, 0.0, 0.0}};
  JointOptions second = guide;
  second.cut = true;
  description.joint("first", JointKind::prismatic, "ground", "carriage", guide);
  description.joint("second", JointKind::prismatic, "ground", "carriage", second);
  Posed posed(description, {0.0});
  const auto first = std::size_t(index(*posed.model.find_joint("first"))),
             other = std::size_t(index(*posed.model.find_joint("second")));
  StressWeights weights{.joints = {1, 1}};
  weights.joints[other] = 3;
  UniqueReactions found;
  const Status status = constrained_reactions(posed.model, posed.state, {}, posed.workspace, found,
                                              ConstraintSolver::automatic, weights);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_NEAR(norm(found.force[first].force), 20 * 3.0 / 4, 1e-12);
  EXPECT_NEAR(norm(found.force[other].force), 20 * 1.0 / 4, 1e-12);
}

// A door on two hinges, in a drawing whose origin is far from them: neither hinge can transmit a
// moment about the common axis, and all other components may be shifted from one to the other.
TEST(SelfStress, the_moment_about_an_axis_is_unique_far_from_the_origin) {
  const double x = 4e5 / 3, y = 7e5 / 11;
  Description description("door");
  description.body(
      "leaf", {.mass = 20.0, .com = {x + 0.4, y, 0.7}, .inertia = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0}});
  for (const double height : {0.0, 1.5})
    description.joint(height > 0 ? "upper" : "lower", JointKind::revolute, "ground", "leaf",
                      {.at = {.xyz = {0.1, 0.2, height}},
                       .child_at = {.xyz = {x, y, height}},
                       .cut = height > 0});
  Posed posed(description, {0.0});
  for (const double angle : {0.3, 0.7, 1.1}) {
    posed.state.q = {angle};
    UniqueReactions found;
    const Status status =
        constrained_reactions(posed.model, posed.state, {}, posed.workspace, found);
    ASSERT_TRUE(status.ok()) << status.message();
    for (const std::array<bool, 6>& is_unique : found.is_unique)
      EXPECT_EQ(is_unique, (std::array<bool, 6>{false, false, true, false, false, false})) << angle;
  }
}

// A bar with a joint at each end counts with its length, a body with one joint with the distance of
// its center of mass.
TEST(SelfStress, length_of_the_moments_is_the_mean_size_of_the_bodies) {
  Description description("bars");
  description.body("short", thin_rod(1.0, 0.4));
  description.body("long", thin_rod(1.0, 0.6));
  description.body("flag", point_mass(1.0, {0.0, 0.5, 0.0}));
  description.joint("a", JointKind::revolute, "ground", "short", {});
  description.joint("b", JointKind::revolute, "short", "long", {.at = {.xyz = {0.4, 0.0, 0.0}}});
  description.joint(
      "c", JointKind::revolute, "ground", "long",
      {.at = {.xyz = {0.5, 0.0, 0.0}}, .child_at = {.xyz = {0.6, 0.0, 0.0}}, .cut = true});
  description.joint("d", JointKind::revolute, "ground", "flag", {.at = {.xyz = {9.0, 0.0, 0.0}}});
  EXPECT_NEAR(stress_length(build_model(description)), (0.4 + 0.6 + 0.5) / 3, 1e-15);
}

}  // namespace
}  // namespace trammel::self_stress_test
