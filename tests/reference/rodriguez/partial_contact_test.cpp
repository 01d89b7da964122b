// Contacts that transmit only part of a wrench [Rodriguez 1988, section 3.9]. One arm is welded to
// the object, the other has a point contact, and both are in the state of R-EX2.
#include "tests/reference/posed.hpp"
#include "tests/reference/rodriguez/arms.hpp"
#include "tests/support/capability.hpp"
#include "tests/support/placement_of.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel::partial_contact_test {
namespace {

// Two arms on one object; the second is attached by a joint of some kind at its tip.
struct TwoArms {
  explicit TwoArms(const JointDescription& second) {
    Description open("arms");
    GenericArm::add_to(open, 1, false, "one ");
    GenericArm::add_to(open, 2, false, "two ");
    Posed before(open, q);
    const Vec3<double> tips[] = {before.X("one tip").p, before.X("two tip").p};
    const Vec3<double> C = 0.5 * (tips[0] + tips[1]) + Vec3<double>{0, 0, 0.05};
    Vector6 twist;
    twist << 0.1, -0.2, 0.3, 0.05, 0.1, -0.08;
    for (int i = 0; i < 2; ++i) {
      const Eigen::MatrixXd J =
          before.J(i == 0 ? "one tip" : "two tip", Axes::world).middleCols(6 * i, 6);
      const Eigen::VectorXd rates = J.partialPivLu().solve(twist_shift(three(tips[i] - C)) * twist);
      v.insert(v.end(), rates.begin(), rates.end());
    }

    description = open;
    description.name = "arms and object";
    description.gravity = {0.0, 0.0, -9.81};
    description.body("object", {.mass = 10.0, .inertia = {0.2, 0.0, 0.0, 0.3, 0.0, 0.25}});
    const Pose<double> X_WO{Mat3<double>::identity(), C};
    description.joint("weld", JointKind::fixed, "one link 6", "object",
                      {.at = placement_of(inverse(before.X("one link 6")) * X_WO)});
    JointDescription touch = second;
    touch.name = "touch";
    touch.parent = "two link 6";
    touch.child = "object";
    const Pose<double> X_WT{Mat3<double>::identity(), tips[1]};
    touch.options.at = placement_of(inverse(before.X("two link 6")) * X_WT);
    touch.options.child_at = placement_of(inverse(X_WO) * X_WT);
    touch.options.cut = true;
    description.joints.push_back(touch);
  }
  std::vector<double> q = {0.2, -0.5, 0.9, 0.3, 0.6, -0.4, -0.1, -0.6, 1.0, -0.2, 0.5, 0.3};
  std::vector<double> tau = {3, -150, -55, 1, -12, 0.5, -2, -145, -50, 0.5, -11.5, -0.3};
  std::vector<double> v;
  Description description;
};

TEST(rodriguez_partial_contact, a_point_carries_no_moment) {
  shows({"R-06", "constrained_reactions", "constrained_dynamics"});
  JointDescription point;
  point.kind = JointKind::spherical;
  const TwoArms arms(point);
  Posed posed(arms.description, arms.q, arms.v);
  UniqueReactions carried;
  const Status status =
      constrained_reactions(posed.model, posed.state, {.tau = arms.tau}, posed.workspace, carried);
  ASSERT_TRUE(status.ok()) << status.message();

  // published for the tips: six components of the first arm, the force of the second
  const auto of = [&](const char* name) {
    return carried.force[std::size_t(index(*posed.model.find_joint(name)))];
  };
  const Vec3<double> shift = posed.X("object").p - posed.X("one tip").p;
  const Force<double> weld = of("weld");  // the axes of the object are those of the world
  const Vec3<double> n = weld.moment + cross(shift, weld.force);
  Vector6 one;
  one << n.x, n.y, n.z, weld.force.x, weld.force.y, weld.force.z;
  // nine printed decimals; free accelerations of 900 rad/s^2 cost two digits
  expect_near(one,
              {-0.259585938, -4.473656127, -2.258605777, -4.958514774, -11.552425792, 72.092828595},
              2e-8, "welded arm");
  expect_near(three(of("touch").force), {-18.215806330, -13.809696727, 62.805485855}, 2e-8,
              "touching arm");
  EXPECT_LT(norm(of("touch").moment), 1e-12);

  // a dense solve of all coordinates and rows
  Eigen::MatrixXd J;
  ASSERT_TRUE(constraint_jacobian(posed.model, posed.state, posed.workspace, J).ok());
  ASSERT_EQ(J.rows(), 3);
  ConstrainedAnswer kkt;
  ASSERT_TRUE(constrained_dynamics(posed.model, posed.state, {.tau = arms.tau}, posed.workspace,
                                   kkt, ConstraintSolver::kkt)
                  .ok());
  EXPECT_LT(largest_of(posed.M() * kkt.a + posed.bias_forces() - vector_of(arms.tau) -
                       J.transpose() * kkt.lambda),
            1e-9);
  EXPECT_LT(largest_of(kkt.a - posed.a({.tau = arms.tau})), 1e-7);
}

// The same contact as other kinds of joint: rows for the transmitted components, none for the
// others.
TEST(rodriguez_partial_contact, fingers_carry_what_their_kind_says) {
  const Vec3<Expr> x{1.0, 0.0, 0.0}, y{0.0, 1.0, 0.0}, z{0.0, 0.0, 1.0};
  JointDescription soft, hinge, smooth;
  soft.kind = JointKind::universal;  // force, and the moment about the normal z
  soft.options.axis = x;
  soft.options.axis2 = y;
  hinge.kind = JointKind::revolute;
  hinge.options.axis = z;
  smooth.kind = JointKind::compound;  // frictionless point: only the normal force
  smooth.options.motions = {slide(x), slide(y), turn(x), turn(y), turn(z)};
  const std::pair<JointDescription, std::array<bool, 6>> cases[] = {
      {soft, {false, false, true, true, true, true}},
      {hinge, {true, true, false, true, true, true}},
      {smooth, {false, false, false, false, false, true}}};
  for (const auto& [kind, transmits] : cases) {
    const TwoArms arms(kind);
    Posed posed(arms.description, arms.q, arms.v);
    UniqueReactions carried;
    const Status status = constrained_reactions(posed.model, posed.state, {.tau = arms.tau},
                                                posed.workspace, carried);
    ASSERT_TRUE(status.ok()) << status.message();
    const auto [n, f] = carried.force[std::size_t(index(*posed.model.find_joint("touch")))];
    const double parts[] = {n.x, n.y, n.z, f.x, f.y, f.z};
    for (int k = 0; k < 6; ++k) {
      if (transmits[std::size_t(k)])
        EXPECT_GT(std::abs(parts[k]), 1e-3) << to_string(kind.kind) << " " << k;
      else
        EXPECT_LT(std::abs(parts[k]), 1e-10) << to_string(kind.kind) << " " << k;
    }
  }
}

}  // namespace
}  // namespace trammel::partial_contact_test
