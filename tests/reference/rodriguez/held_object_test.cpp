// Two and three arms that grasp one object: R-EX1, R-EX2, R-EX3 [Rodriguez 1988], number for
// number, for every cut of the loop.
#include "tests/reference/rodriguez/held_object.hpp"

#include "tests/support/capability.hpp"
#include "trammel/constraint/mobility/mobility.hpp"

namespace trammel::held_object_test {
namespace {

UniqueReactions reactions_of(Posed& posed, const std::vector<double>& tau) {
  UniqueReactions out;
  const Status status =
      constrained_reactions(posed.model, posed.state, {.tau = tau}, posed.workspace, out);
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}

TEST(rodriguez_held_object, two_arms_accelerate_as_published) {
  shows({"R-35", "forward_dynamics"}, {"R-31", "constrained_reactions"}, {"R-01", "mobility"});
  HeldObject held(2);
  Posed posed(held.description, held.q, held.v);
  const Eigen::VectorXd a = posed.a({.tau = held.tau});
  // ten printed decimals; free accelerations of 900 rad/s^2 cost two digits
  expect_near(
      a.head(6),
      {0.5882077620, -3.1331657892, -8.1085636293, -31.9949961174, 16.3548059194, 20.0464417764},
      2e-8, "arm 1");
  expect_near(
      a.tail(6),
      {-2.7328521996, -5.9160123479, 1.4633319752, 34.6222445547, 0.2923225182, -21.9856467668},
      2e-8, "arm 2");
  const UniqueReactions reactions = reactions_of(posed, held.tau);
  expect_near(
      HeldObject::contact(posed, reactions, 1),
      {-1.8638246233, -8.6068768291, -4.6387514373, -30.9663332687, 0.3434628205, 70.1375115216},
      2e-8, "force of arm 1");
  expect_near(
      HeldObject::contact(posed, reactions, 2),
      {-1.7220470030, 7.6879086740, 3.3170463978, 36.0774041411, -7.2128700648, 66.7608078128},
      2e-8, "force of arm 2");
  for (const auto& flags : reactions.is_unique)
    for (const bool is_unique : flags) EXPECT_TRUE(is_unique);
  Mobility ways;
  ASSERT_TRUE(mobility(posed.model, posed.state, posed.workspace, ways).ok());
  EXPECT_EQ(ways.instantaneous, 2 * 6 - 6 * (2 - 1));
}

TEST(rodriguez_held_object, object_accelerates_as_published) {
  shows({"R-32", "forward_dynamics", "acceleration"}, {"R-42", "acceleration"});
  HeldObject held(2);
  Posed posed(held.description, held.q, held.v);
  const std::vector<double> a = list_of(posed.a({.tau = held.tau}));
  const Kinematics moving = posed.moving({.a = a});
  const auto of = [&](const std::string& place, Axes axes) {
    return six(acceleration(posed.model, moving, frame_ref(posed.model, place), axes));
  };
  const Eigen::VectorXd alpha = of("object", Axes::world);
  expect_near(
      alpha,
      {-17.9201905067, 4.1208301526, 0.8174714193, 0.5111070872, -0.6869407244, 3.8798319334}, 2e-8,
      "object");
  // and both hands accelerate with it: a check of the weld that is cut
  for (int i = 1; i <= 2; ++i) {
    FrameRef hand = frame_ref(posed.model, HeldObject::prefix(i) + "link 6");
    hand.X_UA = inverse(posed.X(HeldObject::prefix(i) + "link 6")) * posed.X("object");
    EXPECT_LT(largest_of(six(acceleration(posed.model, moving, hand, Axes::world)) - alpha), 1e-9);
  }
}

TEST(rodriguez_held_object, nothing_depends_on_the_cut) {
  HeldObject held(2), elsewhere(2, false);
  Posed posed(held.description, held.q, held.v);
  // with the welds in the tree, the last joint of the second arm is cut: its coordinate is a result
  std::vector<double> q = held.q, v = held.v, tau = held.tau;
  for (std::vector<double>* list : {&q, &v, &tau}) list->pop_back();
  Posed other(elsewhere.description, q, v);
  ASSERT_EQ(other.model.closures().size(), 1u);
  ASSERT_EQ(other.model.closures()[0].name, "loop joint 'arm 2 joint 6'");
  // its torque, about x of both bodies it connects
  const NamedJoint& cut = other.model[*other.model.closures()[0].named];
  const Vec3<double> torque{held.tau.back(), 0, 0};
  const std::vector<Wrench> both = {{{cut.child}, {torque, {}}, Axes::body},
                                    {{cut.parent}, {-torque, {}}, Axes::body}};
  const Eigen::VectorXd a = posed.a({.tau = held.tau}), b = other.a({.tau = tau, .wrenches = both});
  EXPECT_LT(largest_of(a.head(11) - b), 1e-8);
}

TEST(rodriguez_held_object, three_arms_accelerate_as_published) {
  HeldObject held(3);
  EXPECT_NEAR(held.C.x, -0.0498227691, 6e-11);
  EXPECT_NEAR(held.C.y, 0.0229347491, 6e-11);
  EXPECT_NEAR(held.C.z, 0.3689940887, 6e-11);
  Posed posed(held.description, held.q, held.v);
  const Eigen::VectorXd a = posed.a({.tau = held.tau});
  expect_near(a.head(6),
              {-0.706456188, -6.172913554, -6.007776867, -3.485540810, 12.074182355, 4.805246723},
              2e-8, "arm 1");
  const UniqueReactions reactions = reactions_of(posed, held.tau);
  expect_near(HeldObject::contact(posed, reactions, 1),
              {-2.800914187, -7.645286888, -4.891987104, -18.843498877, 7.635088732, 58.340585120},
              2e-8, "force of arm 1");
  expect_near(HeldObject::contact(posed, reactions, 3),
              {6.917569126, -2.517265513, -3.193357993, -3.614708210, -20.327394337, 55.526009730},
              2e-8, "force of arm 3");
}

// R-EX5: two planar arms in space grasp an object: nine of twelve rows are independent.
TEST(rodriguez_held_object, planar_arms_are_reported_as_overconstrained) {
  const auto described = [] {
    Description description("planar pair");
    description.gravity = {0.0, -9.81, 0.0};
    const double lengths[] = {0.5, 0.4, 0.3}, masses[] = {3, 2, 1};
    for (int arm = 1; arm <= 2; ++arm) {
      const std::string prefix = "arm " + std::to_string(arm) + " ";
      std::string parent = "ground";
      for (int k = 0; k < 3; ++k) {
        const double m = masses[k], l = lengths[k];
        const std::string name = prefix + "link " + std::to_string(k + 1);
        description.body(name, {.mass = m,
                                .com = {l / 2, 0.0, 0.0},
                                .inertia = {1e-3, 0.0, 0.0, m * l * l / 12, 0.0, m * l * l / 12}});
        const double x = k == 0 ? (arm == 1 ? -0.6 : 0.6) : lengths[k - 1];
        description.joint(prefix + "joint " + std::to_string(k + 1), JointKind::revolute, parent,
                          name, {.at = {.xyz = {x, 0.0, 0.0}}});
        parent = name;
      }
      description.frame(prefix + "tip", parent, {.xyz = {0.3, 0.0, 0.0}});
    }
    return description;
  };
  const double pi = std::numbers::pi;
  const std::vector<double> q = {2.0, -1.2, -0.5, pi - 2.0, 1.2, 0.5};
  Posed open(described(), q);
  EXPECT_NEAR(open.X("arm 1 tip").p.x, -0.2427897878, 6e-11);
  EXPECT_NEAR(open.X("arm 1 tip").p.y, 0.8302472118, 6e-11);

  Description description = described();
  description.body("object", {.mass = 4.0, .inertia = {0.05, 0.0, 0.0, 0.05, 0.0, 0.1}});
  const Vec3<double> C = 0.5 * (open.X("arm 1 tip").p + open.X("arm 2 tip").p);
  for (int arm = 1; arm <= 2; ++arm) {
    const std::string hand = "arm " + std::to_string(arm) + " link 3";
    description.joint(
        "weld " + std::to_string(arm), JointKind::fixed, hand, "object",
        {.at = placement_of(inverse(open.X(hand)) * Pose<double>{Mat3<double>::identity(), C}),
         .cut = arm == 2});
  }
  Posed posed(description, q);
  const std::vector<double> tau = {10, 6, 2, -10, -6, -2};
  const Eigen::VectorXd a = posed.a({.tau = tau});
  expect_near(a.head(3), {13.75558639, -35.5507580412, 21.7951716512}, 2e-8, "arm 1");
  expect_near(a.tail(3), {-13.75558639, 35.5507580412, -21.7951716512}, 2e-8, "arm 2");
  RowBasis basis;
  ASSERT_TRUE(row_basis(posed.model, posed.state, posed.workspace, basis).ok());
  EXPECT_EQ(basis.count, 6);
  EXPECT_EQ(basis.rank(), 3);  // [Rodriguez 1988] counts the six rows of the object, too: 9 of 12

  const UniqueReactions reactions = reactions_of(posed, tau);
  const std::size_t weld = std::size_t(index(*posed.model.find_joint("weld 1")));
  const auto& unique = reactions.is_unique[weld];
  EXPECT_FALSE(unique[0] || unique[1] || unique[5]);  // out of the plane: not unique
  EXPECT_TRUE(unique[2] && unique[3] && unique[4]);
  const Force<double> F = reactions.force[weld];
  const Vec3<double> from_tip = C - open.X("arm 1 tip").p;
  EXPECT_NEAR(F.force.x, -6.4941160294, 2e-8);
  EXPECT_NEAR(F.force.y, 1.7477823823, 2e-8);
  EXPECT_NEAR(F.moment.z + from_tip.x * F.force.y - from_tip.y * F.force.x, 0.7981121398, 2e-8);
  EXPECT_NEAR(F.force.z, 0, 1e-9);  // the minimum self-stress is zero
}

}  // namespace
}  // namespace trammel::held_object_test
