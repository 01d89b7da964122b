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
  factors_.resize(of_component.size());
  for (std::size_t c = 0; c < of_component.size(); ++c) {
    Eigen::MatrixXd columns = J.block(of_component[c], J.components()[c].columns).transpose();
    for (Eigen::Index k = 0; k < columns.cols(); ++k)
      columns.col(k) /= divisor(of_component[c][std::size_t(k)]);
    for (const double pivot : factors_[c].compute(columns).pivots())
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
  std::vector<int> ranks(factors_.size(), 0);
  for (std::size_t k = 0; k < std::min(order_.size(), std::size_t(rank)); ++k)
    ++ranks[std::size_t(order_[k].second)];
  return ranks;
}

// (sum of s^-4)^(1/2) is the Frobenius norm of R^-1 R^-T, which the blocks add to by squares.
double ComponentQr::distance(int rank) const {
  if (rank == 0 || pivots_.size() < rank || !(pivots_[0] > 0)) return 1;
  if (!(pivots_[rank - 1] > 0)) return 0;
  const std::vector<int> ranks = this->ranks(rank);
  double sum = 0;
  for (std::size_t c = 0; c < ranks.size(); ++c) {
    if (ranks[c] == 0) continue;
    const Eigen::MatrixXd R = factors_[c].r().topLeftCorner(ranks[c], ranks[c]);
    const Eigen::MatrixXd inverse =
        solve_upper_triangular(R, Eigen::MatrixXd::Identity(ranks[c], ranks[c]));
    sum += (inverse * inverse.transpose()).squaredNorm();
  }
  return 1 / (pivots_[0] * std::sqrt(std::sqrt(sum)));
}

}  // namespace trammel
