#include "trammel/base/sparse_qr.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>

#include "trammel/base/linear_algebra.hpp"

namespace trammel {

namespace {

// Coefficients below this part of the largest are rounding.
constexpr double negligible = 1e-14;
// Iterations for a singular value: the estimate of its square is off by 0.87 ln(n) / iterations on
// average, at worst [Kuczynski, Wozniakowski 1992]; mostly a few suffice.
constexpr int most_power_steps = 60;
constexpr double converged = 1e-4;

Eigen::VectorXd random_vector(Eigen::Index n) {
  std::mt19937 engine(1);
  return Eigen::VectorXd::NullaryExpr(n, [&] { return double(engine()) / 2147483648.0 - 1; });
}

// Square root of the largest eigenvalue of a symmetric positive semidefinite matrix, by products.
double root_of_largest(Eigen::Index n,
                       const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& times) {
  if (n == 0) return 1;
  Eigen::VectorXd x = random_vector(n).normalized();
  double value = 0;
  for (int k = 0; k < most_power_steps; ++k) {
    const Eigen::VectorXd y = times(x);
    const double length = y.norm(), before = value;
    if (!(length > 0) || !std::isfinite(length)) return length;
    value = std::max(value, length);
    x = y / length;
    if (k > 4 && value - before <= converged * value) break;
  }
  return std::sqrt(value);
}

}  // namespace

Eigen::VectorXd SparseColumns::operator*(const Eigen::VectorXd& x) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(rows);
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (const auto& [row, value] : columns[k]) out[row] += value * x[Eigen::Index(k)];
  return out;
}

double SparseColumns::dot(int column, const Eigen::VectorXd& y) const {
  double sum = 0;
  for (const auto& [row, value] : columns[std::size_t(column)]) sum += value * y[row];
  return sum;
}

double SparseColumns::norm(int column) const {
  double sum = 0;
  for (const auto& [row, value] : columns[std::size_t(column)]) sum += value * value;
  return std::sqrt(sum);
}

SparseQr::Limits SparseQr::limits_of(const SparseColumns& A, double zero) {
  const auto n = std::ssize(A.columns);
  Limits limits{Eigen::VectorXd::Constant(n, zero), Eigen::VectorXd(n)};
  for (Eigen::Index k = 0; k < n; ++k)
    limits.pivot[k] = std::max(zero, strong_part * A.norm(int(k)));
  return limits;
}

void SparseQr::compute(const SparseColumns& A, const Limits& limits, const Accept& accept) {
  const std::size_t n = A.columns.size();
  fronts_ = RowFronts(int(n));
  basis_.clear();
  place_.assign(n, -1);
  is_done_.assign(n, 0);
  is_waiting_.assign(n, 0);
  remainder_.setZero(std::ssize(A.columns));
  R_.assign(n, {});
  std::vector<SparseColumns::Column> rows(static_cast<std::size_t>(A.rows));
  for (std::size_t k = 0; k < n; ++k)
    for (const auto& [row, value] : A.columns[k])
      rows[std::size_t(row)].emplace_back(int(k), value);
  for (const SparseColumns::Column& row : rows) {
    RowFront front{{}, Eigen::MatrixXd(1, std::ssize(row))};
    for (const auto& [column, value] : row) {
      front.rows(0, std::ssize(front.columns)) = value;
      front.columns.push_back(column);
    }
    fronts_.add(std::move(front));
  }
  diagonal_.resize(std::ssize(A.columns));
  order_ = column_order(A);
  turn_.resize(n);
  for (std::size_t k = 0; k < n; ++k) turn_[std::size_t(order_[k])] = int(k);
  for (const int column : order_) {
    if (is_done_[std::size_t(column)] != 0) continue;
    int inside = 0;
    RowFront front = fronts_.take_inside_first(column, turn_, is_done_, inside);
    if (front.columns.empty()) {
      is_done_[std::size_t(column)] = 1;
      continue;
    }
    eliminate_inside(front, inside, limits);
    const std::vector<int> outside = front.columns;
    fronts_.add(std::move(front));
    drop_dependent(outside, limits);
  }
  choose_among_waiting(accept);
  diagonal_.conservativeResize(std::ssize(basis_));
  fronts_ = RowFronts();
}

void SparseQr::take_pivot(int column, double diagonal) {
  const auto place = std::ssize(basis_);
  place_[std::size_t(column)] = int(place);
  diagonal_[place] = std::abs(diagonal);
  basis_.push_back(column);
}

