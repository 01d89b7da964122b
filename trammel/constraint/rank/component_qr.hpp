// QR with column pivoting [Businger, Golub 1965] of the rows of a sparse matrix, one connected
// component after the other.
//
// The matrix is block diagonal, and its decomposition is the merge of those of the blocks: pivoting
// takes the largest remaining column of all blocks, so the pivots are those of the blocks, sorted.
// Cost: the sum of the components' cubes, linear in the number of components of one size.
#pragma once

#include <Eigen/Core>
#include <span>
#include <utility>
#include <vector>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/base/sparse_rows.hpp"

namespace trammel {

class ComponentQr {
 public:
  // Factors these rows (ascending; all if none are given), each divided by its scale where that is
  // positive.
  void compute(const SparseRows& J, const Eigen::VectorXd& scales, std::span<const int> rows);
  void compute(const SparseRows& J, const Eigen::VectorXd& scales);

  bool is_finite() const { return is_finite_; }  // false: an entry is not; then there are no pivots
  // |R_kk| of the whole matrix, not increasing: as many as the smaller of rows and columns.
  const Eigen::VectorXd& pivots() const { return pivots_; }
  // Number of pivots above `threshold` times the largest.
  int rank(double threshold) const;
  // How many of the first `rank` pivots each component has.
  std::vector<int> ranks(int rank) const;
  // Distance from rank deficiency of each component's part of the first `rank` rows: (sum of
  // s^-4)^(-1/4) over their singular values s, relative to the component's largest pivot. 1 without
  // rows, 0 if a pivot is zero.
  std::vector<double> distances(int rank) const;

 private:
  bool is_finite_ = true;
  std::vector<PivotedQr> factors_;             // of the components with rows
  std::vector<int> factor_of_;                 // per component: its index in factors_, or -1
  std::vector<std::pair<double, int>> order_;  // pivot and its component, largest pivot first
  Eigen::VectorXd pivots_;
};

}  // namespace trammel
