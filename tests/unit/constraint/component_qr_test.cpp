// QR of a sparse matrix by components (component_qr.hpp) against the QR of the dense matrix.
#include "trammel/constraint/rank/component_qr.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>

#include "tests/support/how_many.hpp"
#include "tests/support/random_robot.hpp"

namespace trammel::component_qr_test {
namespace {

// Blocks of random sizes, their rows and columns mixed; some rows depend on others of their block,
// some rows and columns are empty.
Eigen::MatrixXd blocks(Random& random) {
  const int count = 1 + random.below(5);
  std::vector<std::pair<int, int>> sizes;
  int rows = random.below(2), columns = random.below(2);
  for (int k = 0; k < count; ++k) {
    sizes.emplace_back(1 + random.below(5), 1 + random.below(4));
    rows += sizes.back().first, columns += sizes.back().second;
  }
  Eigen::MatrixXd sorted = Eigen::MatrixXd::Zero(rows, columns);
  int row = 0, column = 0;
  for (const auto& [m, n] : sizes) {
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) sorted(row + i, column + j) = random();
    if (m > 1 && random.below(2) == 0)
      sorted.row(row + m - 1) = 0.3 * sorted.row(row) - 0.2 * sorted.row(row + m / 2);
    row += m, column += n;
  }
  Eigen::MatrixXd mixed = sorted;
  for (int k = 0; k < rows; ++k) mixed.row(k).swap(mixed.row(random.below(rows)));
  for (int k = 0; k < columns; ++k) mixed.col(k).swap(mixed.col(random.below(columns)));
  return mixed;
}

// Of the first `rank` rows in the order of pivots.
double dense_distance(const PivotedQr& qr, int rank) {
  const Eigen::VectorXd s = singular_values(qr.r().topLeftCorner(rank, rank)).cwiseInverse();
  return 1 / (qr.pivots()[0] * std::pow(s.array().pow(4).sum(), 0.25));
}

class EveryBlockMatrix : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, EveryBlockMatrix, testing::Range(1, 1 + how_many(200)));

TEST_P(EveryBlockMatrix, has_the_pivots_rank_and_distances_of_the_dense_matrix) {
  Random random(GetParam());
  const Eigen::MatrixXd J = blocks(random);
  Eigen::VectorXd scales(J.rows());
  for (double& scale : scales) scale = random(0.5, 2);
  if (J.rows() > 2) scales[0] = 0;  // not divided
  ComponentQr parts;
  const SparseRows rows = SparseRows::of(J);
  parts.compute(rows, scales);
  const Eigen::VectorXd divisors = (scales.array() > 0).select(scales, 1.0);
  const PivotedQr whole((divisors.cwiseInverse().asDiagonal() * J).transpose());

  ASSERT_TRUE(parts.is_finite());
  ASSERT_EQ(parts.pivots().size(), whole.pivots().size());
  // both are backward stable
  EXPECT_LT((parts.pivots() - whole.pivots()).lpNorm<Eigen::Infinity>(), 1e-14 * whole.pivots()[0]);
  int rank = 0;
  while (rank < whole.pivots().size() && whole.pivots()[rank] > 1e-9 * whole.pivots()[0]) ++rank;
  ASSERT_EQ(parts.rank(1e-9), rank);
  int sum = 0;
  for (const int its : parts.ranks(rank)) sum += its;
  EXPECT_EQ(sum, rank);
  for (int k = 0; k <= std::min(rank + 1, int(whole.pivots().size())); ++k) {
    const std::vector<int> ranks = parts.ranks(k);
    const std::vector<double> distances = parts.distances(k);
    ASSERT_EQ(distances.size(), rows.components().size());
    for (std::size_t c = 0; c < ranks.size(); ++c) {
      if (ranks[c] == 0) {
        EXPECT_EQ(distances[c], 1);
        continue;
      }
      const auto& [of, columns] = rows.components()[c];
      const PivotedQr block(
          (divisors(of).cwiseInverse().asDiagonal() * rows.block(of, columns)).transpose());
      // a row that is zero is at no distance from dependent
      if (k > rank && block.pivots()[ranks[c] - 1] < 1e-9 * whole.pivots()[0])
        EXPECT_LT(distances[c], 1e-14);
      else
        EXPECT_NEAR(distances[c] / dense_distance(block, ranks[c]), 1, 1e-9) << k << " of " << rank;
    }
  }
}

TEST_P(EveryBlockMatrix, can_leave_rows_out) {
  Random random(GetParam());
  const Eigen::MatrixXd J = blocks(random);
  std::vector<int> kept;
  for (int row = 0; row < int(J.rows()); row += 2) kept.push_back(row);
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(J.rows());
  ComponentQr some, alone;
  some.compute(SparseRows::of(J), ones, kept);
  alone.compute(SparseRows::of(J(kept, Eigen::all)), Eigen::VectorXd::Ones(std::ssize(kept)));
  ASSERT_EQ(some.pivots().size(), alone.pivots().size());
  if (some.pivots().size() == 0) return;
  EXPECT_LT((some.pivots() - alone.pivots()).lpNorm<Eigen::Infinity>(),
            1e-14 * (1 + some.pivots()[0]));
}

TEST(ComponentQr, has_no_pivots_where_an_entry_is_not_finite) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Identity(2, 3);
  ComponentQr qr;
  qr.compute(SparseRows::of(J), Eigen::VectorXd::Ones(2));
  EXPECT_EQ(qr.pivots(), Eigen::VectorXd::Ones(2));
  J(1, 1) = std::numeric_limits<double>::quiet_NaN();
  qr.compute(SparseRows::of(J), Eigen::VectorXd::Ones(2));
  EXPECT_FALSE(qr.is_finite());
  EXPECT_EQ(qr.pivots().size(), 0);
}

TEST(ComponentQr, no_rows_have_no_distance) {
  ComponentQr qr;
  qr.compute(SparseRows::of(Eigen::MatrixXd(0, 3)), Eigen::VectorXd());
  EXPECT_TRUE(qr.is_finite());
  EXPECT_EQ(qr.rank(1e-9), 0);
  EXPECT_TRUE(qr.distances(0).empty());
}

}  // namespace
}  // namespace trammel::component_qr_test
