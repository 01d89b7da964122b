#include "trammel/constraint/rank/row_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "trammel/base/sparse_cholesky.hpp"

namespace trammel {

namespace {

void sort_without_repeats(std::vector<int>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

void RowDistance::choose(const SparseRows& J, const std::vector<int>& rows) {
  const std::size_t n = rows.size();
  std::vector<std::vector<int>> in_column(std::size_t(J.cols()));
  for (std::size_t k = 0; k < n; ++k)
    for (const int column : J.columns(rows[k])) in_column[std::size_t(column)].push_back(int(k));
  std::vector<std::vector<int>> neighbors(n);
  std::vector<std::size_t> seen_by(n, n);
  for (std::size_t k = 0; k < n; ++k) {
    seen_by[k] = k;
    for (const int column : J.columns(rows[k]))
      for (const int other : in_column[std::size_t(column)])
        if (std::exchange(seen_by[std::size_t(other)], k) != k) neighbors[k].push_back(other);
    std::ranges::sort(neighbors[k]);
  }
  std::vector<int> order = minimum_degree_order(neighbors);
  std::ranges::stable_sort(order, {},
                           [&](int row) { return J.component_of_row(rows[std::size_t(row)]); });
  std::vector<int> turn(n);  // of a row: when it is eliminated
  for (std::size_t k = 0; k < n; ++k) turn[std::size_t(order[k])] = int(k);

  // columns of a row of the factor: those of A A^T, and of the rows whose first column it is
  // [George, Liu 1981, chapter 5]
  std::vector<std::vector<int>> later(n), children(n);
  start_.clear();
  column_.clear();
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<int>& after = later[k];
    for (const int other : neighbors[std::size_t(order[k])])
      after.push_back(turn[std::size_t(other)]);
    for (const int child : children[k]) {
      const std::vector<int>& of_child = later[std::size_t(child)];
      after.insert(after.end(), of_child.begin(), of_child.end());
    }
    std::erase_if(after, [&](int other) { return other <= int(k); });
    sort_without_repeats(after);
    if (!after.empty()) children[std::size_t(after.front())].push_back(int(k));
    start_.push_back(int(column_.size()));
    column_.push_back(int(k));
    column_.insert(column_.end(), after.begin(), after.end());
  }
  start_.push_back(int(column_.size()));
  series_.assign(column_.size(), Series{});
  const auto place = [&](int row, int column) {
    const auto begin = column_.begin() + start_[std::size_t(row)],
               end = column_.begin() + start_[std::size_t(row) + 1];
    return int(std::lower_bound(begin, end, column) - column_.begin());
  };

  rows_.clear();
  first_entry_.clear();
  int entries = 0;
  std::vector<std::vector<std::pair<int, int>>> columns(in_column.size());  // turn, entry
  for (std::size_t k = 0; k < n; ++k) {
    rows_.push_back(rows[std::size_t(order[k])]);
    first_entry_.push_back(entries);
    for (const int column : J.columns(rows_.back()))
      columns[std::size_t(column)].emplace_back(int(k), entries++);
  }
  entries_.assign(std::size_t(entries), 0.0);

  begin_.clear();
  products_.clear();
  std::size_t next = 0;
  for (int c = 0; c <= int(J.components().size()); ++c) {
    while (next < n && J.component_of_row(rows_[next]) < c) ++next;
    begin_.push_back({int(next), int(products_.size())});
    if (c == int(J.components().size())) break;
    for (const int which : J.components()[std::size_t(c)].columns) {
      const std::vector<std::pair<int, int>>& column = columns[std::size_t(which)];
      for (std::size_t a = 0; a < column.size(); ++a)
        for (std::size_t b = a; b < column.size(); ++b)
          products_.push_back(
              {column[a].second, column[b].second, place(column[a].first, column[b].first)});
    }
  }
}

double RowDistance::of_component(int component, const SparseRows& J,
                                 const Eigen::VectorXd& scales) {
  const Begin begin = begin_[std::size_t(component)], end = begin_[std::size_t(component) + 1];
  if (begin.row == end.row) return 1;
  constexpr double eps = std::numeric_limits<double>::epsilon();
  factored_rows_ += end.row - begin.row;
  double longest = 0;
  for (std::size_t k = std::size_t(begin.row); k < std::size_t(end.row); ++k) {
    const double scale = scales[rows_[k]], over = scale > 0 ? 1 / scale : 1;
    double* to = entries_.data() + first_entry_[k];
    double sum = 0;
    for (const double x : J.values(rows_[k])) {
      *to = over * x;
      sum += *to * *to;
      ++to;
    }
    if (!std::isfinite(sum)) return std::numeric_limits<double>::quiet_NaN();
    longest = std::max(longest, sum);
  }
  if (!(longest > 0)) return 0;
  std::fill(series_.begin() + start_[std::size_t(begin.row)],
            series_.begin() + start_[std::size_t(end.row)], Series{});
  // plain arrays: nearly all of the time is in these loops
  Series* const series = series_.data();
  const double* const entries = entries_.data();
  const int *const start = start_.data(), *const column = column_.data();
  for (int k = begin.product; k < end.product; ++k) {
    const auto& [a, b, target] = products_[std::size_t(k)];
    series[target].c[0] += entries[a] * entries[b];
  }
  for (int k = begin.row; k < end.row; ++k) series[start[k]].c[1] = 1;

  double trace = 0;  // of (A A^T)^-2
  for (int k = begin.row; k < end.row; ++k) {
    const Series* const row = series + start[k];
    const int* const columns = column + start[k];
    const int after = start[k + 1] - start[k] - 1;
    const auto [d, d1, d2] = row[0].c;
    if (!(d > eps * longest)) return 0;
    const double inverse = 1 / d, slope = d1 * inverse;
    trace += slope * slope - 2 * d2 * inverse;
    for (int a = 1; a <= after; ++a) {
      const auto [w, w1, w2] = row[a].c;
      // w(t) / d(t)
      const double f = w * inverse, f1 = (w1 - f * d1) * inverse,
                   f2 = (w2 - f * d2 - f1 * d1) * inverse;
      int target = start[columns[a]];
      for (int b = a; b <= after; ++b) {
        const auto [x, x1, x2] = row[b].c;
        while (column[target] != columns[b]) ++target;
        double* const to = series[target].c;
        to[0] -= f * x;
        to[1] -= f * x1 + f1 * x;
        to[2] -= f * x2 + f1 * x1 + f2 * x;
      }
    }
  }
  return trace > 0 ? 1 / std::sqrt(longest * std::sqrt(trace)) : 0;
}

}  // namespace trammel
