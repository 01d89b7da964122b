// The filter of [Rodriguez 1988] whitens: the innovation of every joint is independent of those of
// the outboard joints. Its residual is a run-time check that factors belong to a mass matrix.
#include <gtest/gtest.h>

#include "tests/support/how_many.hpp"
#include "tests/support/operator_matrices.hpp"
#include "tests/support/random_robot.hpp"

namespace trammel::innovations_test {
namespace {

// D^-1/2 (1 - L) M (1 - L)^T D^-1/2 - 1, in the order used here: (1 - L)^T is L^-1
double colored(const Model& model, const ArticulatedInertias& factors, const Eigen::MatrixXd& M) {
  const int nv = model.nv();
  Eigen::MatrixXd L_inverse(nv, nv), D_inverse(nv, nv);
  EXPECT_TRUE(mass_matrix_inverse_factors(model, factors, L_inverse, D_inverse).ok());
  const Eigen::MatrixXd D_sqrt = D_inverse.llt().matrixL();  // D^-1 = C C^T
  return largest(D_sqrt.transpose() * L_inverse.transpose() * M * L_inverse * D_sqrt -
                 identity_like(M));
}

class Innovations : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, Innovations, testing::Range(1, 1 + how_many(40)));

TEST_P(Innovations, are_white_and_tell_when_factors_are_wrong) {
  RandomRobot robot(GetParam(), {.bodies = 2 + GetParam() % 9});
  const Eigen::MatrixXd M = mass_matrix_of(robot.model, robot.state, robot.workspace);
  const ArticulatedInertias factors = factors_of(robot.model, robot.state, robot.workspace);
  // the condition of M multiplies rounding
  const Eigen::VectorXd e = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(M).eigenvalues();
  const double rounding = 1e-14 * robot.model.nv() * e.maxCoeff() / e.minCoeff();
  EXPECT_LT(colored(robot.model, factors, M), rounding) << robot;

  // factors of a body with a mass larger by a thousandth
  Description heavier = robot.description;
  for (BodyDescription& body : heavier.bodies) body.solid.mass = 1.001 * body.solid.mass;
  const Model other = build_model(heavier);
  EXPECT_GT(colored(other, factors_of(other, robot.state, robot.workspace), M),
            std::max(1e-5, 100 * rounding))
      << robot;
}

}  // namespace
}  // namespace trammel::innovations_test
