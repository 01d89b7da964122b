// Sparse QR against the dense decompositions and against ranks in integers: basis, remainders,
// coefficients, singular values, orthogonal parts; fronts of rows against dense reflections.
#include "trammel/base/sparse_qr.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/exact_rank.hpp"
#include "tests/support/how_many.hpp"
#include "trammel/base/linear_algebra.hpp"

namespace trammel::sparse_qr_test {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

SparseColumns columns_of(const Eigen::MatrixXd& A) {
  SparseColumns out{int(A.rows()), {}};
  for (Eigen::Index k = 0; k < A.cols(); ++k) {
    out.columns.emplace_back();
    for (Eigen::Index i = 0; i < A.rows(); ++i)
      if (A(i, k) != 0) out.columns.back().emplace_back(int(i), A(i, k));
  }
  return out;
}

SparseQr factors_of(const Eigen::MatrixXd& A, double zero) {
  SparseQr qr;
  const SparseColumns columns = columns_of(A);
  qr.compute(columns, SparseQr::limits_of(columns, zero),
             [&](int, double left) { return left > zero; });
  return qr;
}

// Bands with random entries, some columns repeated as combinations of their neighbors.
class EverySparseBand : public testing::TestWithParam<int> {
 protected:
  EverySparseBand() {
    Random random(GetParam());
    const Eigen::Index n = 5 + GetParam() % 60, width = 2 + GetParam() % 4;
    A = Eigen::MatrixXd::Zero(n + width, n);
    for (Eigen::Index k = 0; k < n; ++k)
      for (Eigen::Index i = 0; i <= width; ++i) A(k + i, k) = random();
    independent = n;
    for (Eigen::Index k = 2; k < n; k += 3 + GetParam() % 5) {
      A.col(k) = random() * A.col(k - 1) - 0.5 * A.col(k - 2);
      if (A.col(k).norm() > 0) --independent;
    }
  }
  Eigen::MatrixXd A;
  Eigen::Index independent = 0;
};
INSTANTIATE_TEST_SUITE_P(seeds, EverySparseBand, testing::Range(1, 1 + how_many(200)));

TEST_P(EverySparseBand, has_the_rank_and_the_distances_of_dense_matrices) {
  const double zero = 1e-12;
  const SparseQr qr = factors_of(A, zero);
  EXPECT_EQ(std::ssize(qr.basis()), independent);
  EXPECT_EQ(PivotedQr(A, zero).rank(), independent);
  const Eigen::MatrixXd basis = A(Eigen::all, qr.basis());
  const OrthogonalDecomposition dense(basis);
  ASSERT_EQ(dense.rank(), independent);
  const double condition = 1 / singular_values(basis).minCoeff();
  for (int k = 0; k < int(A.cols()); ++k) {
    if (qr.is_in_basis(k)) continue;
    const Eigen::VectorXd x = dense.solve(A.col(k));
    EXPECT_LE(qr.remainder(k), zero);
    Eigen::VectorXd found = Eigen::VectorXd::Zero(x.size());
    for (const auto& [place, value] : qr.coefficients(k)) found[place] = value;
    EXPECT_LT((found - x).norm(), 1e3 * epsilon * condition * condition);
  }
}

TEST_P(EverySparseBand, has_the_singular_values_and_projections_of_dense_matrices) {
  const SparseQr qr = factors_of(A, 1e-12);
  const Eigen::MatrixXd basis = A(Eigen::all, qr.basis());
  const Eigen::VectorXd singular = singular_values(basis);
  // estimates from inside: off by a third where several are close together
  EXPECT_LE(qr.largest_singular_value(), singular[0] * (1 + 1e-9));
  EXPECT_GE(qr.largest_singular_value(), singular[0] * 0.75);
  EXPECT_GE(qr.least_singular_value(), min_entry(singular) * (1 - 1e-6));
  EXPECT_LE(qr.least_singular_value(), min_entry(singular) / 0.75);
  Random random(GetParam() + 1000);
  Eigen::VectorXd b(A.rows());
  for (double& x : b) x = random();
  const Eigen::VectorXd left = qr.orthogonal_part(columns_of(A), b);
  EXPECT_LT((left - (b - basis * least_squares(basis, b))).norm(), 1e-12 * b.norm());
}

TEST_P(EverySparseBand, solves_with_its_triangle) {
  const SparseQr qr = factors_of(A, 1e-12);
  const Eigen::MatrixXd basis = A(Eigen::all, qr.basis());
  const Eigen::MatrixXd normal = basis.transpose() * basis;  // R^T R
  Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(basis.cols(), -1, 2);
  const Eigen::VectorXd x = qr.solve(qr.solve_transposed(b));
  EXPECT_LT((normal * x - b).norm(), 1e3 * epsilon * normal.norm() * x.norm());
}

class EveryExactRank : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(seeds, EveryExactRank, testing::Range(1, 1 + how_many(300)));

TEST_P(EveryExactRank, has_its_exact_rank) {
  const IntegerMatrix exact = random_integer_matrix(GetParam());
  const Eigen::MatrixXd A = as_doubles(exact).transpose();
  EXPECT_EQ(int(factors_of(A, 1e-11).basis().size()), exact_rank(exact));
}

// Of columns a, b, a + 1e-6 b' those are chosen that keep their digits: not a and its neighbor.
TEST(SparseQr, leaves_a_weak_pivot_for_the_end) {
  Eigen::MatrixXd A(3, 3);
  A << 1, 1, 0,    //
      0, 1e-6, 1,  //
      0, 0, 1;
  const SparseQr qr = factors_of(A, 1e-15);
  ASSERT_EQ(qr.basis().size(), 3u);
  EXPECT_NE(qr.basis()[2], 2);
  EXPECT_LT(qr.diagonal()[2], 1e-6);
  EXPECT_GT(qr.diagonal()[1], 0.5);
}

TEST(SparseQr, of_nothing_is_empty) {
  SparseQr qr;
  qr.compute({}, {}, [](int, double) { return true; });
  EXPECT_TRUE(qr.basis().empty());
  EXPECT_EQ(qr.least_singular_value(), 1);
  SparseColumns zero{3, {{}, {}}};
  qr.compute(zero, {Eigen::VectorXd::Zero(2), Eigen::VectorXd::Zero(2)},
             [](int, double) { return true; });
  EXPECT_TRUE(qr.basis().empty());
  EXPECT_EQ(qr.remainder(0), 0);
}

// Of bands, by the dense inverse; the estimate is a lower bound [Higham 2002, section 15.3].
TEST_P(EverySparseBand, bounds_the_norm_of_its_inverse) {
  const SparseQr qr = factors_of(A, 1e-12);
  const Eigen::MatrixXd basis = A(Eigen::all, qr.basis());
  const Eigen::MatrixXd R =
      Llt(basis.transpose() * basis)
          .solve_upper(Eigen::MatrixXd::Identity(basis.cols(), basis.cols()));  // R^-1, up to signs
  const Eigen::VectorXd weights = Eigen::VectorXd::LinSpaced(basis.cols(), 0.5, 3);
  const double exact = (weights.asDiagonal() * R.cwiseAbs()).colwise().sum().maxCoeff();
  EXPECT_LE(qr.weighted_inverse_norm(weights), exact * (1 + 1e-6));
  EXPECT_GE(qr.weighted_inverse_norm(weights), exact / 3);
}

// Loops over two posts of a tall tree: column k of a strip has entries at the joints 0 to k of both
// posts, their lever arms, so that of a column hundreds long all but one is in its neighbors. None
// of them waits: R has the entries of the strips, each coupled with the next one.
TEST(SparseQr, of_strips_of_long_columns_fills_in_by_strips) {
  const int n = 40;  // strips, and columns in each
  SparseColumns A{(2 * n + 1) * n, {}};
  for (int strip = 0; strip < n; ++strip)
    for (int k = 0; k < n; ++k) {
      SparseColumns::Column& column = A.columns.emplace_back();
      for (const int post : {strip, strip + 1})
        for (int i = 0; i <= k; ++i)
          column.emplace_back(post * n + i, (post == strip ? 1.0 : -1.0) * (0.2 + k - i));
      column.emplace_back((n + 1) * n + strip * n + k, 1.0);
    }
  SparseQr qr;
  qr.compute(A, SparseQr::limits_of(A, 1e-12), [](int, double) { return true; });
  EXPECT_EQ(int(qr.basis().size()), n * n);
  EXPECT_LE(qr.entries(), std::size_t(2 * n * n * n));  // n rows of a strip, n + n / 2 entries each
}

// A ladder of n rungs: columns that share rows with their neighbors only. The rows of R stay short,
// whatever n is: the entries per column do not grow.
TEST(SparseQr, of_a_long_band_has_short_rows) {
  for (const int n : {1000, 4000}) {
    SparseColumns A{n + 1, {}};
    for (int k = 0; k < n; ++k) A.columns.push_back({{k, -1.0}, {k + 1, 1.0}});
    SparseQr qr;
    const Eigen::VectorXd zero = Eigen::VectorXd::Constant(n, 1e-12);
    qr.compute(A, {zero, zero}, [](int, double) { return true; });
    ASSERT_EQ(int(qr.basis().size()), n);
    // path graph: 2 sin(pi / (2 (n + 1)))
    const double exact = 2 * std::sin(std::numbers::pi / (2 * (n + 1)));
    EXPECT_NEAR(qr.least_singular_value(), exact, 0.1 * exact);
    EXPECT_LE(qr.entries(), std::size_t(4 * n));
  }
}

}  // namespace
}  // namespace trammel::sparse_qr_test
