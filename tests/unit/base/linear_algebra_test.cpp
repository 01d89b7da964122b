// Matrix decompositions: results, and behavior for matrices without rows or columns.
#include "trammel/base/linear_algebra.hpp"

#include <gtest/gtest.h>

#include <random>

namespace trammel::linear_algebra_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random(Eigen::Index rows, Eigen::Index columns, unsigned seed = 1) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(engine); });
}

// 5 to 8 random numbers per row, condition numbers below 1e3
constexpr double rounding = 1e-11;

TEST(LinearAlgebra, solves_square_systems) {
  const MatrixXd A = random(6, 6), B = random(6, 2, 2), S = A * A.transpose();
  EXPECT_LT((A * FullPivotLu(A).solve(B) - B).norm(), rounding);
  EXPECT_LT((A * Lu().compute(A).solve(B) - B).norm(), rounding);
  EXPECT_LT((A * inverse(A) - MatrixXd::Identity(6, 6)).norm(), rounding);
  EXPECT_LT((S * Llt(S).solve(B) - B).norm(), 1e3 * rounding);
  EXPECT_LT((S * Ldlt(S).solve(B) - B).norm(), 1e3 * rounding);
  const Llt llt(S);
  EXPECT_TRUE(llt.is_regular());
  EXPECT_LT((llt.solve_upper(llt.solve_lower(B)) - llt.solve(B)).norm(), 1e3 * rounding);
  EXPECT_FALSE(Llt(-S).is_positive_definite());
  const ComplexLu lu = std::move(ComplexLu().compute(A * std::complex<double>(1, 2)));
  EXPECT_LT(
      (std::complex<double>(1, 2) * (A * lu.solve(B.cast<std::complex<double>>())) - B).norm(),
      rounding);
}

TEST(LinearAlgebra, finds_least_squares_and_ranks) {
  const MatrixXd A = random(8, 3) * random(3, 5, 2), B = random(8, 1, 3);
  EXPECT_EQ(PivotedQr(A).rank(), 3);
  EXPECT_EQ(OrthogonalDecomposition(A).rank(), 3);
  EXPECT_EQ(FullPivotLu(A).rank(), 3);
  EXPECT_LT((A * FullPivotLu(A).kernel()).norm(), rounding);
  const VectorXd x = OrthogonalDecomposition(A).solve(B);
  EXPECT_LT((A.transpose() * (A * x - B)).norm(), rounding);              // least squares,
  EXPECT_LT((FullPivotLu(A).kernel().transpose() * x).norm(), rounding);  // of minimum norm
  EXPECT_LT((OrthogonalDecomposition(A).pseudo_inverse() * B - x).norm(), rounding);
  const MatrixXd T = random(8, 5, 4);
  EXPECT_LT((Qr(T).thin_q() * Qr(T).r() - T).norm(), rounding);
  EXPECT_LT((T.transpose() * (T * Qr(T).solve(B) - B)).norm(), rounding);
  EXPECT_LT((T.transpose() * T * Qr(T).solve_normal(B.topRows(5)) - B.topRows(5)).norm(),
            1e3 * rounding);
  const PivotedQr pivoted(T);
  EXPECT_LT((pivoted.q().leftCols(5) * pivoted.r() - T(Eigen::all, pivoted.order())).norm(),
            rounding);
}

TEST(LinearAlgebra, finds_singular_values_and_eigenvalues) {
  const MatrixXd A = random(6, 4);
  const Svd full = svd(A, Basis::full, Basis::full), thin = svd(A, Basis::thin, Basis::thin);
  EXPECT_LT((thin.U * thin.values.asDiagonal() * thin.V.transpose() - A).norm(), rounding);
  EXPECT_EQ(full.U.cols(), 6);
  EXPECT_LT((A.transpose() * full.U.rightCols(2)).norm(), rounding);
  EXPECT_LT((singular_values(A) - full.values).norm(), rounding);
  const MatrixXd S = A.transpose() * A;
  const SymmetricEigen eigen = symmetric_eigen(S);
  EXPECT_LT((S * eigen.vectors - eigen.vectors * eigen.values.asDiagonal()).norm(), rounding);
  EXPECT_LT((symmetric_eigenvalues(S) - eigen.values).norm(), rounding);
  const MatrixXd G = random(5, 5, 7);
  const GeneralEigen general = general_eigen(G);
  EXPECT_LT((G * general.vectors - general.vectors * general.values.asDiagonal()).norm(), rounding);
}

TEST(LinearAlgebra, is_defined_for_empty_matrices) {
  for (const auto& [rows, columns] : {std::pair{0, 0}, {0, 3}, {3, 0}}) {
    const MatrixXd A(rows, columns);
    const MatrixXd B = MatrixXd::Ones(rows, 2);
    EXPECT_EQ(PivotedQr(A).rank(), 0);
    EXPECT_EQ(PivotedQr(A).q().rows(), rows);
    EXPECT_EQ(PivotedQr(A).r().cols(), columns);
    EXPECT_EQ(OrthogonalDecomposition(A).rank(), 0);
    EXPECT_EQ(OrthogonalDecomposition(A).solve(B), MatrixXd::Zero(columns, 2));
    EXPECT_EQ(OrthogonalDecomposition(A).pseudo_inverse(), MatrixXd::Zero(columns, rows));
    EXPECT_EQ(FullPivotLu(A).rank(), 0);
    EXPECT_EQ(FullPivotLu(A).solve(B), MatrixXd::Zero(columns, 2));
    EXPECT_EQ(FullPivotLu(A).kernel(), MatrixXd::Identity(columns, columns));
    EXPECT_EQ(svd(A, Basis::full, Basis::full).U, MatrixXd::Identity(rows, rows));
    EXPECT_EQ(svd(A, Basis::full, Basis::full).V, MatrixXd::Identity(columns, columns));
    EXPECT_EQ(singular_values(A).size(), 0);
    EXPECT_EQ(full_pivot_q(A), MatrixXd::Identity(rows, rows));
    EXPECT_EQ(Qr(A).q(), MatrixXd::Identity(rows, rows));
    EXPECT_EQ(max_abs(A), 0);
    EXPECT_EQ(max_entry(A), 0);
    EXPECT_EQ(min_entry(A, 7), 7);
  }
  const MatrixXd none(0, 0);
  EXPECT_TRUE(Llt(none).is_regular());
  EXPECT_EQ(Llt(none).solve(MatrixXd(0, 2)).cols(), 2);
  EXPECT_EQ(Ldlt(none).solve(MatrixXd(0, 2)).cols(), 2);
  EXPECT_EQ(symmetric_eigen(none).values.size(), 0);
  EXPECT_EQ(general_eigen(none).values.size(), 0);
  EXPECT_EQ(inverse(none).size(), 0);
  Eigen::Index where = 5;
  EXPECT_EQ(max_abs(VectorXd(0), where), 0);
  EXPECT_EQ(where, 0);
}

// A matrix of rounding errors has full rank relative to itself; with an absolute threshold its rank
// is 0.
TEST(LinearAlgebra, a_matrix_of_zeros_has_no_rank) {
  const MatrixXd A = MatrixXd::Zero(4, 3);
  EXPECT_EQ(PivotedQr(A, 1e-9).rank(), 0);
  EXPECT_EQ(OrthogonalDecomposition(A, 1e-9).solve(VectorXd::Ones(4)), VectorXd::Zero(3));
  EXPECT_EQ(FullPivotLu(A).kernel(), MatrixXd::Identity(3, 3));
}

}  // namespace
}  // namespace trammel::linear_algebra_test
