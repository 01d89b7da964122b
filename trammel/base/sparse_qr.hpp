// Rank-revealing QR decomposition of a sparse matrix: a basis of independent columns and, for every
// other column, its distance from their span and its coefficients in the basis.
//
// Columns are eliminated by orthogonal reflections of the rows that have an entry in them
// (RowFronts), those coupled to the fewest others first: minimum degree, with the fronts as
// elements of a quotient graph [George, Liu 1989]. Pivoting is local [Heath 1982]: a column of
// which little remains waits until all others are eliminated, and competes then with the others
// that waited. Q is not kept; solutions use R alone and are refined (seminormal equations [Bjorck
// 1987]). Cost: the sum of the squares of the rows of R; linear for matrices that are narrow bands
// in some order.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <utility>
#include <vector>

#include "trammel/base/row_fronts.hpp"

namespace trammel {

// A component of a sparse matrix with more rows is large: it is decomposed by sparse QR, not as a
// dense block. Tests lower it, so that small mechanisms are solved by both.
inline int most_dense_rows = 64;

// A sparse matrix by columns: row and value of each entry.
struct SparseColumns {
  using Column = std::vector<std::pair<int, double>>;
  int rows = 0;
  std::vector<Column> columns;

  Eigen::VectorXd operator*(const Eigen::VectorXd& x) const;
  double dot(int column, const Eigen::VectorXd& y) const;
  double norm(int column) const;
};

class SparseQr {
 public:
  // Per column, on the length of what remains of it: at most `zero`, it is dependent; above
  // `pivot`, it is taken at once.
  struct Limits {
    Eigen::VectorXd zero, pivot;
  };
  // The same `zero` for all; a column of which less than `strong_part` remains waits for stronger
  // ones, so that pivots chosen locally stay independent enough to keep their digits.
  static constexpr double strong_part = 0.05;
  static Limits limits_of(const SparseColumns& A, double zero);
  // Whether a column that waited, with this remainder, joins the basis; the longest remainder is
  // asked first.
  using Accept = std::function<bool(int column, double remainder)>;

  void compute(const SparseColumns& A, const Limits& limits, const Accept& accept);

  const std::vector<int>& basis() const { return basis_; }  // columns, in the order of elimination
  const Eigen::VectorXd& diagonal() const { return diagonal_; }  // |R_kk|, in that order
  std::size_t entries() const;                                   // of R, above the diagonal
  bool is_in_basis(int column) const { return place_[std::size_t(column)] >= 0; }
  // Length of what remains of a column outside the basis, at most; 0 if it was dropped as
  // dependent.
  double remainder(int column) const { return remainder_[column]; }

  // Coefficients of a column outside the basis by the columns in it, least squares: place in the
  // basis and value. Values far below rounding of the largest are left out.
  std::vector<std::pair<int, double>> coefficients(int column) const;
  Eigen::VectorXd solve_transposed(Eigen::VectorXd b) const;  // R^-T b
  Eigen::VectorXd solve(Eigen::VectorXd b) const;             // R^-1 b
  // The part of b that is orthogonal to the columns of A in the basis: b - A_S (R^T R)^-1 A_S^T b,
  // repeated until A_S^T b is rounding.
  Eigen::VectorXd orthogonal_part(const SparseColumns& A, Eigen::VectorXd b) const;
  // Largest and smallest singular value of the columns in the basis: power iteration and inverse
  // iteration, from inside the true interval; each is off by a few percent at most, but for bad
  // luck of the start [Kuczynski, Wozniakowski 1992]. 1 without columns.
  double largest_singular_value() const;
  double least_singular_value() const;

 private:
  void eliminate(RowFront& front, int column);
  void order_and_eliminate(const Limits& limits);
  void choose_among_waiting(const Accept& accept);

  RowFronts fronts_;
  std::vector<int> basis_;
  std::vector<int> place_;  // per column: in the basis, or -1
  std::vector<char> is_waiting_;
  Eigen::VectorXd diagonal_, remainder_;
  std::vector<SparseColumns::Column>
      R_;  // per column: place in the basis and entry of R above the diagonal
};

}  // namespace trammel
