#include "trammel/constraint/rank/incremental_row_selector.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trammel/base/linear_algebra.hpp"

namespace trammel {

void IncrementalRowSelector::prefer(std::vector<int> order, int dofs) {
  order_ = std::move(order);
  dofs_ = dofs;
  column_.resize(order_.size());
  for (std::vector<int>* rows : {&rows_, &taken_, &waiting_}) rows->reserve(order_.size());
}

void IncrementalRowSelector::choose(const Eigen::MatrixXd& J, const Eigen::VectorXd& natural,
                                    int most) {
  work_.resize(Eigen::Index(order_.size()), dofs_);  // allocates in the first call
  taken_.clear();
  waiting_.clear();
  weakest_ = 1;
  const std::size_t count = std::size_t(most);
  // in the preferred order: rows with a large residual
  for (const int row : order_) {
    work_.row(row) = J.row(row) / (natural[row] > 0 ? natural[row] : 1);
    for (const int pivot : taken_) reduce(row, pivot);
    if (taken_.size() < count && length_of(row) > own)
      take(row);
    else
      waiting_.push_back(row);
  }
  // then the largest residual of the others
  for (;;) {
    int strongest = -1;
    left_ = 0;
    for (const int row : waiting_)
      if (const double length = length_of(row); !(length <= left_)) {
        left_ = length;
        strongest = row;
        if (std::isnan(length)) break;  // the selection is not sure, whatever the other rows are
      }
    if (taken_.size() >= count || !(left_ > rounding)) break;
    std::erase(waiting_, strongest);
    take(strongest);
  }
  rows_.assign(taken_.begin(), taken_.end());
  std::ranges::sort(rows_);
}

void IncrementalRowSelector::take(int row) {
  Eigen::Index column = 0;
  weakest_ = std::min(weakest_, max_abs(work_.row(row), column));
  work_.row(row) /= work_(row, column);
  column_[std::size_t(row)] = int(column);
  taken_.push_back(row);
  for (const int other : waiting_) reduce(other, row);
}

void IncrementalRowSelector::reduce(int row, int pivot) {
  const double part = work_(row, column_[std::size_t(pivot)]);
  if (part != 0) work_.row(row) -= part * work_.row(pivot);
}

}  // namespace trammel
