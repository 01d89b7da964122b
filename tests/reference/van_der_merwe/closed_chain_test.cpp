// Closed chains of [van der Merwe 1995]: ME-3 at its first instant, ME-4 and the cases MX-2 and
// MX-3, for which the method of the reference fails.
#include "tests/reference/posed.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/operator_matrices.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel::closed_chain_test {
namespace {

Description four_links() {
  Description given("four links");
  given.gravity = {0.0, 0.0, -10.0};
  given.body("1", {.mass = 2.0, .com = {0.0, 0.0, 1.0}, .inertia = {1.0, 0.0, 0.0, 1.0, 0.0, 0.1}});
  const Solid along_x{
      .mass = 1.0, .com = {0.5, 0.0, 0.0}, .inertia = {0.02, 0.0, 0.0, 0.2, 0.0, 0.2}};
  const Solid along_z{
      .mass = 1.0, .com = {0.0, 0.0, 0.5}, .inertia = {0.2, 0.0, 0.0, 0.2, 0.0, 0.02}};
  given.body("2", along_x);
  given.body("3", along_z);
  given.body("4", along_x);
  const Vec3<Expr> y{0.0, 1.0, 0.0};
  given.joint("j1", JointKind::revolute, "ground", "1", {.axis = y});
  given.joint("j2", JointKind::revolute, "1", "2", {.at = {.xyz = {0.0, 0.0, 2.0}}, .axis = y});
  given.joint("j3", JointKind::revolute, "2", "3", {.at = {.xyz = {1.0, 0.0, 0.0}}, .axis = y});
  given.joint("j4", JointKind::revolute, "3", "4", {.at = {.xyz = {0.0, 0.0, 1.0}}, .axis = y});
  return given;
}

TEST(van_der_merwe_closed_chain, four_links_with_a_fixed_tip_begin_as_printed) {
  shows({"M-49", "constrained_reactions", "row_basis"});
  Description given = four_links();
  // five rows, three of which are redundant for a planar chain
  given.joint("tip", JointKind::revolute, "ground", "4",
              {.at = {.xyz = {2.0, 0.0, 3.0}},
               .child_at = {.xyz = {1.0, 0.0, 0.0}},
               .axis = {0.0, 1.0, 0.0},
               .cut = true});
  Posed posed(given, {0, 0, 0, 0});
  expect_near(posed.a(), {0, 200.0 / 19, -200.0 / 19, -200.0 / 19}, 1e-12, "accelerations");
  RowBasis basis;
  ASSERT_TRUE(row_basis(posed.model, posed.state, posed.workspace, basis).ok());
  EXPECT_EQ(basis.count, 5);
  EXPECT_EQ(basis.rank(), 2);
  UniqueReactions reactions;
  ASSERT_TRUE(constrained_reactions(posed.model, posed.state, {}, posed.workspace, reactions).ok());
  const auto tip = std::size_t(index(*posed.model.find_joint("tip")));
  EXPECT_NEAR(reactions.force[tip].force.x, 0, 1e-12);
  EXPECT_NEAR(reactions.force[tip].force.z, 85.0 / 19, 1e-12);  // the ground supports the tip
  EXPECT_FALSE(reactions.is_unique[tip][4]);                    // across the plane
}

TEST(van_der_merwe_closed_chain, two_rows_do_what_five_do) {
  Description given = four_links();
  given.frame("end", "4", {.xyz = {1.0, 0.0, 0.0}});
  given.frame("post", "ground", {.xyz = {2.0, 0.0, 3.0}});
  given.constraints.push_back({.name = "tip",
                               .kind = ConstraintDescription::Kind::point,
                               .frame = "post",
                               .other_frame = "end"});
  Posed posed(given, {0, 0, 0, 0});
  expect_near(posed.a(), {0, 200.0 / 19, -200.0 / 19, -200.0 / 19}, 1e-12, "accelerations");
}

// Two links carry a load; the joints at the load allow rotation about y only.
struct Carried {
  explicit Carried(const Vec3<double>& com = {}) {
    Description given("two links and a load");
    given.gravity = {0.0, 0.0, -10.0};
    const Vec3<Expr> y{0.0, 1.0, 0.0};
    const Solid link{
        .mass = 1.0, .com = {0.75, 0.0, 0.0}, .inertia = {0.025, 0.0, 0.0, 0.25, 0.0, 0.25}};
    given.body("left", link);
    given.body("right", link);
    given.body(
        "load",
        {.mass = 5.0, .com = {com.x, com.y, com.z}, .inertia = {0.5, 0.0, 0.0, 0.5, 0.0, 0.5}});
    given.joint("j1", JointKind::revolute, "ground", "left", {.axis = y});
    given.joint("j2", JointKind::revolute, "ground", "right",
                {.at = {.xyz = {0.8, 0.0, 0.0}}, .axis = y});
    given.joint("t1", JointKind::revolute, "left", "load",
                {.at = {.xyz = {1.5, 0.0, 0.0}}, .child_at = {.xyz = {-0.4, 0.0, 0.0}}, .axis = y});
    given.joint("t2", JointKind::revolute, "right", "load",
                {.at = {.xyz = {1.5, 0.0, 0.0}},
                 .child_at = {.xyz = {0.4, 0.0, 0.0}},
                 .axis = y,
                 .cut = true});
    const double pi = std::numbers::pi;
    description = given;
    q = {pi / 4, pi / 4, -pi / 4};
  }
  // force of link i on the load at its tip, in the axes of the link: along it and across
  static Eigen::Vector2d tip_force(Posed& posed, const UniqueReactions& reactions,
                                   const std::string& joint, const std::string& link) {
    const Force<double> F = reactions.force[std::size_t(index(*posed.model.find_joint(joint)))];
    const Vec3<double> f = posed.X("load").R * F.force;
    const Vec3<double> in_link = transpose_times(posed.X(link).R, f);
    return {in_link.x, in_link.z};
  }
  Description description;
  std::vector<double> q;
};

UniqueReactions reactions_of(Posed& posed, const std::vector<double>& tau) {
  UniqueReactions out;
  EXPECT_TRUE(
      constrained_reactions(posed.model, posed.state, {.tau = tau}, posed.workspace, out).ok());
  return out;
}

TEST(van_der_merwe_closed_chain, two_links_carry_a_load_as_printed) {
  shows({"M-53", "row_basis", "constrained_reactions"});
  Carried carried;
  Posed posed(carried.description, carried.q);
  const std::vector<double> none = {0, 0, 0};
  const Eigen::VectorXd a = posed.a({.tau = none});
  EXPECT_NEAR(a[0], 4.9428824, 6e-8);
  EXPECT_NEAR(a[1], 4.9428824, 6e-8);
  RowBasis basis;  // the reference counts 13 of 16, with the six of the load: three redundant
  ASSERT_TRUE(row_basis(posed.model, posed.state, posed.workspace, basis).ok());
  EXPECT_EQ(basis.redundant(), 3);
  EXPECT_NEAR(12.875 * a[0], 90 * std::cos(std::numbers::pi / 4), 1e-11);  // its closed form
  const UniqueReactions reactions = reactions_of(posed, none);
  for (const auto& [joint, link] : {std::pair{"t1", "left"}, std::pair{"t2", "right"}}) {
    const Eigen::Vector2d f = Carried::tip_force(posed, reactions, joint, link);
    EXPECT_NEAR(f[0], -17.6776695, 6e-8) << joint;
    EXPECT_NEAR(f[1], -0.8581393, 6e-8) << joint;
  }
  const std::vector<double> hold = {-45 * std::sqrt(0.5), -45 * std::sqrt(0.5), 0};
  EXPECT_LT(posed.a({.tau = hold}).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(van_der_merwe_closed_chain, torque_on_one_link_turns_no_load) {
  Carried carried;
  Posed posed(carried.description, carried.q);
  const std::vector<double> tau = {-45 * std::sqrt(0.5), 0, 0};  // printed -31.8198052
  const Eigen::VectorXd a = posed.a({.tau = tau});
  EXPECT_NEAR(a[0], 2.4714412, 6e-8);
  EXPECT_NEAR(a[1], 2.4714412, 6e-8);
  EXPECT_NEAR(a[2], -2.4714412, 6e-8);  // the load keeps its attitude
  const UniqueReactions reactions = reactions_of(posed, tau);
  const Eigen::Vector2d left = Carried::tip_force(posed, reactions, "t1", "left"),
                        right = Carried::tip_force(posed, reactions, "t2", "right");
  // the last printed digit is off by one: the torque has seven decimals
  EXPECT_NEAR(left[0], -7.0710679, 1.6e-7);
  EXPECT_NEAR(left[1], 19.0163667, 1.6e-7);
  EXPECT_NEAR(right[0], -28.2842712, 1.6e-7);
  EXPECT_NEAR(right[1], -2.1968366, 1.6e-7);
}

TEST(van_der_merwe_closed_chain, load_off_center_shares_its_weight_unevenly) {
  Carried carried({0.1, 0, -0.2});
  Posed posed(carried.description, carried.q);
  const std::vector<double> none = {0, 0, 0};
  EXPECT_NEAR(posed.a({.tau = none})[0], 4.9428824, 6e-8);
  const UniqueReactions reactions = reactions_of(posed, none);
  const Eigen::Vector2d left = Carried::tip_force(posed, reactions, "t1", "left"),
                        right = Carried::tip_force(posed, reactions, "t2", "right");
  EXPECT_NEAR(left[0], -22.7406914, 6e-8);
  EXPECT_NEAR(right[0], -12.6146477, 6e-8);
  EXPECT_NEAR(left[1], -0.8581393, 6e-8);
  EXPECT_NEAR(right[1], -0.8581393, 6e-8);
}

}  // namespace
}  // namespace trammel::closed_chain_test
