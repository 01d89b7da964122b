// Locked joints as cuts through links: E-03 and E-04 [Yesiloglu 2007].
#include <numbers>

#include "tests/reference/posed.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/placement_of.hpp"
#include "trammel/constraint/forces/locked_joints.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel::pseudo_joints_test {
namespace {

const double angle = 50 * std::numbers::pi / 180, rate = 1.3;

Solid rod(double mass, double length) {
  return {
      .mass = mass,
      .com = {length / 2, 0.0, 0.0},
      .inertia = {0.0, 0.0, 0.0, mass * length * length / 12, 0.0, mass * length * length / 12}};
}

// The parallelogram as two arms, each with half of the coupler; each crank is cut at its middle by
// a slider along it, each elbow is a revolute joint that may be locked.
struct Parallelogram {
  Parallelogram(Drive sliders, Drive elbows, bool with_sliders = true) {
    Description given("parallelogram");
    given.gravity = {0.0, -9.81, 0.0};
    for (const char* side : {"left", "right"}) {
      const std::string name = side;
      const bool is_left = name == "left";
      const double far = with_sliders ? 0.5 : 1.0;
      given.body(name + " root", with_sliders ? rod(0.5, 0.5) : rod(1, 1));
      given.joint(name + " pin", JointKind::revolute, "ground", name + " root",
                  {.at = {.xyz = {is_left ? 0.0 : 2.0, 0.0, 0.0}},
                   .drive = is_left ? Drive::torque : Drive::none});
      if (with_sliders) {
        given.body(name + " end", rod(0.5, 0.5));
        given.joint(name + " cut", JointKind::prismatic, name + " root", name + " end",
                    {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = {1.0, 0.0, 0.0}, .drive = sliders});
      }
      // the half coupler reaches from its elbow to the middle
      given.body(name + " half", {.mass = 1.0,
                                  .com = {is_left ? 0.5 : -0.5, 0.0, 0.0},
                                  .inertia = {0.0, 0.0, 0.0, 1.0 / 12, 0.0, 1.0 / 12}});
      given.joint(name + " elbow", JointKind::revolute, name + (with_sliders ? " end" : " root"),
                  name + " half", {.at = {.xyz = {far, 0.0, 0.0}}, .drive = elbows});
    }
    given.joint(
        "middle", JointKind::fixed, "left half", "right half",
        {.at = {.xyz = {1.0, 0.0, 0.0}}, .child_at = {.xyz = {-1.0, 0.0, 0.0}}, .cut = true});
    description = given;
  }
  // all at the angle of the crank; `speed` of the crank
  Posed posed(double speed) const {
    const bool has_sliders = description.bodies.size() == 6;
    const std::vector<double> q = has_sliders ? std::vector{angle, 0.0, -angle, angle, 0.0, -angle}
                                              : std::vector{angle, -angle, angle, -angle};
    const std::vector<double> v = has_sliders ? std::vector{speed, 0.0, -speed, speed, 0.0, -speed}
                                              : std::vector{speed, -speed, speed, -speed};
    return Posed(description, q, v);
  }
  Description description;
};
std::vector<double> push(const Model& model, double torque) {
  std::vector<double> tau(std::size_t(model.nv()));
  tau[0] = torque;
  return tau;
}
LockedJoints locked(Posed& posed, const std::vector<double>& tau) {
  LockedJoints out;
  const Status status = locked_joints(posed.model, posed.state, {.tau = tau}, posed.workspace, out);
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}

TEST(yesiloglu_pseudo_joints, sliders_in_the_cranks_tell_what_the_cranks_carry) {
  shows({"Y-39", "locked_joints"}, {"Y-66", "locked_joints", "constrained_reactions"});
  Posed posed = Parallelogram(Drive::locked, Drive::none).posed(rate);
  const std::vector<double> tau = push(posed.model, 5);
  const Eigen::VectorXd a = posed.a({.tau = tau});
  EXPECT_NEAR(a[0], -5.218964757, 1e-9);
  EXPECT_NEAR(a[2], +5.218964757, 1e-9);
  EXPECT_NEAR(a[1], 0, 1e-12);
  const LockedJoints cut = locked(posed, tau);
  ASSERT_EQ(cut.dofs, (std::vector<int>{1, 4}));
  // eight printed decimals; a force along the slider pushes the outer half outward
  EXPECT_NEAR(cut.effort[0], 6.8508449, 6e-9);
  EXPECT_NEAR(cut.effort[1], 11.04634306, 6e-9);
  EXPECT_NEAR(cut.gives(0, 0), 0.71714406, 6e-9);
  EXPECT_NEAR(cut.gives(1, 1), 0.71714406, 6e-9);
  EXPECT_NEAR(cut.gives(0, 1), -0.05047739, 6e-9);
  EXPECT_EQ(cut.rank, 2);
  EXPECT_TRUE(cut.is_unique[0] && cut.is_unique[1]);
  EXPECT_TRUE(cut.immovable.empty() && cut.dependent.empty());
  // two methods: the locking efforts, and the efforts that stop the joints after release
  EXPECT_LT((cut.effort + cut.gives.ldlt().solve(cut.released)).norm(), 1e-11);
  // and the third: the internal force of the uncut crank there
  Posed whole = Parallelogram(Drive::none, Drive::none, false).posed(rate);
  EXPECT_NEAR(whole.a({.tau = push(whole.model, 5)})[0], a[0], 1e-11);
  UniqueReactions reactions;
  ASSERT_TRUE(
      constrained_reactions(posed.model, posed.state, {.tau = tau}, posed.workspace, reactions)
          .ok());
  const auto at_cut = std::size_t(index(*posed.model.find_joint("left cut")));
  EXPECT_NEAR(reactions.force[at_cut].force.x, cut.effort[0], 1e-11);
}

TEST(yesiloglu_pseudo_joints, weld_in_the_coupler_carries_what_is_printed) {
  Posed posed = Parallelogram(Drive::none, Drive::none, false).posed(rate);
  UniqueReactions reactions;
  ASSERT_TRUE(constrained_reactions(posed.model, posed.state, {.tau = push(posed.model, 5)},
                                    posed.workspace, reactions)
                  .ok());
  const auto middle = std::size_t(index(*posed.model.find_joint("middle")));
  EXPECT_NEAR(reactions.force[middle].moment.z, -2.5803495, 6e-8);
  EXPECT_NEAR(reactions.force[middle].force.x, -3.26351822, 6e-9);
  EXPECT_NEAR(reactions.force[middle].force.y, 0, 1e-9);
}

TEST(yesiloglu_pseudo_joints, dependent_ones_are_found) {
  shows({"Y-40", "locked_joints"});
  // both elbows locked: one would suffice
  Posed posed = Parallelogram(Drive::none, Drive::locked, false).posed(0);
  const LockedJoints cut = locked(posed, push(posed.model, 5));
  EXPECT_EQ(cut.rank, 1);
  ASSERT_EQ(cut.dependent.size(), 1u);
  EXPECT_EQ(cut.dependent[0], "left elbow, right elbow");
  EXPECT_FALSE(cut.is_unique[0] || cut.is_unique[1]);
  // one alone is not redundant
  Parallelogram one(Drive::none, Drive::none, false);
  one.description.joints[3].options.drive = Drive::locked;
  Posed alone = one.posed(0);
  EXPECT_EQ(locked(alone, push(alone.model, 5)).rank, 1);
  EXPECT_TRUE(locked(alone, push(alone.model, 5)).is_unique[0]);
}

// In space the loop is constrained out of its plane three times. Joints that would allow motion out
// of the plane cannot move: their reactions are not unique.
TEST(yesiloglu_pseudo_joints, out_of_plane_nothing_gives) {
  Parallelogram plane(Drive::none, Drive::none, false);
  Posed before = plane.posed(0);
  RowBasis basis;
  ASSERT_TRUE(row_basis(before.model, before.state, before.workspace, basis).ok());
  EXPECT_EQ(basis.count, 6);
  EXPECT_EQ(basis.rank(), 3);

  Description given = plane.description;
  given.joints.pop_back();
  given.body("between", {});
  given.joint("out", JointKind::compound, "right half", "between",
              {.at = {.xyz = {-1.0, 0.0, 0.0}},
               .motions = {slide({0.0, 0.0, 1.0}), turn({1.0, 0.0, 0.0}), turn({0.0, 1.0, 0.0})},
               .drive = Drive::locked});
  given.joint("middle", JointKind::fixed, "left half", "between",
              {.at = {.xyz = {1.0, 0.0, 0.0}}, .cut = true});
  Posed posed(given, {angle, -angle, angle, -angle, 0.0, 0.0, 0.0});
  const LockedJoints cut = locked(posed, push(posed.model, 5));
  ASSERT_EQ(cut.dofs.size(), 3u);
  EXPECT_LT(cut.gives.norm(), 1e-12);
  EXPECT_EQ(cut.rank, 0);
  EXPECT_EQ(cut.immovable.size(), 3u);
  for (const bool is_unique : cut.is_unique) EXPECT_FALSE(is_unique);
  // the accelerations do not change
  EXPECT_NEAR(posed.a({.tau = push(posed.model, 5)})[0],
              before.a({.tau = push(before.model, 5)})[0], 1e-11);
}

// E-04: two spatial arms of two joints each and the load they grasp.
TEST(yesiloglu_pseudo_joints, arms_too_short_for_their_load_hold_it_fast) {
  shows({"Y-38", "mobility"});
  for (const bool floats : {false, true}) {
    Description given("short arms");
    std::string base = "ground";
    if (floats) {
      given.body("platform", {.mass = 20.0, .inertia = {2.0, 0.0, 0.0, 2.0, 0.0, 2.0}});
      given.joint("float", JointKind::free, "ground", "platform");
      base = "platform";
    }
    given.body("load", {.mass = 2.0, .inertia = {0.1, 0.0, 0.0, 0.1, 0.0, 0.1}});
    for (const double side : {-1.0, 1.0}) {
      const std::string name = side < 0 ? "left" : "right";
      given.body(name + " upper", rod(1, 0.5));
      given.body(name + " lower", rod(1, 0.5));
      given.joint(
          name + " shoulder", JointKind::revolute, base, name + " upper",
          {.at = {.xyz = {0.3 * side, 0.0, 0.0}, .rpy = {0.2, 0.3 * side, 1.57 - 0.3 * side}},
           .axis = {0.0, 0.3, 1.0}});
      given.joint(name + " elbow", JointKind::revolute, name + " upper", name + " lower",
                  {.at = {.xyz = {0.5, 0.0, 0.0}}, .axis = {0.1, 1.0, 0.2}});
    }
    // welded in the pose of zero coordinates
    given.joint("left grip", JointKind::fixed, "left lower", "load",
                {.at = {.xyz = {0.5, 0.0, 0.0}}});
    Posed before(given, neutral_state(build_model(given)).q);
    const Pose<double> X = inverse(before.X("load")) * before.X("right lower");
    given.frame("eye", "load", placement_of(X));
    given.constraints.push_back({.name = "right grip",
                                 .kind = ConstraintDescription::Kind::weld,
                                 .frame = "eye",
                                 .other_frame = "right lower"});
    Posed posed(given, neutral_state(build_model(given)).q);
    Mobility ways;
    ASSERT_TRUE(mobility(posed.model, posed.state, posed.workspace, ways).ok());
    EXPECT_EQ(ways.instantaneous, floats ? 6 : 0);
    EXPECT_EQ(ways.rank, 4);  // of six rows: the arms have only four degrees of freedom
  }
}

}  // namespace
}  // namespace trammel::pseudo_joints_test
