// Householder QR of a matrix with at least as many rows as columns, without pivoting [Golub, Van
// Loan, algorithm 5.2.1]: A = Q R.
//
// The sequence of operations does not depend on the numbers, so that each SIMD lane may hold a
// matrix of its own. Backward stable for independent columns; a diagonal entry of R far below the
// length of its column shows columns that are dependent, and the caller then needs a method with
// pivoting. Such a lane may contain NaN, the others are not affected.
#pragma once

#include <vector>

#include "trammel/scalar/pack.hpp"
#include "trammel/scalar/scalar.hpp"

namespace trammel::kernel {

template <Scalar S> class TallQr {
 public:
  TallQr(int rows, int columns)
      : rows_(rows),
        columns_(columns),
        a_(std::size_t(rows) * std::size_t(columns)),
        diagonal_(std::size_t(columns)),
        beta_(std::size_t(columns)) {}

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  // Column of A, to be written before factor().
  S* column(int k) { return a_.data() + std::ptrdiff_t(k) * rows_; }

  void factor() {
    for (int k = 0; k < columns_; ++k) {
      S* const x = column(k);
      S squares{};
      for (int i = k; i < rows_; ++i) squares += x[i] * x[i];
      const S length = sqrt(squares);
      // the sign for which x_k - R_kk does not cancel
      diagonal_[k] = select(x[k] < S(0.0), length, -length);
      x[k] = x[k] - diagonal_[k];
      beta_[k] = S(-1.0) / (diagonal_[k] * x[k]);  // 2 / |x|^2
      for (int j = k + 1; j < columns_; ++j) reflect(k, column(j));
    }
  }
  const S& diagonal(int k) const { return diagonal_[k]; }  // R_kk

  // x <- Q^T x and x <- Q x, vectors of `rows` numbers.
  void apply_transpose(S* x) const {
    for (int k = 0; k < columns_; ++k) reflect(k, x);
  }
  void apply(S* x) const {
    for (int k = columns_; k-- > 0;) reflect(k, x);
  }
  // x <- R^-1 x and x <- R^-T x, vectors of `columns` numbers.
  void solve_upper(S* x) const {
    for (int k = columns_; k-- > 0;) {
      x[k] = x[k] / diagonal_[k];
      for (int i = 0; i < k; ++i) x[i] -= entry(i, k) * x[k];
    }
  }
  void solve_upper_transpose(S* x) const {
    for (int k = 0; k < columns_; ++k) {
      for (int i = 0; i < k; ++i) x[k] -= entry(i, k) * x[i];
      x[k] = x[k] / diagonal_[k];
    }
  }

 private:
  const S& entry(int i, int k) const {
    return a_[std::size_t(k) * std::size_t(rows_) + std::size_t(i)];
  }
  // Reflection k: the part of x along the vector in column k changes its sign.
  void reflect(int k, S* x) const {
    const S* const u = a_.data() + std::ptrdiff_t(k) * rows_;
    S sum{};
    for (int i = k; i < rows_; ++i) sum += u[i] * x[i];
    const S factor = beta_[k] * sum;
    for (int i = k; i < rows_; ++i) x[i] -= factor * u[i];
  }

  int rows_, columns_;
  std::vector<S> a_;  // above the diagonal R, from the diagonal on the vectors of the reflections
  std::vector<S> diagonal_, beta_;
};

}  // namespace trammel::kernel
