#include "trammel/constraint/rank/sparse_row_basis.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/rank/rounding_bounds.hpp"

namespace trammel {

namespace {

// Upper bound of a norm that is estimated from below, in multiples of the estimate [Higham 2002,
// section 15.3].
constexpr double estimate_error = 3;

// Columns K_k and bounds of their errors, as MetricRows of row_basis.cpp.
struct SparseMetricRows {
  SparseColumns K;
  Eigen::VectorXd bound, rounding;
};

SparseMetricRows in_diagonal_metric(const SparseRows& J, std::span<const int> rows,
                                    std::span<const int> dofs, const Eigen::VectorXd& inertia,
                                    const RowScales& scales) {
  SparseMetricRows out{unit_columns(J, rows, dofs),
                       Eigen::VectorXd::Constant(std::ssize(rows), least_bound),
                       Eigen::VectorXd::Constant(std::ssize(rows), least_bound)};
  const bool has_metric =
      inertia.size() == std::ssize(dofs) && min_entry(inertia) > 1e-14 * max_entry(inertia);
  const Eigen::VectorXd counts = has_metric ? Eigen::VectorXd(inertia.cwiseSqrt().cwiseInverse())
                                            : Eigen::VectorXd::Ones(std::ssize(dofs));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto i = Eigen::Index(k);
    SparseColumns::Column& column = out.K.columns[k];
    const double row = J.norm(rows[k]), natural = scales.natural[i];
    double most = 0;  // largest weight of a coordinate in this row
    for (auto& [dof, value] : column) {
      most = std::max(most, counts[dof]);
      value *= counts[dof];
    }
    const double length = out.K.norm(int(k));  // of L^-1 J_k / ||J_k||
    if (!(length > 0)) continue;
    const double wanted = natural > 0 ? row / natural : length * row;
    for (auto& [dof, value] : column) value *= wanted / length;
    if (!(natural > 0)) continue;
    const double amplified = has_metric ? std::max(1.0, most / length) : 1.0;
    out.bound[i] += amplified * scales.uncertainty[i] / natural;
    out.rounding[i] += amplified * scales.rounding[i] / natural;
  }
  return out;
}

class SparseDecision {
 public:
  explicit SparseDecision(const SparseMetricRows& rows) : rows_(rows) {}

  std::optional<SparseRowBasis> make(Estimates estimates) {
    const int count = int(rows_.K.columns.size());
    SparseQr::Limits limits{rows_.rounding, surely * rows_.bound};
    for (int k = 0; k < count; ++k)
      limits.pivot[k] = std::max(limits.pivot[k], SparseQr::strong_part * rows_.K.norm(k));
    qr_.compute(rows_.K, limits,
                [&](int k, double left) { return left > surely * bound_of(k, rows_.bound); });
    SparseRowBasis out;
    out.basis.count = count;
    out.bound_squared = rows_.bound.squaredNorm();
    out.basis.tolerance = surely * std::sqrt(out.bound_squared);
    out.basis.rows = qr_.basis();
    out.basis.pivots.assign(qr_.diagonal().begin(), qr_.diagonal().end());
    // (7) of docs/theory/rank.md: each row of the basis is safely independent of those before it
    const Eigen::VectorXd bounds = rows_.bound(qr_.basis());
    if (!(estimate_error * surely * qr_.weighted_inverse_norm(bounds) < 1)) return std::nullopt;
    double dropped = 0;
    for (int k = 0; k < count; ++k) {
      if (qr_.is_in_basis(k)) continue;
      const double left = qr_.remainder(k);
      dropped = std::max(dropped, left);
      if (left <= rows_.rounding[k]) continue;
      if (left > surely * bound_of(k, rows_.bound)) return std::nullopt;
      if (const double bound = bound_of(k, rows_.rounding); left > bound)
        out.basis.undecided.push_back({k, left, bound});
    }
    if (estimates == Estimates::none) return out;
    const double least = qr_.least_singular_value();
    if (!qr_.basis().empty()) out.error = bounds.norm() / least;
    set_singular(least, dropped, out.basis);
    return out;
  }

 private:
  void set_singular(double least, double dropped, RowBasis& basis) const {
    if (!basis.rows.empty()) {
      const double largest = std::max(qr_.largest_singular_value(), least);
      basis.singular = basis.pivots;
      for (double& value : basis.singular) value = std::clamp(value, least, largest);
      std::ranges::sort(basis.singular, std::ranges::greater());
      basis.singular.front() = largest;
      basis.singular.back() = least;
    }
    if (basis.redundant() > 0) basis.singular.push_back(dropped);
  }
  // (6) of docs/theory/rank.md, with the present basis.
  double bound_of(int column, const Eigen::VectorXd& bounds) const {
    double bound = bounds[column];
    for (const auto& [place, part] : qr_.coefficients(column))
      bound += std::abs(part) * bounds[qr_.basis()[std::size_t(place)]];
    return bound;
  }

  const SparseMetricRows& rows_;
  SparseQr qr_;
};

}  // namespace

SparseColumns unit_columns(const SparseRows& J, std::span<const int> rows,
                           std::span<const int> dofs) {
  SparseColumns out{int(dofs.size()), {}};
  for (const int row : rows) {
    SparseColumns::Column& column = out.columns.emplace_back();
    const double norm = J.norm(row);
    if (!(norm > 0)) continue;
    auto place = dofs.begin();
    for (std::size_t k = 0; k < J.columns(row).size(); ++k) {
      place = std::lower_bound(place, dofs.end(), J.columns(row)[k]);
      if (place == dofs.end()) break;
      if (*place == J.columns(row)[k] && J.values(row)[k] != 0)
        column.emplace_back(int(place - dofs.begin()), J.values(row)[k] / norm);
    }
  }
  return out;
}

std::optional<SparseRowBasis> sparse_row_basis(const SparseRows& J, std::span<const int> rows,
                                               std::span<const int> dofs,
                                               const Eigen::VectorXd& inertia,
                                               const RowScales& scales, Estimates estimates) {
  const SparseMetricRows K = in_diagonal_metric(J, rows, dofs, inertia, scales);
  return SparseDecision(K).make(estimates);
}

}  // namespace trammel