// The first `inside` columns, one after the other in place: pivot rows are the first rows, columns
// that wait or are dependent are moved behind those still to eliminate. What remains of the front
// has the other columns.
void SparseQr::eliminate_inside(RowFront& front, int inside, const Limits& limits) {
  Eigen::MatrixXd& F = front.rows;
  std::vector<int>& columns = front.columns;
  Eigen::Index end = inside;
  Eigen::Index top = 0;
  while (top < end) {
    const int column = columns[std::size_t(top)];
    const Eigen::Index below = F.rows() - top, beyond = F.cols() - top - 1;
    is_done_[std::size_t(column)] = 1;
    const double left = F.col(top).tail(below).norm();
    if (left <= limits.zero[column] || !(left > limits.pivot[column])) {
      if (left <= limits.zero[column]) {
        remainder_[column] = left;
        F.col(top).setZero();
      } else {
        is_waiting_[std::size_t(column)] = 1;
      }
      --end;
      if (top < end) {
        F.col(top).swap(F.col(end));
        std::swap(columns[std::size_t(top)], columns[std::size_t(end)]);
      }
      continue;
    }
    reflect(F.col(top).tail(below), F.bottomRightCorner(below, beyond));
    const double sign = F(top, top) < 0 ? -1 : 1;
    for (Eigen::Index k = top + 1; k < F.cols(); ++k)
      if (const double value = F(top, k); value != 0)
        R_[std::size_t(columns[std::size_t(k)])].emplace_back(int(std::ssize(basis_)),
                                                              sign * value);
    take_pivot(column, F(top, top));
    ++top;
  }
  columns.erase(columns.begin(), columns.begin() + top);
  F = F.bottomRightCorner(F.rows() - top, F.cols() - top).eval();
}

void SparseQr::drop_dependent(std::span<const int> columns, const Limits& limits) {
  for (const int column : columns) {
    if (is_waiting_[std::size_t(column)] == 0) continue;
    const double left = fronts_.norm(column);
    if (left > limits.zero[column]) continue;
    is_waiting_[std::size_t(column)] = 0;
    remainder_[column] = left;
    fronts_.drop(column);
  }
}

void SparseQr::choose_among_waiting(const Accept& accept) {
  std::vector<int> waiting;
  for (std::size_t k = 0; k < is_waiting_.size(); ++k)
    if (is_waiting_[k] != 0) waiting.push_back(int(k));
  RowFront front = fronts_.take(waiting);
  const auto left = [&](int column) {
    const auto at = std::ranges::lower_bound(front.columns, column);
    return at != front.columns.end() && *at == column
               ? front.rows.col(at - front.columns.begin()).norm()
               : 0.0;
  };
  std::vector<std::pair<double, int>> candidates;  // remainder, column
  for (const int column : waiting) candidates.emplace_back(0.0, column);
  bool is_changed = true;
  while (!candidates.empty() && front.rows.rows() > 0) {
    if (is_changed) {
      for (auto& [length, column] : candidates) length = left(column);
      std::ranges::stable_sort(candidates, {}, &std::pair<double, int>::first);
    }
    const auto [length, column] = candidates.back();
    candidates.pop_back();
    is_changed = length > 0 && accept(column, length);
    if (!is_changed) continue;
    const PivotRow pivot = eliminate_column(front, column);
    const double sign = pivot.diagonal < 0 ? -1 : 1;
    for (std::size_t k = 0; k < pivot.columns.size(); ++k)
      if (const double value = pivot.values[Eigen::Index(k)]; value != 0)
        R_[std::size_t(pivot.columns[k])].emplace_back(int(std::ssize(basis_)), sign * value);
    take_pivot(column, pivot.diagonal);
  }
  for (const int column : waiting) remainder_[column] = is_in_basis(column) ? 0 : left(column);
}

std::size_t SparseQr::entries() const {
  std::size_t sum = 0;
  for (const SparseColumns::Column& column : R_) sum += column.size();
  return sum;
}

std::vector<std::pair<int, double>> SparseQr::coefficients(int column) const {
  std::map<int, double, std::greater<>> right;  // by place, the last first
  for (const auto& [place, value] : R_[std::size_t(column)]) right[place] = value;
  std::vector<std::pair<int, double>> out;
  double largest = 0;
  while (!right.empty()) {
    const auto [place, value] = *right.begin();
    right.erase(right.begin());
    const double x = value / diagonal_[place];
    if (!(std::abs(x) > negligible * largest)) continue;
    largest = std::max(largest, std::abs(x));
    out.emplace_back(place, x);
    for (const auto& [above, entry] : R_[std::size_t(basis_[std::size_t(place)])])
      right[above] -= entry * x;
  }
  return out;
}

