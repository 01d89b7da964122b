// Householder QR of a matrix with at least as many rows as columns, without pivoting [Golub, Van
// Loan, algorithm 5.2.1]: A = Q R.
//
// The sequence of operations does not depend on the numbers, so that each SIMD lane may hold a
// matrix of its own; of a matrix of doubles, a register holds several rows. Backward stable for
// independent columns; a diagonal entry of R far below the length of its column shows columns that
// are dependent, and the caller then needs a method with pivoting. Such a lane may contain NaN, the
// others are not affected.
#pragma once

#include <algorithm>
#include <concepts>
#include <vector>

#include "trammel/base/aligned.hpp"
#include "trammel/dynamics/kernel/loops/propagated_rows.hpp"
#include "trammel/dynamics/kernel/simd/row_register.hpp"
#include "trammel/scalar/pack.hpp"

namespace trammel::kernel {

// Scalar product of numbers and of registers with a vector in each lane; four sums, so that the
// additions need not wait. x <- x - factor u.
template <Scalar S, Scalar X> X scalar_product(const S* u, const X* x, int n) {
  X a{}, b{}, c{}, d{};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    a += u[i] * x[i];
    b += u[i + 1] * x[i + 1];
    c += u[i + 2] * x[i + 2];
    d += u[i + 3] * x[i + 3];
  }
  for (; i < n; ++i) a += u[i] * x[i];
  return (a + b) + (c + d);
}
template <Scalar S, Scalar X> void subtract_multiple(const S* u, const X& factor, X* x, int n) {
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    x[i] -= u[i] * factor;
    x[i + 1] -= u[i + 1] * factor;
    x[i + 2] -= u[i + 2] * factor;
    x[i + 3] -= u[i + 3] * factor;
  }
  for (; i < n; ++i) x[i] -= u[i] * factor;
}

template <Scalar S> class TallQr {
 public:
  TallQr(int rows, int columns)
      : rows_(rows),
        columns_(columns),
        stride_(padded(rows)),
        vectors_(std::size_t(stride_) * std::size_t(columns)),
        upper_(std::size_t(columns) * std::size_t(columns)),
        diagonal_(std::size_t(columns)),
        beta_(std::size_t(columns)) {}

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  // Length of a vector of `rows` numbers with its padding to whole registers, which must be zero.
  static int padded(int rows) { return (rows + width - 1) / width * width; }
  // Column of A, to be written before factor().
  S* column(int k) { return vectors_.data() + std::ptrdiff_t(k) * stride_; }

  void factor() {
    for (int k = 0; k < columns_; ++k) {
      S* const x = column(k);
      std::copy_n(x, k, upper_.data() + std::ptrdiff_t(k) * columns_);
      std::fill_n(x, k, S(0.0));
      const S length = sqrt(product(k, x, x));
      // the sign for which x_k - R_kk does not cancel
      diagonal_[k] = select(x[k] < S(0.0), length, -length);
      x[k] = x[k] - diagonal_[k];
      beta_[k] = S(-1.0) / (diagonal_[k] * x[k]);  // 2 / |x|^2
      for (int j = k + 1; j < columns_; ++j) reflect(k, column(j));
    }
  }
  const S& diagonal(int k) const { return diagonal_[k]; }  // R_kk

  // x <- Q^T x and x <- Q x: a padded vector, or `rows` SIMD registers with a vector in each lane.
  template <class X> void apply_transpose(X* x) const {
    for (int k = 0; k < columns_; ++k) reflect(k, x);
  }
  template <class X> void apply(X* x) const {
    for (int k = columns_; k-- > 0;) reflect(k, x);
  }
  // x <- R^-1 x and x <- R^-T x, vectors of `columns` numbers or registers.
  template <class X> void solve_upper(X* x) const {
    for (int k = columns_; k-- > 0;) {
      x[k] = x[k] / diagonal_[k];
      for (int i = 0; i < k; ++i) x[i] = x[i] - entry(i, k) * x[k];
    }
  }
  template <class X> void solve_upper_transpose(X* x) const {
    for (int k = 0; k < columns_; ++k) {
      x[k] = x[k] / diagonal_[k];
      for (int j = k + 1; j < columns_; ++j) x[j] = x[j] - entry(k, j) * x[k];
    }
  }

 private:
  using Register = RowRegister<S>;
  using R = typename Register::Type;
  static constexpr int width = Register::rows;
  // So many rows are not worth the sums over the numbers of a register.
  static constexpr int few_rows = 8;

  const S& entry(int i, int k) const {
    return upper_[std::size_t(k) * std::size_t(columns_) + std::size_t(i)];
  }
  // Scalar product of vector k, which is zero before row k, with a padded vector.
  S product(int k, const S* u, const S* x) const {
    if (rows_ <= few_rows) {
      S sum{};
      for (int i = k; i < rows_; ++i) sum += u[i] * x[i];
      return sum;
    }
    R sum{};
    for (int i = k / width * width; i < stride_; i += width)
      sum += Register::load(u + i) * Register::load(x + i);
    return sum_of_rows<S>(sum);
  }
  // Reflection k: the part of x along vector k changes its sign.
  void reflect(int k, S* x) const {
    const S* const u = vectors_.data() + std::ptrdiff_t(k) * stride_;
    const S multiple = beta_[k] * product(k, u, x);
    if (rows_ <= few_rows) {
      for (int i = k; i < rows_; ++i) x[i] -= multiple * u[i];
      return;
    }
    const R factor(multiple);
    for (int i = k / width * width; i < stride_; i += width)
      Register::store(Register::load(x + i) - factor * Register::load(u + i), x + i);
  }
  // The same of a vector in each lane.
  template <class X> void reflect(int k, X* x) const requires(!std::same_as<X, S>) {
    const S* const u = vectors_.data() + std::ptrdiff_t(k) * stride_ + k;
    subtract_multiple(u, X(beta_[k] * scalar_product(u, x + k, rows_ - k)), x + k, rows_ - k);
  }

  int rows_, columns_, stride_;
  AlignedVector<S> vectors_;  // of the reflections, column by column
  std::vector<S> upper_;      // R above the diagonal, column by column
  std::vector<S> diagonal_, beta_;
};

}  // namespace trammel::kernel
