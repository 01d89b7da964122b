#include "trammel/base/row_fronts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trammel/base/linear_algebra.hpp"

namespace trammel {

namespace {

// Place in `columns` where `column` is; their number: nowhere.
std::size_t place_of(const std::vector<int>& columns, int column) {
  return std::size_t(std::ranges::find(columns, column) - columns.begin());
}

void keep_columns(RowFront& front, const std::vector<int>& kept) {
  std::vector<int> columns;
  for (const int k : kept) columns.push_back(front.columns[std::size_t(k)]);
  front.rows = front.rows(Eigen::all, kept).eval();
  front.columns = std::move(columns);
}

}  // namespace

// H = 1 - 2 x x^T / (x^T x), H a = -+ |a| e_1
void reflect(Eigen::Ref<Eigen::VectorXd> column, Eigen::Ref<Eigen::MatrixXd> beside) {
  const double norm = column.norm();
  if (column.size() < 2 || !(norm > 0)) return;
  const double end = column[0] < 0 ? norm : -norm;
  column[0] -= end;
  const Eigen::RowVectorXd parts = (2 / column.squaredNorm()) * (column.transpose() * beside);
  beside.noalias() -= column * parts;
  column.setZero();
  column[0] = end;
}

PivotRow eliminate_column(RowFront& front, int column) {
  const auto at = Eigen::Index(place_of(front.columns, column));
  Eigen::MatrixXd& rows = front.rows;
  const Eigen::Index m = rows.rows(), n = rows.cols();
  rows.col(0).swap(rows.col(at));
  reflect(rows.col(0), rows.rightCols(n - 1));
  rows.col(0).swap(rows.col(at));
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
    : of_column_(std::size_t(columns)),
      count_(std::size_t(columns), 0),
      place_(std::size_t(columns), -1) {}

void RowFronts::add(RowFront front) {
  std::vector<int> kept;
  for (Eigen::Index k = 0; k < front.rows.cols(); ++k)
    if (front.rows.rows() > 0 && max_abs(front.rows.col(k)) > 0) kept.push_back(int(k));
  if (kept.empty()) return;
  if (kept.size() < front.columns.size()) keep_columns(front, kept);
  if (front.rows.rows() > front.rows.cols()) front.rows = Qr(front.rows).r();
  const int id = int(fronts_.size());
  for (const int column : front.columns) {
    of_column_[std::size_t(column)].push_back(id);
    ++count_[std::size_t(column)];
  }
  fronts_.push_back(std::move(front));
}

std::vector<int>& RowFronts::fronts_of(int column) {
  std::vector<int>& ids = of_column_[std::size_t(column)];
  std::erase_if(ids, [&](int id) { return fronts_[std::size_t(id)].columns.empty(); });
  return ids;
}

std::vector<int> RowFronts::fronts_with(std::span<const int> columns) {
  if (columns.size() == 1) return fronts_of(columns[0]);
  std::vector<int> ids;
  for (const int column : columns) {
    const std::vector<int>& its = fronts_of(column);
    ids.insert(ids.end(), its.begin(), its.end());
  }
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::vector<int> RowFronts::release_columns(std::span<const int> ids) {
  std::vector<int> columns;
  for (const int id : ids)
    for (const int column : fronts_[std::size_t(id)].columns) {
      if (std::exchange(place_[std::size_t(column)], 0) < 0) columns.push_back(column);
      --count_[std::size_t(column)];
    }
  return columns;
}

RowFront RowFronts::merge(std::span<const int> ids, std::vector<int> columns) {
  Eigen::Index rows = 0, first = 0;
  for (const int id : ids) rows += fronts_[std::size_t(id)].rows.rows();
  for (std::size_t k = 0; k < columns.size(); ++k) place_[std::size_t(columns[k])] = int(k);
  RowFront out;
  out.rows.setZero(rows, std::ssize(columns));
  for (const int id : ids) {
    const RowFront front = std::exchange(fronts_[std::size_t(id)], {});
    const Eigen::Index count = front.rows.rows();
    for (std::size_t k = 0; k < front.columns.size(); ++k)
      std::copy_n(front.rows.data() + std::ptrdiff_t(k) * count, count,
                  out.rows.data() + place_[std::size_t(front.columns[k])] * rows + first);
    first += count;
  }
  for (const int column : columns) place_[std::size_t(column)] = -1;
  out.columns = std::move(columns);
  return out;
}

RowFront RowFronts::take(std::span<const int> columns) {
  const std::vector<int> ids = fronts_with(columns);
  std::vector<int> all = release_columns(ids);
  std::ranges::sort(all);
  return merge(ids, std::move(all));
}

RowFront RowFronts::take_inside_first(int column, std::span<const int> turn,
                                      std::span<const char> is_outside, int& inside) {
  const std::vector<int> ids = fronts_of(column);
  std::vector<int> all = release_columns(ids);
  std::ranges::sort(all, {}, [&](int k) { return turn[std::size_t(k)]; });
  const auto others = std::stable_partition(all.begin(), all.end(), [&](int k) {
    return is_empty(k) && is_outside[std::size_t(k)] == 0;
  });
  inside = int(others - all.begin());
  return merge(ids, std::move(all));
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
  }
  of_column_[std::size_t(column)].clear();
  count_[std::size_t(column)] = 0;
}

double RowFronts::norm(int column) {
  double sum = 0;
  for (const int id : fronts_of(column)) {
    const RowFront& front = fronts_[std::size_t(id)];
    sum += front.rows.col(Eigen::Index(place_of(front.columns, column))).squaredNorm();
  }
  return std::sqrt(sum);
}

}  // namespace trammel
