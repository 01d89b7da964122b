#include "trammel/constraint/rank/row_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "trammel/base/sparse_cholesky.hpp"

namespace trammel {

void RowDistance::choose(const SparseRows& J, const std::vector<int>& rows) {
  const std::size_t n = rows.size();
  std::vector<std::vector<int>> in_column(std::size_t(J.cols()));
  for (std::size_t k = 0; k < n; ++k)
    for (const int column : J.columns(rows[k])) in_column[std::size_t(column)].push_back(int(k));
  std::vector<std::set<int>> graph(n);
  for (const std::vector<int>& column : in_column)
    for (const int row : column)
      for (const int other : column)
        if (row != other) graph[std::size_t(row)].insert(other);

  std::vector<std::vector<int>> neighbors(n);
  for (std::size_t k = 0; k < n; ++k) neighbors[k].assign(graph[k].begin(), graph[k].end());
  std::vector<int> order = minimum_degree_order(neighbors);
  std::ranges::stable_sort(order, {},
                           [&](int row) { return J.component_of_row(rows[std::size_t(row)]); });
  // per row: the rows eliminated after it that its elimination fills
  std::vector<std::vector<int>> later(n);
  for (const int row : order) {
    const std::set<int> around = std::move(graph[std::size_t(row)]);
    for (const int one : around) {
      std::set<int>& of_one = graph[std::size_t(one)];
      of_one.erase(row);
      for (const int other : around)
        if (other != one) of_one.insert(other);
    }
    later[std::size_t(row)].assign(around.begin(), around.end());
  }
  std::vector<int> turn(n);  // of a row: when it is eliminated
  for (std::size_t k = 0; k < n; ++k) turn[std::size_t(order[k])] = int(k);

  rows_.clear();
  first_entry_.clear();
  int entries = 0;
  std::vector<std::vector<std::pair<int, int>>> columns(in_column.size());  // turn, entry
  for (const int row : order) {
    rows_.push_back(rows[std::size_t(row)]);
    first_entry_.push_back(entries);
    for (const int column : J.columns(rows_.back()))
      columns[std::size_t(column)].emplace_back(turn[std::size_t(row)], entries++);
  }
  entries_.assign(std::size_t(entries), 0.0);

  // places of the entries of A A^T
  std::map<std::pair<int, int>, int> place;  // by turns, the earlier first
  start_.clear();
  int count = 0;
  for (const int row : order) {
    std::vector<int>& after = later[std::size_t(row)];
    for (int& other : after) other = turn[std::size_t(other)];
    std::ranges::sort(after);
    const int own = turn[std::size_t(row)];
    start_.push_back(count);
    place[{own, own}] = count++;
    for (const int other : after) place[{own, other}] = count++;
  }
  start_.push_back(count);
  series_.assign(std::size_t(count), Series{});
  begin_.clear();
  targets_.clear();
  products_.clear();
  auto next = order.begin();
  for (int c = 0; c <= int(J.components().size()); ++c) {
    const auto is_before = [&](int row) { return J.component_of_row(rows[std::size_t(row)]) < c; };
    for (; next != order.end() && is_before(*next); ++next) {
      const std::vector<int>& after = later[std::size_t(*next)];
      for (std::size_t a = 0; a < after.size(); ++a)
        for (std::size_t b = a; b < after.size(); ++b)
          targets_.push_back(place.at({after[a], after[b]}));
    }
    begin_.push_back({int(next - order.begin()), int(products_.size()), int(targets_.size())});
    if (c == int(J.components().size())) break;
    for (const int which : J.components()[std::size_t(c)].columns) {
      const std::vector<std::pair<int, int>>& column = columns[std::size_t(which)];
      for (std::size_t a = 0; a < column.size(); ++a)
        for (std::size_t b = a; b < column.size(); ++b)
          products_.push_back(
              {column[a].second, column[b].second, place.at({column[a].first, column[b].first})});
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
  for (int k = begin.product; k < end.product; ++k) {
    const Product& product = products_[std::size_t(k)];
    series_[std::size_t(product.target)].c[0] +=
        entries_[std::size_t(product.a)] * entries_[std::size_t(product.b)];
  }
  for (std::size_t k = std::size_t(begin.row); k < std::size_t(end.row); ++k)
    series_[std::size_t(start_[k])].c[1] = 1;

  double trace = 0;  // of (A A^T)^-2
  const int* target = targets_.data() + begin.target;
  for (std::size_t k = std::size_t(begin.row); k < std::size_t(end.row); ++k) {
    const Series* const row = series_.data() + start_[k];
    const int after = start_[k + 1] - start_[k] - 1;
    const auto [d, d1, d2] = row[0].c;
    if (!(d > eps * longest)) return 0;
    const double inverse = 1 / d, slope = d1 * inverse;
    trace += slope * slope - 2 * d2 * inverse;
    for (int a = 1; a <= after; ++a) {
      const auto [w, w1, w2] = row[a].c;
      // w(t) / d(t)
      const double f = w * inverse, f1 = (w1 - f * d1) * inverse,
                   f2 = (w2 - f * d2 - f1 * d1) * inverse;
      for (int b = a; b <= after; ++b) {
        const auto [x, x1, x2] = row[b].c;
        double* const to = series_[std::size_t(*target++)].c;
        to[0] -= f * x;
        to[1] -= f * x1 + f1 * x;
        to[2] -= f * x2 + f1 * x1 + f2 * x;
      }
    }
  }
  return trace > 0 ? 1 / std::sqrt(longest * std::sqrt(trace)) : 0;
}

}  // namespace trammel
