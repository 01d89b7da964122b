#include "trammel/simulate/integrate/extrapolation.hpp"

#include <algorithm>

namespace trammel {

Extrapolation::Extrapolation(int size)
    : before_(std::size_t(size)), now_(std::size_t(size)), rhs_(std::size_t(size)) {
  for (std::vector<double>& column : column_) column.resize(std::size_t(size));
}

Status Extrapolation::by_midpoints(OdeSystem& ode, const Step& step, int n,
                                   std::vector<double>& out) {
  const double h = step.h / n;
  const std::size_t size = now_.size();
  std::ranges::copy(step.y, before_.begin());
  for (std::size_t k = 0; k < size; ++k) now_[k] = step.y[k] + h * step.y_dot[k];
  for (int i = 1; i < n; ++i) {
    if (Status status = ode.rhs(step.time + i * h, now_, rhs_); !status) return status;
    for (std::size_t k = 0; k < size; ++k) {
      const double next = before_[k] + 2 * h * rhs_[k];
      before_[k] = now_[k];
      now_[k] = next;
    }
  }
  out = now_;
  return {};
}

Status Extrapolation::take(OdeSystem& ode, const Step& step, bool& has_next_rhs) {
  has_next_rhs = false;
  const int last = int(parts.size()) - 1;
  for (int row = 0; row <= last; ++row) {
    if (Status status = by_midpoints(ode, step, parts[std::size_t(row)], column_[std::size_t(row)]);
        !status)
      return status;
  }
  // Aitken-Neville scheme, column by column, last row first
  for (int order = 1; order <= last; ++order) {
    if (order == last) std::ranges::copy(column_[std::size_t(last)], step.other.begin());
    for (int row = last; row >= order; --row) {
      const double ratio =
          double(parts[std::size_t(row)]) / double(parts[std::size_t(row - order)]);
      const double weight = 1 / (ratio * ratio - 1);
      std::vector<double>&fine = column_[std::size_t(row)], &coarse = column_[std::size_t(row - 1)];
      for (std::size_t k = 0; k < fine.size(); ++k) fine[k] += weight * (fine[k] - coarse[k]);
    }
  }
  std::ranges::copy(column_[std::size_t(last)], step.y_next.begin());
  return {};
}

}  // namespace trammel
