// Small chains (SmallChain), which have kernels of their own where registers hold eight numbers,
// give the results of the body-by-body recursion.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/support/pushed.hpp"
#include "tests/support/two_solvers.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/forward_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/inverse_dynamics.hpp"
#include "trammel/dynamics/kernel/tree/mass_matrix.hpp"
#include "trammel/dynamics/mass_matrix.hpp"

namespace trammel::small_chains_test {
namespace {

// Revolute joints, and optionally every third joint prismatic; masses decrease toward the tip.
Description arm(int dofs, bool has_slides, Random& random) {
  Description description("arm");
  description.gravity = {0.3, -0.2, -9.81};
  for (int i = 1; i <= dofs; ++i) {
    const std::string name = "b" + std::to_string(i);
    const JointOptions how = random_body(description, name, 4.0 / i, random);
    description.joint("j" + std::to_string(i),
                      has_slides && i % 3 == 0 ? JointKind::prismatic : JointKind::revolute,
                      i == 1 ? "ground" : "b" + std::to_string(i - 1), name, how);
  }
  return description;
}

class SmallChains : public testing::TestWithParam<int> {};

TEST_P(SmallChains, as_body_by_body) {
  for (const bool has_slides : {false, true})
    for (int seed = 0; seed < 20; ++seed) {
      Random random(seed);
      const Model model = build_model(arm(GetParam(), has_slides, random));
      TwoSolvers solvers(model, random);
      auto& [_, state, inputs, workspace, input, one_by_one] = solvers;
      const int nv = model.nv();
      const std::vector<double> a = random.numbers(nv);

      // a few hundred roundings of the largest number; solving loses digits by the condition of M
      Eigen::MatrixXd M(nv, nv), M_expected(nv, nv);
      ASSERT_TRUE(mass_matrix(model, state, workspace, M).ok());
      kernel::mass_matrix<double, double>(input, state.q, one_by_one, {M_expected.data(), nv, nv});
      const double size = M_expected.cwiseAbs().maxCoeff();
      EXPECT_LT((M - M_expected).cwiseAbs().maxCoeff(), 1e-13 * size) << "seed " << seed;

      Eigen::VectorXd tau(nv), tau_expected(nv), back(nv), back_expected(nv);
      inputs.a = a;
      ASSERT_TRUE(inverse_dynamics(model, state, inputs, workspace, span(tau)).ok());
      kernel::inverse_dynamics<double, double>(input, state.q, state.v, a, one_by_one,
                                               span(tau_expected));
      EXPECT_LT((tau - tau_expected).cwiseAbs().maxCoeff(),
                1e-13 * tau_expected.cwiseAbs().maxCoeff())
          << "seed " << seed;

      const Eigen::VectorXd e = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(M).eigenvalues();
      const double condition = e.maxCoeff() / e.minCoeff();
      inputs.a = {};
      inputs.tau = span(tau_expected);
      ASSERT_TRUE(forward_dynamics(model, state, inputs, workspace, span(back)).ok());
      kernel::forward_dynamics<double, double>(input, state.q, state.v, inputs.tau, one_by_one,
                                               span(back_expected));
      const Eigen::Map<const Eigen::VectorXd> posed(a.data(), nv);
      const double lost = 1e-14 * condition * back_expected.cwiseAbs().maxCoeff();
      EXPECT_LT((back - posed).cwiseAbs().maxCoeff(), lost) << "seed " << seed;
      EXPECT_LT((back_expected - posed).cwiseAbs().maxCoeff(), lost) << "seed " << seed;
    }
}

// External wrenches act with every kernel.
TEST_P(SmallChains, pushed) {
  Random random(7);
  const Model model = build_model(arm(GetParam(), true, random));
  expect_pushes_are_felt(model, "b" + std::to_string(GetParam()), random, 1e-10);
}

// A massless tip has no acceleration that efforts determine: an error, not a solution.
TEST_P(SmallChains, without_inertia_at_the_tip) {
  Random random(3);
  Description description = arm(GetParam(), false, random);
  description.body("tip", {});
  description.joint("wrist", JointKind::revolute, "b" + std::to_string(GetParam()), "tip", {});
  const Model model = build_model(description);
  Workspace workspace(model);
  const State state = neutral_state(model);
  Eigen::VectorXd a(model.nv());
  const Status status = forward_dynamics(model, state, {}, workspace, span(a));
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("wrist"), std::string::npos) << status.message();
}

INSTANTIATE_TEST_SUITE_P(Dofs, SmallChains, testing::Values(4, 5, 6, 7, 8, 9));

}  // namespace
}  // namespace trammel::small_chains_test