Eigen::VectorXd SparseQr::solve_transposed(Eigen::VectorXd b) const {
  for (Eigen::Index k = 0; k < b.size(); ++k) {
    for (const auto& [above, entry] : R_[std::size_t(basis_[std::size_t(k)])])
      b[k] -= entry * b[above];
    b[k] /= diagonal_[k];
  }
  return b;
}

Eigen::VectorXd SparseQr::solve(Eigen::VectorXd b) const {
  for (Eigen::Index k = b.size() - 1; k >= 0; --k) {
    b[k] /= diagonal_[k];
    for (const auto& [above, entry] : R_[std::size_t(basis_[std::size_t(k)])])
      b[above] -= entry * b[k];
  }
  return b;
}

Eigen::VectorXd SparseQr::orthogonal_part(const SparseColumns& A, Eigen::VectorXd b) const {
  constexpr int most_passes = 6;
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  double longest = 0;
  for (const int column : basis_) longest = std::max(longest, A.norm(column));
  double before = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < most_passes; ++pass) {
    Eigen::VectorXd shares(std::ssize(basis_));
    for (Eigen::Index k = 0; k < shares.size(); ++k) shares[k] = A.dot(basis_[std::size_t(k)], b);
    const double along = shares.norm();
    if (!(along > rounding * longest * b.norm()) || along > 0.5 * before) break;
    before = along;
    const Eigen::VectorXd x = solve(solve_transposed(shares));
    for (Eigen::Index k = 0; k < x.size(); ++k)
      for (const auto& [row, value] : A.columns[std::size_t(basis_[std::size_t(k)])])
        b[row] -= value * x[k];
  }
  return b;
}

double SparseQr::largest_singular_value() const {
  return root_of_largest(diagonal_.size(), [&](const Eigen::VectorXd& x) {
    Eigen::VectorXd y = diagonal_.cwiseProduct(x), z(x.size());
    for (Eigen::Index k = 0; k < x.size(); ++k)
      for (const auto& [above, entry] : R_[std::size_t(basis_[std::size_t(k)])])
        y[above] += entry * x[k];
    for (Eigen::Index k = 0; k < x.size(); ++k) {
      z[k] = diagonal_[k] * y[k];
      for (const auto& [above, entry] : R_[std::size_t(basis_[std::size_t(k)])])
        z[k] += entry * y[above];
    }
    return z;
  });
}

double SparseQr::least_singular_value() const {
  return 1 / root_of_largest(diagonal_.size(),
                             [&](const Eigen::VectorXd& x) { return solve(solve_transposed(x)); });
}

double SparseQr::weighted_inverse_norm(const Eigen::VectorXd& weights) const {
  constexpr int most_steps = 5;
  const Eigen::Index n = diagonal_.size();
  if (n == 0) return 0;
  const auto norm_of = [&](const Eigen::VectorXd& x, Eigen::VectorXd& y) {
    y = weights.cwiseProduct(solve(x));
    return y.lpNorm<1>();
  };
  Eigen::VectorXd x = Eigen::VectorXd::Constant(n, 1.0 / double(n)), y;
  double found = norm_of(x, y);
  for (int step = 0; step < most_steps && std::isfinite(found); ++step) {
    const Eigen::VectorXd sign = y.unaryExpr([](double v) { return v < 0 ? -1.0 : 1.0; });
    const Eigen::VectorXd slope = solve_transposed(weights.cwiseProduct(sign));
    Eigen::Index steepest = 0;
    if (!(max_abs(slope, steepest) > slope.dot(x))) break;
    x = Eigen::VectorXd::Unit(n, steepest);
    const double next = norm_of(x, y);
    if (!(next > found)) break;
    found = next;
  }
  for (Eigen::Index k = 0; k < n; ++k)  // for matrices on which the steps fail
    x[k] = (k % 2 == 0 ? 1 : -1) * (1 + double(k) / double(std::max<Eigen::Index>(1, n - 1)));
  const double other = norm_of(x, y) * 2 / (3 * double(n));
  return std::isfinite(found) && std::isfinite(other) ? std::max(found, other)
                                                      : std::numeric_limits<double>::infinity();
}

}  // namespace trammel
