#include "trammel/simulate/events/load_range.hpp"

#include <algorithm>
#include <cmath>

namespace trammel {

void LoadRange::begin_here() {
  begin_ = last_;
  is_begin_known_ = is_last_known_;
}

void LoadRange::begin_step() {
  low_ = high_ = begin_;
  are_all_known_ = is_begin_known_;
}

void LoadRange::add(const WheelMultipliers& multipliers) {
  last_ = multipliers.of_rows;
  is_last_known_ = multipliers.are_known;
  are_all_known_ &= multipliers.are_known && low_.size() == last_.size();
  if (!are_all_known_) return;
  for (std::size_t k = 0; k < last_.size(); ++k) {
    low_[k] = std::min(low_[k], last_[k]);
    high_[k] = std::max(high_[k], last_[k]);
  }
}

LoadRange::Verdict LoadRange::verdict() const {
  if (!are_all_known_) return Verdict::undecided;
  double largest = 0;
  for (std::size_t k = 0; k < last_.size(); ++k)
    largest = std::max({largest, std::abs(begin_[k]), std::abs(last_[k])});
  for (std::size_t k = 0; k < last_.size(); ++k) {
    const double room = std::max(2 * std::abs(last_[k] - begin_[k]), part_of_load * largest);
    if (!(low_[k] >= std::min(begin_[k], last_[k]) - room &&
          high_[k] <= std::max(begin_[k], last_[k]) + room))
      return Verdict::peak;
  }
  return Verdict::even;
}

}  // namespace trammel
