#include "trammel/base/block_least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "trammel/base/sparse_qr.hpp"

namespace trammel {

namespace {

// Residual of the rows of the basis, relative to the right-hand side, with which a solution counts.
constexpr double most_residual = 1e-9;
constexpr int most_refinements = 4;
constexpr int most_iterations = 200;

}  // namespace

struct BlockLeastSquares::Sparse {
  Sparse(const SparseRows& A, std::span<const int> rows, std::span<const int> columns,
         double threshold)
      : A_T{int(columns.size()), {}}, threshold(threshold) {
    double longest = 0;
    for (const int row : rows) {
      SparseColumns::Column& column = A_T.columns.emplace_back();
      auto place = columns.begin();
      for (std::size_t k = 0; k < A.columns(row).size(); ++k) {
        place = std::lower_bound(place, columns.end(), A.columns(row)[k]);
        if (place == columns.end()) break;
        if (*place == A.columns(row)[k] && A.values(row)[k] != 0)
          column.emplace_back(int(place - columns.begin()), A.values(row)[k]);
      }
      longest = std::max(longest, A_T.norm(int(A_T.columns.size()) - 1));
    }
    const double relative = threshold >= 0 ? threshold
                                           : std::numeric_limits<double>::epsilon() *
                                                 double(std::max(rows.size(), columns.size()));
    const double zero = relative * longest;
    qr.compute(A_T, SparseQr::limits_of(A_T, zero), [&](int, double left) { return left > zero; });
    for (int k = 0; k < int(rows.size()); ++k)
      if (!qr.is_in_basis(k) && !A_T.columns[std::size_t(k)].empty()) others.push_back(k);
  }

  Eigen::VectorXd normal(const Eigen::VectorXd& z) const {  // (R^T R)^-1 z
    return qr.solve(qr.solve_transposed(z));
  }
  Eigen::VectorXd times(const std::vector<int>& rows, const Eigen::VectorXd& x) const {
    Eigen::VectorXd out(std::ssize(rows));
    for (std::size_t k = 0; k < rows.size(); ++k) out[Eigen::Index(k)] = A_T.dot(rows[k], x);
    return out;
  }
  Eigen::VectorXd transpose_times(const std::vector<int>& rows, const Eigen::VectorXd& y) const {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(A_T.rows);
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (const auto& [column, value] : A_T.columns[std::size_t(rows[k])])
        out[column] += value * y[Eigen::Index(k)];
    return out;
  }

  // Least x with A_S x = z; false if R has too few digits.
  bool least(const Eigen::VectorXd& z, Eigen::VectorXd& x) const {
    x.setZero(A_T.rows);
    Eigen::VectorXd left = z;
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < most_refinements; ++k) {
      const Eigen::VectorXd better = x + transpose_times(qr.basis(), normal(left));
      const Eigen::VectorXd remaining = z - times(qr.basis(), better);
      if (!(remaining.norm() < before)) break;
      before = remaining.norm();
      x = better;
      left = remaining;
    }
    return left.norm() <= most_residual * z.norm();
  }

  std::optional<Eigen::VectorXd> solve(const Eigen::VectorXd& b) const {
    const Eigen::VectorXd of_basis = b(qr.basis());
    Eigen::VectorXd x;
    if (!b.allFinite() || !least(of_basis, x)) return std::nullopt;
    if (others.empty()) return x;
    const Eigen::VectorXd missed = b(others) - times(others, x);
    const auto C_T = [&](const Eigen::VectorXd& y) {
      return normal(times(qr.basis(), transpose_times(others, y)));
    };
    const auto C = [&](const Eigen::VectorXd& z) {
      return times(others, transpose_times(qr.basis(), normal(z)));
    };
    // (I + C^T C) d = C^T missed
    Eigen::VectorXd d = Eigen::VectorXd::Zero(of_basis.size()), r = C_T(missed), p = r;
    double square = r.squaredNorm();
    const double enough = 1e-28 * (square + 1e-4 * of_basis.squaredNorm());
    if (!(square > 1e-30 * b.squaredNorm())) return x;
    for (int k = 0; k < most_iterations && square > enough; ++k) {
      const Eigen::VectorXd Ap = p + C_T(C(p));
      const double along = square / p.dot(Ap);
      d += along * p;
      r -= along * Ap;
      const double next = r.squaredNorm();
      p = r + (next / square) * p;
      square = next;
    }
    if (!(square <= 1e8 * enough) || !least(of_basis + d, x)) return std::nullopt;
    return x;
  }

  const OrthogonalDecomposition& as_dense() {
    if (!dense) {
      Eigen::MatrixXd A = Eigen::MatrixXd::Zero(std::ssize(A_T.columns), A_T.rows);
      for (std::size_t k = 0; k < A_T.columns.size(); ++k)
        for (const auto& [column, value] : A_T.columns[k]) A(Eigen::Index(k), column) = value;
      dense.emplace(A, threshold);
    }
    return *dense;
  }

  SparseColumns A_T;
  double threshold;
  SparseQr qr;
  std::vector<int> others;  // rows outside the basis with entries
  std::optional<OrthogonalDecomposition> dense;
};

BlockLeastSquares::BlockLeastSquares() = default;
BlockLeastSquares::BlockLeastSquares(BlockLeastSquares&&) noexcept = default;
BlockLeastSquares& BlockLeastSquares::operator=(BlockLeastSquares&&) noexcept = default;
BlockLeastSquares::~BlockLeastSquares() = default;

BlockLeastSquares::BlockLeastSquares(const SparseRows& A, std::span<const int> rows,
                                     std::span<const int> columns, double threshold,
                                     int most_dense) {
  if (std::ssize(rows) > most_dense)
    sparse_ = std::make_unique<Sparse>(A, rows, columns, threshold);
  else
    dense_.compute(A.block(rows, columns), threshold);
}

Eigen::MatrixXd BlockLeastSquares::solve_matrix(const ConstMatrix& B) const {
  if (!sparse_) return dense_.solve(B);
  Eigen::MatrixXd X(sparse_->A_T.rows, B.cols());
  for (Eigen::Index k = 0; k < B.cols(); ++k) {
    const Eigen::VectorXd b = B.col(k);
    const std::optional<Eigen::VectorXd> x = sparse_->solve(b);
    X.col(k) = x ? *x : Eigen::VectorXd(sparse_->as_dense().solve(b));
  }
  return X;
}

}  // namespace trammel
