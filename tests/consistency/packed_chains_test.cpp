// Packed chains (PackedChains), which are evaluated in SIMD lanes where registers hold eight
// numbers, give the results of the body-by-body recursion.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/support/pushed.hpp"
#include "tests/support/two_solvers.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/mass_matrix.hpp"
#include "trammel/dynamics/mass_matrix.hpp"

namespace trammel::packed_chains_test {
namespace {

struct Shape {
  const char* name;
  JointKind root;  // joint of the trunk on ground
  int trunk;       // number of its bodies
  // length of each chain; they are attached to bodies of the trunk in turn
  std::vector<int> limbs;
  bool from_ground = false;  // attached to ground instead
};
void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.name; }

Description robot(const Shape& shape, Random& random) {
  Description description("robot");
  description.gravity = {0.3, -0.2, -9.81};
  int bodies = 0;
  const auto hang = [&](const std::string& parent, JointKind kind) {
    const std::string name = "b" + std::to_string(++bodies);
    JointOptions how = random_body(description, name, random(0.5, 2), random);
    if (kind == JointKind::revolute) {
      how.stiffness = {random(0, 3)};
      how.damping = {random(0, 1)};
    }
    description.joint("j" + std::to_string(bodies), kind, parent, name, how);
    return name;
  };
  std::vector<std::string> trunk;
  for (int k = 0; k < shape.trunk; ++k)
    trunk.push_back(hang(k == 0 ? "ground" : trunk.back(), k == 0  ? shape.root
                                                           : k % 2 ? JointKind::spherical
                                                                   : JointKind::revolute));
  for (std::size_t limb = 0; limb < shape.limbs.size(); ++limb) {
    std::string last = shape.from_ground ? "ground" : trunk[limb % trunk.size()];
    for (int k = 0; k < shape.limbs[limb]; ++k) last = hang(last, JointKind::revolute);
  }
  return description;
}

class SideBySide : public testing::TestWithParam<Shape> {};

TEST_P(SideBySide, as_body_by_body) {
  for (int seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Model model = build_model(robot(GetParam(), random));
    ASSERT_FALSE(model.numbers().packed_chains.empty());
    TwoSolvers solvers(model, random);
    auto& [_, state, inputs, workspace, input, one_by_one] = solvers;
    const int nv = model.nv();

    // a few hundred roundings of the largest number
    Eigen::MatrixXd M(nv, nv), M_expected(nv, nv);
    ASSERT_TRUE(mass_matrix(model, state, workspace, M).ok());
    kernel::mass_matrix<double, double>(input, state.q, one_by_one, {M_expected.data(), nv, nv});
    EXPECT_LT((M - M_expected).cwiseAbs().maxCoeff(), 1e-13 * M_expected.cwiseAbs().maxCoeff())
        << "seed " << seed;

    // the articulated-body recursion loses digits by the condition of M
    const Eigen::VectorXd e = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(M).eigenvalues();
    const std::vector<double> tau = random.numbers(nv);
    Eigen::VectorXd a(nv), a_expected(nv);
    inputs.tau = tau;
    ASSERT_TRUE(forward_dynamics(model, state, inputs, workspace, span(a)).ok());
    kernel::forward_dynamics<double, double>(input, state.q, state.v, tau, one_by_one,
                                             span(a_expected));
    const double lost = 1e-14 * e.maxCoeff() / e.minCoeff() * a_expected.cwiseAbs().maxCoeff();
    EXPECT_LT((a - a_expected).cwiseAbs().maxCoeff(), lost) << "seed " << seed;

    // and back by inverse dynamics (RNEA)
    Eigen::VectorXd back(nv);
    inputs.tau = {};
    inputs.a = span(a);
    ASSERT_TRUE(inverse_dynamics(model, state, inputs, workspace, span(back)).ok());
    const Eigen::Map<const Eigen::VectorXd> posed(tau.data(), nv);
    EXPECT_LT((back - posed).cwiseAbs().maxCoeff(), e.maxCoeff() * lost) << "seed " << seed;
  }
}

// External wrenches act with every kernel.
TEST_P(SideBySide, pushed) {
  Random random(7);
  const Model model = build_model(robot(GetParam(), random));
  expect_pushes_are_felt(model, "b" + std::to_string(int(model.bodies().size()) - 1), random, 1e-8);
}

// A massless tip has no acceleration that efforts determine: a named error, not a solution.
TEST_P(SideBySide, without_inertia_at_a_tip) {
  Random random(3);
  Description description = robot(GetParam(), random);
  description.bodies.back().solid = {};
  const Model model = build_model(description);
  Workspace workspace(model);
  const State state = neutral_state(model);
  Eigen::VectorXd a(model.nv());
  const Status status = forward_dynamics(model, state, {}, workspace, span(a));
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find(description.joints.back().name), std::string::npos)
      << status.message();
}

INSTANTIATE_TEST_SUITE_P(
    Robots, SideBySide,
    testing::Values(Shape{"humanoid", JointKind::free, 4, {6, 6, 8, 8, 2}},
                    Shape{"quadruped", JointKind::free, 1, {3, 3, 3, 3}},
                    Shape{"hand", JointKind::cylindrical, 2, {4, 4, 4, 4, 3}},
                    Shape{"spider", JointKind::planar, 1, {3, 3, 3, 3, 3, 3, 3, 3, 2}},
                    Shape{"arms beside each other", JointKind::free, 0, {7, 7, 6}, true}),
    [](const auto& shape) {
      std::string name = shape.param.name;
      std::ranges::replace(name, ' ', '_');
      return name;
    });

}  // namespace
}  // namespace trammel::packed_chains_test
