#include "trammel/constraint/rank/component_qr.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace trammel {

void ComponentQr::compute(const SparseRows& J, const Eigen::VectorXd& scales) {
  std::vector<int> all(static_cast<std::size_t>(J.rows()));
  std::iota(all.begin(), all.end(), 0);
  compute(J, scales, all);
}

void ComponentQr::compute(const SparseRows& J, const Eigen::VectorXd& scales,
                          std::span<const int> rows) {
  order_.clear();
  pivots_.resize(0);
  const auto divisor = [&](int row) { return scales[row] > 0 ? scales[row] : 1.0; };
  is_finite_ = std::ranges::all_of(rows, [&](int row) {
    return std::ranges::all_of(J.values(row),
                               [&](double x) { return std::isfinite(x / divisor(row)); });
  });
  if (!is_finite_) return;
  std::vector<std::vector<int>> of_component(J.components().size());
  for (const int row : rows)
    if (const int c = J.component_of_row(row); c >= 0) of_component[std::size_t(c)].push_back(row);
  factor_of_.assign(of_component.size(), -1);
  std::size_t count = 0;
  for (std::size_t c = 0; c < of_component.size(); ++c) {
    if (of_component[c].empty()) continue;
    Eigen::MatrixXd columns = J.block(of_component[c], J.components()[c].columns).transpose();
    for (Eigen::Index k = 0; k < columns.cols(); ++k)
      columns.col(k) /= divisor(of_component[c][std::size_t(k)]);
    factor_of_[c] = int(count);
    if (++count > factors_.size()) factors_.emplace_back();
    for (const double pivot : factors_[count - 1].compute(columns).pivots())
      order_.emplace_back(pivot, int(c));
  }
  std::ranges::stable_sort(order_, std::ranges::greater(), &std::pair<double, int>::first);
  pivots_.setZero(std::min<Eigen::Index>(std::ssize(rows), J.cols()));
  for (std::size_t k = 0; k < order_.size(); ++k) pivots_[Eigen::Index(k)] = order_[k].first;
}

int ComponentQr::rank(double threshold) const {
  int rank = 0;
  while (rank < pivots_.size() && pivots_[rank] > threshold * pivots_[0]) ++rank;
  return rank;
}

std::vector<int> ComponentQr::ranks(int rank) const {
  std::vector<int> ranks(factor_of_.size(), 0);
  for (std::size_t k = 0; k < std::min(order_.size(), std::size_t(rank)); ++k)
    ++ranks[std::size_t(order_[k].second)];
  return ranks;
}

// (sum of s^-4)^(1/2) is the Frobenius norm of R^-1 R^-T.
std::vector<double> ComponentQr::distances(int rank) const {
  const std::vector<int> ranks = this->ranks(rank);
  std::vector<double> distances(ranks.size(), 1);
  for (std::size_t c = 0; c < ranks.size(); ++c) {
    const int r = ranks[c];
    if (r == 0) continue;
    const PivotedQr& qr = factors_[std::size_t(factor_of_[c])];
    distances[c] = 0;
    if (!(qr.pivots()[r - 1] > 0)) continue;
    const Eigen::MatrixXd inverse =
        solve_upper_triangular(qr.r().topLeftCorner(r, r), Eigen::MatrixXd::Identity(r, r));
    distances[c] = 1 / (qr.pivots()[0] * std::sqrt((inverse * inverse.transpose()).norm()));
  }
  return distances;
}

}  // namespace trammel
