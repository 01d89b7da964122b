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

// A spine whose root joint has several degrees of freedom, with chains that branch off: two from
// one link, one from ground. Most joints of one type follow each other, some do not.
Model tree_of(JointKind root, int spine, Random& random) {
  Description description("tree");
  int bodies = 0;
  const auto hang = [&](const std::string& parent, JointKind kind) {
    const std::string name = "b" + std::to_string(bodies++);
    description.body(name, box(0.5 + random.below(100) / 100.0, {0.2, 0.05, 0.1}));
    description.joint(
        "j_" + name, kind, parent, name,
        {.at = {{0.2, 0.0, 0.0}, {}}, .axis = {double(bodies % 2), double((bodies + 1) % 2), 0.3}});
    return name;
  };
  const auto chain = [&](std::string last, int links) {
    for (int k = 0; k < links; ++k)
      last = hang(last, k % 11 == 10 ? JointKind::cylindrical : JointKind::revolute);
  };
  std::vector<std::string> links{hang("ground", root)};
  while (int(links.size()) < spine)
    links.push_back(
        hang(links.back(), links.size() % 13 == 12 ? JointKind::prismatic : JointKind::revolute));
  chain(links[std::size_t(spine / 3)], 12);
  chain(links[std::size_t(spine / 3)], 1);
  chain(links[std::size_t(spine - 1)], 9);
  chain("ground", 3);
  return build_model(description);
}

void expect_derivatives_agree(const Model& model, Random& random) {
  Workspace workspace(model);
  DerivativeWorkspace derivative_workspace(model);
  const State state = RandomRobot::random_state(model, random);
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

class LongChain : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(links, LongChain, testing::Values(7, 30, 48, 65));
TEST_P(LongChain, derivatives_of_forward_and_inverse_dynamics_agree) {
  Random random(GetParam());
  expect_derivatives_agree(chain_of(GetParam(), random), random);
}

class LongTree : public testing::TestWithParam<JointKind> {};
INSTANTIATE_TEST_SUITE_P(roots, LongTree,
                         testing::Values(JointKind::free, JointKind::spherical,
                                         JointKind::revolute));
TEST_P(LongTree, derivatives_of_forward_and_inverse_dynamics_agree) {
  Random random{static_cast<int>(GetParam())};
  for (const int spine : {45, 70})
    expect_derivatives_agree(tree_of(GetParam(), spine, random), random);
}

}  // namespace
}  // namespace trammel::long_chain_test
