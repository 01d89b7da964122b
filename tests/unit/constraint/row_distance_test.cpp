// Distance of rows from dependence by a sparse factorization, against singular values.
#include "trammel/constraint/rank/row_distance.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <numeric>

#include "tests/support/how_many.hpp"
#include "tests/support/random_robot.hpp"
#include "trammel/base/linear_algebra.hpp"

namespace trammel::row_distance_test {
namespace {

// Two chains of rows, each coupled to its neighbors by shared columns, and rows across; more
// columns than rows. Rows of both are mixed.
Eigen::MatrixXd chains(Random& random) {
  const int n = 3 + random.below(8);
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(2 * n, 6 * n);
  for (int row = 0; row < 2 * n; ++row) {
    const int first = (row % 2) * 3 * n, place = row / 2;
    for (int k = 0; k < 5 && 2 * place + k < 3 * n; ++k) J(row, first + 2 * place + k) = random();
    J(row, first + random.below(3 * n)) += random();
  }
  return J;
}

class EveryTwoChains : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, EveryTwoChains, testing::Range(1, 1 + how_many(100)));

TEST_P(EveryTwoChains, have_the_distances_of_their_singular_values) {
  Random random(GetParam());
  const Eigen::MatrixXd J = chains(random);
  const SparseRows rows = SparseRows::of(J);
  Eigen::VectorXd scales(J.rows());
  for (double& scale : scales) scale = random(0.5, 2);
  std::vector<int> all(std::size_t(J.rows()));
  std::iota(all.begin(), all.end(), 0);
  RowDistance distance;
  distance.choose(rows, all);
  long factored = 0;
  for (std::size_t c = 0; c < rows.components().size(); ++c) {
    const std::vector<int>& of = rows.components()[c].rows;
    const Eigen::MatrixXd A = scales(of).cwiseInverse().asDiagonal() * J(of, Eigen::all);
    const Eigen::VectorXd s = singular_values(A);
    const double expected =
        std::pow(s.array().pow(-4).sum(), -0.25) / A.rowwise().norm().maxCoeff();
    // A A^T squares the condition, and the sum its eigenvalues once more
    const double condition = s[0] / s[s.size() - 1];
    EXPECT_NEAR(distance.of_component(int(c), rows, scales) / expected, 1,
                1e-14 * std::pow(condition, 2) + 1e-12);
    factored += std::ssize(of);
    EXPECT_EQ(distance.factored_rows(), factored);
  }
}

TEST(RowDistance, of_dependent_rows_is_zero_and_leaves_other_components_alone) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(4, 5);
  J.row(0) << 1, 2, 0, 0, 0;
  J.row(1) << 0, 0, 1, 1, 0;
  J.row(2) << 2, 4, 0, 0, 0;
  J.row(3) << 0, 0, 0, 1, 1;
  SparseRows rows = SparseRows::of(J);
  RowDistance distance;
  distance.choose(rows, {0, 1, 2, 3});
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(4);
  EXPECT_LT(distance.of_component(0, rows, ones), 1e-7);  // the square root of rounding
  // A A^T = ((2, 1), (1, 2)): 1 / s^4 = 1, 1/9
  EXPECT_NEAR(distance.of_component(1, rows, ones), std::pow(10.0 / 9, -0.25) / std::sqrt(2.0),
              1e-15);
  rows.values(3)[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(distance.of_component(1, rows, ones)));
}

}  // namespace
}  // namespace trammel::row_distance_test
