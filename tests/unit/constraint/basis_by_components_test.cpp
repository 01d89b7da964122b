// Row bases of block-diagonal matrices: the sum of the blocks' exact ranks, and the decision of the
// dense matrix.
#include "trammel/constraint/rank/basis_by_components.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/support/exact_rank.hpp"
#include "tests/support/how_many.hpp"

namespace trammel::basis_by_components_test {
namespace {

class EveryPairOfBlocks : public testing::TestWithParam<int> {
 protected:
  EveryPairOfBlocks() {
    const IntegerMatrix a = random_integer_matrix(GetParam()),
                        b = random_integer_matrix(GetParam() + 500);
    const Eigen::MatrixXd A = as_doubles(a), B = as_doubles(b);
    J = Eigen::MatrixXd::Zero(A.rows() + B.rows(), A.cols() + B.cols());
    J.topLeftCorner(A.rows(), A.cols()) = A;
    J.bottomRightCorner(B.rows(), B.cols()) = B;
    rank = exact_rank(a) + exact_rank(b);
    scales.natural = J.rowwise().norm().cwiseMax(1e-300);
    scales.rounding = scales.uncertainty =
        8 * std::numeric_limits<double>::epsilon() * scales.natural;
  }
  static std::vector<Eigen::MatrixXd> unit_inertia(const SparseRows& rows) {
    std::vector<Eigen::MatrixXd> blocks;
    for (const MatrixComponent& component : rows.components())
      blocks.push_back(
          Eigen::MatrixXd::Identity(std::ssize(component.columns), std::ssize(component.columns)));
    return blocks;
  }
  Eigen::MatrixXd J;
  int rank = 0;
  RowScales scales;
};
INSTANTIATE_TEST_SUITE_P(seeds, EveryPairOfBlocks, testing::Range(1, 1 + how_many(150)));

TEST_P(EveryPairOfBlocks, has_the_sum_of_the_exact_ranks) {
  const SparseRows rows = SparseRows::of(J);
  const RowBasis basis =
      basis_by_components(rows, unit_inertia(rows), scales, {.with_singular_values = true});
  EXPECT_EQ(basis.rank(), rank);
  EXPECT_EQ(basis.count, J.rows());
  EXPECT_TRUE(basis.undecided.empty());
  EXPECT_TRUE(std::ranges::is_sorted(basis.pivots, std::ranges::greater()));
  EXPECT_EQ(basis.pivots.size(), basis.rows.size());
  // with unit inertia the singular values are those of the whole matrix
  const RowBasis dense =
      rank_with_singular_values(J, Eigen::MatrixXd::Identity(J.cols(), J.cols()), scales);
  EXPECT_EQ(dense.rank(), rank);
  ASSERT_LE(std::size_t(rank), std::min(basis.singular.size(), dense.singular.size()));
  for (std::size_t k = 0; k < std::size_t(rank); ++k)
    EXPECT_NEAR(basis.singular[k], dense.singular[k], 1e-12 * dense.singular[0]);
}

TEST_P(EveryPairOfBlocks, of_the_first_rows_only) {
  const SparseRows rows = SparseRows::of(J);
  const int half = int(J.rows()) / 2;
  const RowBasis basis = basis_by_components(rows, unit_inertia(rows), scales, {.count = half});
  const RowScales some{scales.natural.head(half), scales.rounding.head(half),
                       scales.uncertainty.head(half)};
  const RowBasis dense = rank_with_singular_values(
      J.topRows(half), Eigen::MatrixXd::Identity(J.cols(), J.cols()), some);
  EXPECT_EQ(basis.rank(), dense.rank());
  EXPECT_EQ(basis.count, half);
  for (const int row : basis.rows) EXPECT_LT(row, half);
}

}  // namespace
}  // namespace trammel::basis_by_components_test
