#include "trammel/base/sparse_qr.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <set>

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
  is_waiting_.assign(n, 0);
  remainder_.setZero(std::ssize(A.columns));
  R_.assign(n, {});
  std::vector<double> diagonal;
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
  order_and_eliminate(limits);
  choose_among_waiting(accept);
  diagonal_.conservativeResize(std::ssize(basis_));
  fronts_ = RowFronts();
}

void SparseQr::eliminate(RowFront& front, int column) {
  const PivotRow pivot = eliminate_column(front, column);
  const int place = int(basis_.size());
  place_[std::size_t(column)] = place;
  diagonal_[place] = std::abs(pivot.diagonal);
  const double sign = pivot.diagonal < 0 ? -1 : 1;
  for (std::size_t k = 0; k < pivot.columns.size(); ++k)
    if (const double value = pivot.values[Eigen::Index(k)]; value != 0)
      R_[std::size_t(pivot.columns[k])].emplace_back(place, sign * value);
  basis_.push_back(column);
}

void SparseQr::order_and_eliminate(const Limits& limits) {
  const int n = int(place_.size());
  std::set<std::pair<int, int>> queue;  // degree, column
  std::vector<int> degree(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) {
    degree[std::size_t(k)] = fronts_.degree(k);
    queue.emplace(degree[std::size_t(k)], k);
  }
  while (!queue.empty()) {
    const int column = queue.begin()->second;
    queue.erase(queue.begin());
    const double left = fronts_.norm(column);
    if (left <= limits.zero[column]) {
      remainder_[column] = left;
      fronts_.drop(column);
      continue;
    }
    if (!(left > limits.pivot[column])) {
      is_waiting_[std::size_t(column)] = 1;
      continue;
    }
    RowFront front = fronts_.take({&column, 1});
    eliminate(front, column);
    const std::vector<int> touched = front.columns;
    fronts_.add(std::move(front));
    for (const int other : touched) {
      if (is_waiting_[std::size_t(other)] != 0) {
        if (const double now = fronts_.norm(other); now <= limits.zero[other]) {
          is_waiting_[std::size_t(other)] = 0;
          remainder_[other] = now;
          fronts_.drop(other);
        }
        continue;
      }
      int& its = degree[std::size_t(other)];
      const auto old = queue.find({its, other});
      if (old == queue.end()) continue;
      queue.erase(old);
      its = fronts_.degree(other);
      queue.emplace(its, other);
    }
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
  std::vector<int> candidates = waiting;
  while (!candidates.empty() && front.rows.rows() > 0) {
    const auto longest = std::ranges::max_element(candidates, {}, left);
    const int column = *longest;
    const double length = left(column);
    candidates.erase(longest);
    if (length > 0 && accept(column, length)) eliminate(front, column);
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
  double before = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < most_passes; ++pass) {
    Eigen::VectorXd shares(std::ssize(basis_));
    for (Eigen::Index k = 0; k < shares.size(); ++k) shares[k] = A.dot(basis_[std::size_t(k)], b);
    const double along = shares.norm();
    if (!(along > 0) || along > 0.5 * before) break;
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

}  // namespace trammel
