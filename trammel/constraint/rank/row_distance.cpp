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
  rows_ = rows;
  first_entry_.clear();
  products_.clear();
  const std::size_t n = rows.size();
  // entries of each column
  std::vector<std::vector<std::pair<int, int>>> columns(std::size_t(J.cols()));  // row, entry
  int entries = 0;
  for (std::size_t k = 0; k < n; ++k) {
    first_entry_.push_back(entries);
    for (const int column : J.columns(rows[k]))
      columns[std::size_t(column)].emplace_back(int(k), entries++);
  }
  entries_.assign(std::size_t(entries), 0.0);
  std::vector<std::set<int>> graph(n);
  for (const auto& column : columns)
    for (const auto& [row, entry] : column)
      for (const auto& [other, place] : column)
        if (row != other) graph[std::size_t(row)].insert(other);

  std::vector<std::vector<int>> neighbors(n);
  for (std::size_t k = 0; k < n; ++k) neighbors[k].assign(graph[k].begin(), graph[k].end());
  const std::vector<int> order = minimum_degree_order(neighbors);
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
  targets_.clear();
  for (const int row : order) {
    const std::vector<int>& after = later[std::size_t(row)];
    for (std::size_t a = 0; a < after.size(); ++a)
      for (std::size_t b = a; b < after.size(); ++b)
        targets_.push_back(place.at({after[a], after[b]}));
  }
  for (const auto& column : columns)
    for (std::size_t a = 0; a < column.size(); ++a)
      for (std::size_t b = a; b < column.size(); ++b) {
        const auto pair =
            std::minmax(turn[std::size_t(column[a].first)], turn[std::size_t(column[b].first)]);
        products_.push_back({column[a].second, column[b].second, place.at(pair)});
      }
}

double RowDistance::at(const SparseRows& J, const Eigen::VectorXd& scales) {
  if (rows_.empty()) return 1;
  constexpr double eps = std::numeric_limits<double>::epsilon();
  double longest = 0;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
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
  std::ranges::fill(series_, Series{});
  for (const Product& product : products_)
    series_[std::size_t(product.target)].c[0] +=
        entries_[std::size_t(product.a)] * entries_[std::size_t(product.b)];
  for (std::size_t k = 0; k + 1 < start_.size(); ++k) series_[std::size_t(start_[k])].c[1] = 1;

  double trace = 0;  // of (A A^T)^-2
  const int* target = targets_.data();
  for (std::size_t k = 0; k + 1 < start_.size(); ++k) {
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
