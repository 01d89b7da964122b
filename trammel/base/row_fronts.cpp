#include "trammel/base/row_fronts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trammel/base/linear_algebra.hpp"

namespace trammel {

namespace {

// Places in `columns` (ascending) where `column` is, or would be.
std::size_t place_of(const std::vector<int>& columns, int column) {
  return std::size_t(std::ranges::lower_bound(columns, column) - columns.begin());
}

void keep_columns(RowFront& front, const std::vector<int>& kept) {
  std::vector<int> columns;
  for (const int k : kept) columns.push_back(front.columns[std::size_t(k)]);
  front.rows = front.rows(Eigen::all, kept).eval();
  front.columns = std::move(columns);
}

}  // namespace

PivotRow eliminate_column(RowFront& front, int column) {
  const auto at = Eigen::Index(place_of(front.columns, column));
  Eigen::MatrixXd& rows = front.rows;
  const Eigen::Index m = rows.rows(), n = rows.cols();
  if (m > 1) {
    Eigen::VectorXd x = rows.col(at);
    const double norm = x.norm();
    if (norm > 0) {  // H = I - 2 x x^T / (x^T x), H a = -+ |a| e_1
      x[0] += x[0] < 0 ? -norm : norm;
      const Eigen::RowVectorXd parts = (2 / x.squaredNorm()) * (x.transpose() * rows);
      rows.noalias() -= x * parts;
    }
  }
  PivotRow pivot{column, rows(0, at), {}, Eigen::VectorXd(n - 1)};
  Eigen::MatrixXd left(m - 1, n - 1);
  Eigen::Index to = 0;
  for (Eigen::Index k = 0; k < n; ++k) {
    if (k == at) continue;
    pivot.columns.push_back(front.columns[std::size_t(k)]);
    pivot.values[to] = rows(0, k);
    left.col(to++) = rows.col(k).tail(m - 1);
  }
  front.columns.erase(front.columns.begin() + at);
  front.rows = std::move(left);
  return pivot;
}

RowFronts::RowFronts(int columns)
    : of_column_(std::size_t(columns)), place_(std::size_t(columns), -1) {}

void RowFronts::add(RowFront front) {
  std::vector<int> kept;
  for (Eigen::Index k = 0; k < front.rows.cols(); ++k)
    if (front.rows.rows() > 0 && max_abs(front.rows.col(k)) > 0) kept.push_back(int(k));
  if (kept.empty()) return;
  if (kept.size() < front.columns.size()) keep_columns(front, kept);
  if (front.rows.rows() > front.rows.cols()) front.rows = Qr(front.rows).r();
  int id = int(fronts_.size());
  if (!free_.empty()) {
    id = free_.back();
    free_.pop_back();
  } else {
    fronts_.emplace_back();
  }
  for (const int column : front.columns) of_column_[std::size_t(column)].push_back(id);
  fronts_[std::size_t(id)] = std::move(front);
}

// A place is used again, so that a column may list a front that no longer has it.
std::vector<int>& RowFronts::fronts_of(int column) {
  std::vector<int>& ids = of_column_[std::size_t(column)];
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::erase_if(ids, [&](int id) {
    return !std::ranges::binary_search(fronts_[std::size_t(id)].columns, column);
  });
  return ids;
}

std::vector<int> RowFronts::fronts_with(std::span<const int> columns) {
  std::vector<int> ids;
  for (const int column : columns) {
    const std::vector<int>& its = fronts_of(column);
    ids.insert(ids.end(), its.begin(), its.end());
  }
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

RowFront RowFronts::take(std::span<const int> columns) {
  const std::vector<int> ids = fronts_with(columns);
  RowFront out;
  Eigen::Index rows = 0;
  for (const int id : ids) {
    rows += fronts_[std::size_t(id)].rows.rows();
    for (const int column : fronts_[std::size_t(id)].columns)
      if (std::exchange(place_[std::size_t(column)], 0) < 0) out.columns.push_back(column);
  }
  std::ranges::sort(out.columns);
  for (std::size_t k = 0; k < out.columns.size(); ++k) place_[std::size_t(out.columns[k])] = int(k);
  out.rows.setZero(rows, std::ssize(out.columns));
  Eigen::Index first = 0;
  for (const int id : ids) {
    RowFront front = std::exchange(fronts_[std::size_t(id)], {});
    for (std::size_t k = 0; k < front.columns.size(); ++k)
      out.rows.col(place_[std::size_t(front.columns[k])]).segment(first, front.rows.rows()) =
          front.rows.col(Eigen::Index(k));
    first += front.rows.rows();
    free_.push_back(id);
  }
  for (const int column : out.columns) place_[std::size_t(column)] = -1;
  return out;
}

Eigen::MatrixXd RowFronts::block(std::span<const int> columns) {
  const std::vector<int> ids = fronts_with(columns);
  Eigen::Index rows = 0;
  for (const int id : ids) rows += fronts_[std::size_t(id)].rows.rows();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(rows, std::ssize(columns));
  Eigen::Index first = 0;
  for (const int id : ids) {
    const RowFront& front = fronts_[std::size_t(id)];
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (const std::size_t at = place_of(front.columns, columns[k]);
          at < front.columns.size() && front.columns[at] == columns[k])
        out.col(Eigen::Index(k)).segment(first, front.rows.rows()) =
            front.rows.col(Eigen::Index(at));
    first += front.rows.rows();
  }
  return out;
}

void RowFronts::drop(int column) {
  for (const int id : fronts_of(column)) {
    RowFront& front = fronts_[std::size_t(id)];
    std::vector<int> kept;
    for (std::size_t k = 0; k < front.columns.size(); ++k)
      if (front.columns[k] != column) kept.push_back(int(k));
    keep_columns(front, kept);
    if (kept.empty()) free_.push_back(id);
  }
  of_column_[std::size_t(column)].clear();
}

double RowFronts::norm(int column) {
  double sum = 0;
  for (const int id : fronts_of(column)) {
    const RowFront& front = fronts_[std::size_t(id)];
    sum += front.rows.col(Eigen::Index(place_of(front.columns, column))).squaredNorm();
  }
  return std::sqrt(sum);
}

int RowFronts::degree(int column) {
  int sum = 0;
  for (const int id : fronts_of(column)) sum += int(fronts_[std::size_t(id)].columns.size()) - 1;
  return sum;
}

}  // namespace trammel
