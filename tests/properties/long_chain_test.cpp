// Derivatives of forward dynamics of long chains, whose factors of M^-1 are applied in two passes
// instead of pair by pair.
#include <gtest/gtest.h>

#include <Eigen/Core>

#include "tests/support/random_robot.hpp"
#include "trammel/dynamics/derivatives.hpp"
#include "trammel/dynamics/forward_dynamics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::long_chain_test {
namespace {

// Links with random axes and masses in a row; every third joint is a slide.
Model chain_of(int links, Random& random) {
  Description description("chain");
  std::string parent = "ground";
  for (int k = 0; k < links; ++k) {
    const std::string name = "link" + std::to_string(k);
    description.body(name, box(0.5 + random.below(100) / 100.0, {0.2, 0.05, 0.1}));
    const bool slides = k % 3 == 2;
    description.joint(
        "joint" + std::to_string(k), slides ? JointKind::prismatic : JointKind::revolute, parent,
        name, {.at = {{0.2, 0.0, 0.0}, {}}, .axis = {double(k % 2), double((k + 1) % 2), 0.3}});
    parent = name;
  }
  return build_model(description);
}

class LongChain : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(links, LongChain, testing::Values(7, 30, 48, 65));

TEST_P(LongChain, derivatives_of_forward_and_inverse_dynamics_agree) {
  Random random(GetParam());
  const Model model = chain_of(GetParam(), random);
  Workspace workspace(model);
  DerivativeWorkspace derivative_workspace(model);
  State state = neutral_state(model);
  state.q = random.numbers(model.nq());
  state.v = random.numbers(model.nv());
  const std::vector<double> tau = random.numbers(model.nv());
  std::vector<double> a(std::size_t(model.nv()));
  ASSERT_TRUE(forward_dynamics(model, state, {.tau = tau}, workspace, a).ok());
  Derivatives forward, inverse;
  ASSERT_TRUE(forward_dynamics_derivatives(model, state, {.tau = tau}, workspace,
                                           derivative_workspace, forward)
                  .ok());
  ASSERT_TRUE(
      inverse_dynamics_derivatives(model, state, {.a = a}, workspace, derivative_workspace, inverse)
          .ok());
  Eigen::MatrixXd M(model.nv(), model.nv());
  ASSERT_TRUE(mass_matrix(model, state, workspace, M).ok());
  // M da/dq = -dtau/dq, M da/dv = -dtau/dv, M da/dtau = 1. Residuals relative to the terms that
  // cancel: a few hundred roundings, whatever the condition of M.
  const auto residual = [&](const Eigen::MatrixXd& x, const Eigen::MatrixXd& b) {
    return (M * x - b).norm() / (M.norm() * x.norm());
  };
  EXPECT_LT(residual(forward.dq, -inverse.dq), 1e-12);
  EXPECT_LT(residual(forward.dv, -inverse.dv), 1e-12);
  EXPECT_LT(residual(forward.dx, Eigen::MatrixXd::Identity(model.nv(), model.nv())), 1e-12);
}

}  // namespace
}  // namespace trammel::long_chain_test
