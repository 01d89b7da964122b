// Rank-revealing QR decomposition of a sparse matrix: a basis of independent columns and, for every
// other column, its distance from their span and its coefficients in the basis.
//
// Columns are eliminated by orthogonal reflections of the rows that have an entry in them
// (RowFronts), in the order of approximate minimum degree (COLAMD [Davis, Gilbert, Larimore, Ng
// 2004]); all columns that a front shares with no other are eliminated together, in place [Liu
// 1986]. Pivoting is local [Heath 1982]: a column of which little remains waits until all others
// are eliminated, and competes then with the others that waited. Q is not kept; solutions use R
// alone and are refined (seminormal equations [Bjorck 1987]). Cost: the sum of the squares of the
// rows of R; linear for matrices that are narrow bands in some order.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
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

// Order in which to eliminate the columns so that R stays sparse.
std::vector<int> column_order(const SparseColumns& A);

class SparseQr {
 public:
  // Per column, on the length of what remains of it: at most `zero`, it is dependent; above
  // `pivot`, it is taken at once.
  struct Limits {
    Eigen::VectorXd zero, pivot;
  };
  // The same `zero` for all; a column of which less than `strong_part` remains waits for stronger
  // ones, so that pivots chosen locally stay independent enough to keep their digits. Loops over a
  // tree of depth d differ by 1/d of their length: they must not wait, or fronts grow.
  static constexpr double strong_part = 0.001;
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
  // Estimate of the largest sum over i of weight_i |R^-1|_ik over the columns k of R^-1, the 1-norm
  // of diag(weights) R^-1 [Higham 2002, algorithm 15.1]: at most the sum, seldom less than a third.
  // weights: in the order of the basis.
  double weighted_inverse_norm(const Eigen::VectorXd& weights) const;

 private:
  void take_pivot(int column, double diagonal);
  void eliminate_inside(RowFront& front, int inside, const Limits& limits);
  // Of these columns, those that wait and of which nothing remains.
  void drop_dependent(std::span<const int> columns, const Limits& limits);
  void choose_among_waiting(const Accept& accept);

  RowFronts fronts_;
  std::vector<int> basis_;
  std::vector<int> place_;         // per column: in the basis, or -1
  std::vector<int> order_, turn_;  // columns in the order of elimination; turn of each
  std::vector<char> is_done_;      // its turn was, or it was eliminated with an earlier one
  std::vector<char> is_waiting_;
  Eigen::VectorXd diagonal_, remainder_;
  std::vector<SparseColumns::Column>
      R_;  // per column: place in the basis and entry of R above the diagonal
};

}  // namespace trammel
