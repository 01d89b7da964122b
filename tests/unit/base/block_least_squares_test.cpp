// Minimum-norm least-squares solutions of blocks of sparse matrices: sparse QR against complete
// orthogonal decompositions, with redundant rows, and with right-hand sides that no x fits.
#include "trammel/base/block_least_squares.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <vector>

#include "tests/support/how_many.hpp"
#include "tests/support/random_robot.hpp"

namespace trammel::block_least_squares_test {
namespace {

// Rows with entries in a few neighboring columns; some are combinations of others, some are zero.
class EveryBandOfRows : public testing::TestWithParam<int> {
 protected:
  EveryBandOfRows() {
    Random random(GetParam());
    const int m = 4 + random.below(80), n = m + random.below(20), width = 2 + random.below(3);
    A = Eigen::MatrixXd::Zero(m, n + width);
    for (int i = 0; i < m; ++i)
      for (int k = 0; k <= width; ++k) A(i, i + k) = random();
    for (int i = 2; i < m; i += 3 + GetParam() % 4)
      A.row(i) = GetParam() % 5 == 0 ? Eigen::RowVectorXd(0 * A.row(i))
                                     : Eigen::RowVectorXd(2 * A.row(i - 1) - A.row(i - 2));
    for (int i = 0; i < m; ++i) rows.push_back(i);
    for (int k = 0; k < int(A.cols()); ++k)
      if (k % 7 != 3) columns.push_back(k);  // a block: without some columns
    block = A(rows, columns);
    b = Eigen::MatrixXd(m, 2);
    for (double& x : b.reshaped()) x = random();
  }
  Eigen::MatrixXd A, block, b;
  std::vector<int> rows, columns;
};
INSTANTIATE_TEST_SUITE_P(seeds, EveryBandOfRows, testing::Range(1, 1 + how_many(200)));

TEST_P(EveryBandOfRows, has_the_solutions_of_the_dense_matrix) {
  const double threshold = 1e-9;
  const BlockLeastSquares sparse(SparseRows::of(A), rows, columns, threshold, 0);
  const BlockLeastSquares dense(SparseRows::of(A), rows, columns, threshold, 1000);
  ASSERT_TRUE(sparse.is_sparse());
  ASSERT_FALSE(dense.is_sparse());
  const Eigen::VectorXd singular = singular_values(block);
  double least = singular[0];
  for (const double s : singular)
    if (s > 1e-9) least = std::min(least, s);
  // a least-squares solution is sensitive to the square of the condition
  const double tolerance = 1e-13 * (singular[0] / least) * (singular[0] / least);
  const Eigen::MatrixXd x = sparse.solve(b), expected = dense.solve(b);
  EXPECT_LT((x - expected).norm(), tolerance * (1 + expected.norm()));
  // right-hand sides that a solution fits
  const Eigen::MatrixXd fits = block * Eigen::MatrixXd::Random(block.cols(), 1);
  EXPECT_LT((block * sparse.solve(fits) - fits).norm(), 1e-12 * (1 + fits.norm()) / least);
  EXPECT_LT((sparse.solve(fits) - dense.solve(fits)).norm(), tolerance * (1 + fits.norm()));
}

TEST(BlockLeastSquares, of_nearly_dependent_rows_is_that_of_the_dense_matrix) {
  // the second row differs by 1e-12: below the threshold it is redundant, above it is not
  Eigen::MatrixXd A(3, 3);
  A << 1, 1, 0, 1, 1, 1e-12, 0, 1, 1;
  const std::vector<int> all{0, 1, 2};
  const Eigen::VectorXd b = Eigen::Vector3d(1, 1, 2);
  for (const double threshold : {1e-9, 1e-15}) {
    const BlockLeastSquares sparse(SparseRows::of(A), all, all, threshold, 0),
        dense(SparseRows::of(A), all, all, threshold, 3);
    EXPECT_LT((sparse.solve(b) - dense.solve(b)).norm(), 1e-3) << threshold;
  }
}

TEST(BlockLeastSquares, of_zeros_is_zero) {
  const BlockLeastSquares sparse(SparseRows(2, {{0}, {1}}), std::vector{0, 1}, std::vector{0, 1},
                                 1e-9, 0);
  EXPECT_EQ(sparse.solve(Eigen::Vector2d(1, 2)).norm(), 0);
}

}  // namespace
}  // namespace trammel::block_least_squares_test
