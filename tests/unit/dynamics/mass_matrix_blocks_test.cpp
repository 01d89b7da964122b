// Blocks of the mass matrix against the whole matrix, of random robots.
#include "trammel/dynamics/mass_matrix_blocks.hpp"

#include <gtest/gtest.h>

#include "tests/support/how_many.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/mass_matrix.hpp"
#include "trammel/model/body_of_dof.hpp"

namespace trammel::mass_matrix_blocks_test {
namespace {

class EveryRobot : public testing::TestWithParam<int> {
 protected:
  RandomRobot robot{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(seeds, EveryRobot, testing::Range(1, 1 + how_many(100)));

TEST_P(EveryRobot, has_blocks_of_its_mass_matrix) {
  const Model& model = robot.model;
  Positions at(model);
  ASSERT_TRUE(positions(model, robot.state, robot.workspace, at).ok());
  Eigen::MatrixXd M(model.nv(), model.nv());
  ASSERT_TRUE(mass_matrix(model, robot.state, robot.workspace, M).ok());
  MassMatrixBlocks blocks;
  blocks.evaluate(model, at);
  for (int round = 0; round < 4; ++round) {
    std::vector<int> dofs;
    for (int f = 0; f < model.nv(); ++f)
      if (round == 0 || robot.random.below(1 + round) == 0) dofs.push_back(f);
    const Eigen::MatrixXd block = blocks.block(model, at, dofs);
    ASSERT_EQ(block.rows(), std::ssize(dofs));
    if (dofs.empty()) continue;
    // composite inertias are sums over all bodies outboard
    EXPECT_LE((block - M(dofs, dofs)).cwiseAbs().maxCoeff(), 1e-12 * (1 + M.diagonal().maxCoeff()))
        << "seed " << robot.seed;
  }
}

TEST_P(EveryRobot, knows_the_body_of_each_dof) {
  for (int f = 0; f < robot.model.nv(); ++f) {
    const Body& body = robot.model.bodies()[std::size_t(body_of_dof(robot.model, f))];
    EXPECT_LE(body.v_start, f);
    EXPECT_LT(f, body.v_end);
  }
}

}  // namespace
}  // namespace trammel::mass_matrix_blocks_test
