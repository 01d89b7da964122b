// A joint of several degrees of freedom, with axes taken from different frames, equals a chain of
// joints of one degree of freedom with massless bodies between them.
#include <gtest/gtest.h>

#include "tests/support/capability.hpp"
#include "tests/support/operator_matrices.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"

namespace trammel::joint_of_several_dofs_test {
namespace {

const Vec3<Expr> x_axis{1.0, 0.0, 0.0}, y_axis{0.0, 1.0, 0.0}, z_axis{0.0, 0.0, 1.0},
    oblique{0.48, -0.6, 0.64};

// [Yesiloglu 2007, section 4.3]: a joint about z of its own frame and y of the preceding frame.
const std::vector<std::vector<JointStep>> cases = {
    {turn(y_axis), turn(z_axis)},
    {turn(z_axis), slide(x_axis), turn(y_axis)},
    {slide(oblique), turn(oblique)},
    {turn(x_axis), turn(oblique), turn(z_axis), slide(y_axis)},
};

// arm - joint - hand - finger: the middle joint as one, or as a chain of massless bodies
Description described(const std::vector<JointStep>& steps, bool as_chain) {
  Random random(17);
  Description description("several degrees of freedom");
  const auto solid = [&] {
    const Vec3<double> c = random.vector(0.2);
    return Solid{.mass = random(1, 3),
                 .com = {c.x, c.y, c.z},
                 .inertia = {0.03, 0.002, -0.001, 0.04, 0.003, 0.05}};
  };
  description.body("arm", solid());
  description.joint("shoulder", JointKind::revolute, "ground", "arm", {.axis = oblique});
  description.body("hand", solid());
  const Placement at = {.xyz = {0.3, -0.1, 0.2}, .rpy = {0.4, -0.7, 1.1}};
  if (!as_chain) {
    description.joint("wrist", JointKind::compound, "arm", "hand", {.at = at, .motions = steps});
  } else {
    std::string parent = "arm";
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const bool is_last = k + 1 == steps.size();
      const std::string child = is_last ? "hand" : "nothing " + std::to_string(k);
      if (!is_last) description.body(child, {});
      description.joint(
          "wrist " + std::to_string(k),
          steps[k].kind == JointStep::Kind::turn ? JointKind::revolute : JointKind::prismatic,
          parent, child, {.at = k == 0 ? at : Placement{}, .axis = steps[k].axis});
      parent = child;
    }
  }
  description.body("finger", solid());
  description.joint("knuckle", JointKind::revolute, "hand", "finger",
                    {.at = {.xyz = {0.1, 0.2, -0.3}}, .axis = x_axis});
  return description;
}

class SeveralDofs : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(steps, SeveralDofs, testing::Range(0, int(cases.size())));

TEST_P(SeveralDofs, are_a_chain_of_massless_joints) {
  shows({"Y-08", "forward_dynamics", "inverse_dynamics", "mass_matrix"});
  const auto& steps = cases[std::size_t(GetParam())];
  const Model one = build_model(described(steps, false)),
              chain = build_model(described(steps, true));
  ASSERT_EQ(one.nq(), chain.nq());
  Workspace room_one(one), room_chain(chain);
  Random random(GetParam() + 1);
  State state = neutral_state(one);
  state.q = random.numbers(one.nq());
  state.v = random.numbers(one.nv());
  const std::vector<double> a = random.numbers(one.nv()), tau = random.numbers(one.nv());

  // forces are below 100, masses below 10
  const Eigen::MatrixXd M = mass_matrix_of(one, state, room_one);
  EXPECT_LT(largest(M - mass_matrix_of(chain, state, room_chain)), 1e-13);
  std::vector<double> ours(a.size()), theirs(a.size());
  ASSERT_TRUE(inverse_dynamics(one, state, {.a = a}, room_one, ours).ok());
  ASSERT_TRUE(inverse_dynamics(chain, state, {.a = a}, room_chain, theirs).ok());
  EXPECT_LT(largest(column(ours) - column(theirs)), 1e-12);
  ASSERT_TRUE(forward_dynamics(one, state, {.tau = tau}, room_one, ours).ok());
  ASSERT_TRUE(forward_dynamics(chain, state, {.tau = tau}, room_chain, theirs).ok());
  EXPECT_LT(largest(M * (column(ours) - column(theirs))), 1e-12);

  // D of the joint is a matrix (correction to (3.2)), whose factors are those of the chain: the
  // chain computes them one after the other, from the outermost step inward
  const int n = int(steps.size());
  const Eigen::MatrixXd D = operators_of(one, state, room_one).D.block(1, 1, n, n);
  const Eigen::VectorXd single = operators_of(chain, state, room_chain).D.diagonal().segment(1, n);
  EXPECT_GT(largest(Eigen::MatrixXd(D.triangularView<Eigen::StrictlyUpper>())), 1e-3);
  EXPECT_NEAR(D.determinant(), single.prod(), 1e-12 * single.prod());
  EXPECT_NEAR(D(n - 1, n - 1), single[n - 1], 1e-12);
}

}  // namespace
}  // namespace trammel::joint_of_several_dofs_test
