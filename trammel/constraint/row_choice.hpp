// Which rows are independent at a state, for those who ask at every call. For this room only.
//
// Gauss's elimination on J, each row measured by how long it could be. Rows are taken in an order
// that is said once, each as long as much of it is its own, so that the choice stays the same while
// a vehicle moves; only then the strongest of those that are left. What is left of a row that
// depends on others is rounding; where it is more than that, and little, QR has to say (rank_plan).
#pragma once

#include <Eigen/Core>
#include <vector>

namespace trammel {

class RowChoice {
 public:
  // All rows, those to be taken first at the beginning; J has so many columns.
  void prefer(std::vector<int> order, int freedoms);
  bool has_order() const { return !order_.empty(); }

  // At most `most` rows; those that are rounding next to the others are never taken. `natural`:
  // Rows::natural_lengths(). Allocates nothing.
  void choose(const Eigen::MatrixXd& J, const Eigen::VectorXd& natural, int most);

  const std::vector<int>& rows() const { return rows_; }  // sorted
  int rank() const { return int(rows_.size()); }
  // Of each row's length: what the weakest that was taken has of its own, and the strongest that
  // was not.
  double weakest() const { return weakest_; }
  double left() const { return left_; }

  // Nobody could judge otherwise: those taken are far from dependent, the others are so to
  // rounding.
  bool is_sure() const { return are_strong() && left_ < rounding; }
  bool are_strong() const { return weakest_ > strong; }

 private:
  // a thousandth of what decide_rank calls dependent: what inertia makes of a row lies between
  static constexpr double rounding = 1e-12;
  static constexpr double strong = 1e-4;  // solved for, it keeps its digits
  static constexpr double own = 0.05;     // much of it

  void take(int row);
  void reduce(int row, int pivot);  // takes away what of it is the pivot's
  double length_of(int row) const { return work_.row(row).lpNorm<Eigen::Infinity>(); }

  std::vector<int> order_, rows_;
  std::vector<int> taken_, waiting_;  // rows, in the order of elimination
  std::vector<int> column_;           // per row that is taken: where it is 1 and later ones 0
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> work_;
  double weakest_ = 0, left_ = 0;
};

}  // namespace trammel
