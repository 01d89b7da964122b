// Incremental selection of independent constraint rows, for every call. Internal to constraint/.
//
// Gaussian elimination on J with a preferred pivot order, each row divided by its row scale. A row
// is accepted while an entry of its residual exceeds 5 % of the scale, which keeps the selection
// constant while a vehicle moves. Remaining pivots are chosen by size. The residual of a dependent
// row is rounding; where it is larger than that and still small, QR decides (row_basis.hpp).
#pragma once

#include <Eigen/Core>
#include <vector>

namespace trammel {

class IncrementalRowSelector {
 public:
  // `order`: all rows, preferred ones first. `freedoms`: columns of J.
  void prefer(std::vector<int> order, int dofs);
  bool has_order() const { return !order_.empty(); }

  // Selects at most `most` rows; rows whose residual is rounding are never selected. `natural`:
  // ConstraintRows::row_scales(). Does not allocate
  // after the first call.
  void choose(const Eigen::MatrixXd& J, const Eigen::VectorXd& natural, int most);

  const std::vector<int>& rows() const { return rows_; }  // sorted
  int rank() const { return int(rows_.size()); }
  // Relative to the row scales: smallest pivot among the selected rows, largest residual of the
  // others.
  double weakest() const { return weakest_; }
  double left() const { return left_; }

  // The selection is beyond doubt: selected rows are far from dependent, the others dependent to
  // rounding. False if an entry of a row is not a number.
  bool is_sure() const { return are_strong() && left_ < rounding; }
  bool are_strong() const { return weakest_ > strong; }

 private:
  // a thousandth of the tolerance of rank_with_singular_values: the margin for its mass weighting
  static constexpr double rounding = 1e-12;
  static constexpr double strong = 1e-4;  // larger pivots keep their digits in a solve
  static constexpr double own = 0.05;     // residual that a row needs in the preferred order

  void take(int row);
  void reduce(int row, int pivot);  // subtracts the pivot row's part
  // Largest absolute entry; not a number if one of them is not.
  double length_of(int row) const {
    return work_.cols() > 0 ? work_.row(row).cwiseAbs().maxCoeff<Eigen::PropagateNaN>() : 0.0;
  }

  std::vector<int> order_, rows_;
  std::vector<int> taken_, waiting_;  // rows, in the order of elimination
  std::vector<int> column_;           // per selected row: pivot column, 1 there and 0 in later rows
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> work_;
  int dofs_ = 0;
  double weakest_ = 0, left_ = 0;
};

}  // namespace trammel
