// Mass matrices of a batch are the efforts of unit accelerations, by inverse dynamics (RNEA) of
// single states, which shares no code with them beyond the joints.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <limits>

#include "tests/support/random_robot.hpp"
#include "trammel/dynamics/batch.hpp"
#include "trammel/dynamics/inverse_dynamics.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel::mass_matrix_batch_test {
namespace {

// M, column by column, at rest
Eigen::MatrixXd by_unit_accelerations(const Model& model, const State& state) {
  const Eigen::Index nv = model.nv();
  Workspace workspace(model);
  State at_rest = state;
  at_rest.v.assign(std::size_t(nv), 0.0);
  const auto efforts = [&](const Eigen::VectorXd& a) {
    Eigen::VectorXd tau(nv);
    EXPECT_TRUE(inverse_dynamics(model, at_rest, {.a = {a.data(), std::size_t(nv)}}, workspace,
                                 {tau.data(), std::size_t(nv)})
                    .ok());
    return tau;
  };
  const Eigen::VectorXd held = efforts(Eigen::VectorXd::Zero(nv));
  Eigen::MatrixXd M(nv, nv);
  for (Eigen::Index k = 0; k < nv; ++k) M.col(k) = efforts(Eigen::VectorXd::Unit(nv, k)) - held;
  return M;
}

// `rounding`: relative to the largest entry and the largest force that cancels in the witness
void expect_batch_is_right(const Model& model, Random& random, double rounding = 1e-12) {
  const Eigen::Index nv = model.nv();
  for (const int count : {1, 3, 8, 9, 17}) {
    std::vector<State> states;
    Eigen::MatrixXd q(model.nq(), count), v = Eigen::MatrixXd::Zero(nv, count);
    for (int s = 0; s < count; ++s) {
      states.push_back(RandomRobot::random_state(model, random));
      q.col(s) = Eigen::VectorXd::Map(states.back().q.data(), model.nq());
    }
    // every number is written, and nothing before or after them
    const double unwritten = std::numeric_limits<double>::quiet_NaN();
    Eigen::MatrixXd all = Eigen::MatrixXd::Constant(nv * nv, count + 2, unwritten);
    BatchWorkspace workspace(model);
    ASSERT_TRUE(mass_matrix_batch(model, {q, v}, workspace, all.middleCols(1, count)).ok());
    EXPECT_TRUE(all.col(0).array().isNaN().all() && all.col(count + 1).array().isNaN().all());
    for (const int s : {0, count / 2, count - 1}) {
      const Eigen::MatrixXd M = all.col(s + 1).reshaped(nv, nv);
      const Eigen::MatrixXd expected = by_unit_accelerations(model, states[std::size_t(s)]);
      ASSERT_TRUE(M.allFinite()) << model.name() << ", state " << s << " of " << count;
      EXPECT_TRUE(M == M.transpose()) << model.name();
      EXPECT_LT((M - expected).cwiseAbs().maxCoeff(), rounding * expected.cwiseAbs().maxCoeff())
          << model.name() << ", state " << s << " of " << count;
    }
  }
}

class Trees : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, Trees, testing::Range(1, 13));
TEST_P(Trees, of_every_kind_of_joint) {
  const bool floats = GetParam() % 2 == 0;
  // springs would cancel in the witness
  RandomRobot robot(GetParam(), {.bodies = 4 * GetParam(), .springs = false, .floating = floats});
  expect_batch_is_right(robot.model, robot.random);
}

// Lengths around the number of lanes, 2, 4 or 8: full and partial groups, one and several.
Model chain_of(int links, JointKind kind, double away, Random& random) {
  Description description("chain of " + std::to_string(links));
  std::string parent = "ground";
  for (int k = 0; k < links; ++k) {
    const std::string name = "b" + std::to_string(k);
    description.body(name, box(0.5 + random.below(100) / 100.0, {0.2, 0.05, 0.1}));
    description.joint("j" + std::to_string(k), k % 4 == 3 ? JointKind::prismatic : kind, parent,
                      name,
                      {.at = {{k == 0 ? away : 0.2, 0.0, 0.1}, {}},
                       .axis = {double(k % 2), double((k + 1) % 2), 0.3}});
    parent = name;
  }
  return build_model(description);
}

class Chains : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(links, Chains,
                         testing::Values(1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 20, 24, 33));
TEST_P(Chains, of_turning_and_sliding_joints) {
  Random random(GetParam());
  expect_batch_is_right(chain_of(GetParam(), JointKind::revolute, 0, random), random);
  expect_batch_is_right(chain_of(GetParam(), JointKind::prismatic, 0, random), random);
}
// Joints of several degrees of freedom that begin in one group and end in the next.
TEST_P(Chains, of_joints_across_groups) {
  Random random(GetParam());
  expect_batch_is_right(chain_of(GetParam(), JointKind::spherical, 0, random), random);
}
// Reference points lie on the chain: its distance from the world's origin costs no digits.
TEST_P(Chains, far_away) {
  Random random(GetParam());
  expect_batch_is_right(chain_of(GetParam(), JointKind::revolute, 1e6, random), random);
}

}  // namespace
}  // namespace trammel::mass_matrix_batch_test
