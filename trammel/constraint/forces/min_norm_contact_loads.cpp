#include "trammel/constraint/forces/min_norm_contact_loads.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/forces/effort_qp.hpp"

namespace trammel {

namespace {

// Loads nearest to `least` in the span of `ways` (n x w, orthonormal, orthogonal to `least`) with
// nonnegative normal loads: negative ones are set to zero until none is left. None if a multiplier
// becomes negative or the zero loads are dependent: then the QP has to be solved.
std::optional<Eigen::VectorXd> with_some_at_rest(const Eigen::VectorXd& least,
                                                 const Eigen::MatrixXd& ways,
                                                 const std::vector<bool>& is_up) {
  constexpr double independent = 1e-6;
  std::vector<int> at_rest;
  Eigen::VectorXd forces = least;
  for (;;) {
    const std::size_t before = at_rest.size();
    for (Eigen::Index k = 0; k < forces.size(); ++k)
      if (is_up[std::size_t(k)] && forces[k] < 0) at_rest.push_back(int(k));
    if (at_rest.size() == before) return forces;
    if (Eigen::Index(at_rest.size()) > ways.cols()) return std::nullopt;
    const Eigen::MatrixXd at_rest_part = ways(at_rest, Eigen::all);
    const Ldlt together(at_rest_part * at_rest_part.transpose());
    if (!(min_entry(together.diagonal()) > independent)) return std::nullopt;
    const Eigen::VectorXd push = together.solve(-least(at_rest));
    if (min_entry(push) < 0) return std::nullopt;
    forces = least + ways * (at_rest_part.transpose() * push);
    forces(at_rest).setZero();
  }
}

bool pulls_somewhere(const Eigen::VectorXd& forces, const std::vector<bool>& is_up) {
  for (Eigen::Index k = 0; k < forces.size(); ++k)
    if (is_up[std::size_t(k)] && forces[k] < 0) return true;
  return false;
}

// If `ways` changes the normal loads in one pattern only, as for four wheels on a plane, the
// nonnegative loads are an interval along it, and its point nearest to zero is the solution.
// `ways`: orthonormal rows, orthogonal to `least`. None if there are several patterns.
//
// `width`: length of the interval, negative if there are no nonnegative loads: then continued
// beyond zero.
struct AlongPattern {
  Eigen::VectorXd forces;
  double width;
};
std::optional<AlongPattern> along_one_pattern(const Eigen::VectorXd& least,
                                              const Eigen::MatrixXd& ways,
                                              const std::vector<bool>& is_up) {
  constexpr double rounding = 1e-9;
  Eigen::VectorXd pattern = Eigen::VectorXd::Zero(ways.rows());
  for (Eigen::Index k = 0; k < least.size(); ++k)
    if (is_up[std::size_t(k)] && ways.col(k).squaredNorm() > pattern.squaredNorm())
      pattern = ways.col(k);
  const double largest = pattern.norm();
  if (!(largest > rounding)) return std::nullopt;
  pattern /= largest;
  const Eigen::VectorXd change = ways.transpose() * pattern;
  double from = -std::numeric_limits<double>::infinity(), to = -from;
  Eigen::Index at_from = -1, at_to = -1;
  for (Eigen::Index k = 0; k < least.size(); ++k) {
    if (!is_up[std::size_t(k)]) continue;
    if ((ways.col(k) - change[k] * pattern).norm() > rounding * largest) return std::nullopt;
    const double nothing = -least[k] / change[k];  // this load is zero there
    if (std::abs(change[k]) <= rounding * largest) {
      if (least[k] < 0) return AlongPattern{least, least[k]};
    } else if (change[k] > 0 && nothing > from) {
      from = nothing, at_from = k;
    } else if (change[k] < 0 && nothing < to) {
      to = nothing, at_to = k;
    }
  }
  if (from > to) return AlongPattern{least, to - from};  // empty: no nonnegative loads
  const double nearest = std::clamp(0.0, from, to);
  Eigen::VectorXd forces = least + nearest * change;
  for (Eigen::Index k = 0; k < forces.size(); ++k)
    if (is_up[std::size_t(k)]) forces[k] = std::max(forces[k], 0.0);
  if (const Eigen::Index end = nearest == from ? at_from : at_to; end >= 0 && nearest != 0)
    forces[end] = 0;
  return AlongPattern{std::move(forces), to - from};
}

// The same by normal equations Z^T Z, if they are well-conditioned.
std::optional<Eigen::VectorXd> by_products(const Eigen::VectorXd& forces, const Eigen::MatrixXd& Z,
                                           const std::vector<bool>& is_up,
                                           Eigen::VectorXd* margins) {
  const Llt products(Z.transpose().lazyProduct(Z));
  if (!keep_digits(products)) return std::nullopt;
  const Eigen::MatrixXd ways = products.solve_lower(Z.transpose());
  const Eigen::VectorXd least = forces - ways.transpose() * (ways * forces);
  const bool pulls = pulls_somewhere(least, is_up);
  if (!pulls && margins == nullptr) return least;
  std::optional<AlongPattern> found = along_one_pattern(least, ways, is_up);
  if (!found) return pulls ? std::nullopt : std::optional(least);
  // a load is negative only if the least one is, and there is no interval
  if (margins != nullptr && std::isfinite(found->width)) *margins = least.cwiseMax(found->width);
  return std::move(found->forces);
}

// As min_norm_contact_loads; margins only where they differ from the loads.
Eigen::VectorXd min_norm_loads(const Eigen::VectorXd& forces, const Eigen::MatrixXd& Z,
                               const std::vector<bool>& is_up, Eigen::VectorXd* margins) {
  if (Z.cols() == 0) return forces;
  if (const auto found = by_products(forces, Z, is_up, margins)) return *found;
  const PivotedQr ways(Z);
  const Eigen::MatrixXd Q = ways.q();
  // the part that no z changes
  const Eigen::MatrixXd fixed = Q.rightCols(Z.rows() - ways.rank());
  const Eigen::VectorXd needed = fixed.transpose() * forces;
  const Eigen::VectorXd least = fixed * needed;
  if (!pulls_somewhere(least, is_up)) return least;
  if (const auto found = with_some_at_rest(least, Q.leftCols(ways.rank()), is_up)) return *found;
  EffortProblem problem{.A = fixed.transpose(), .needed = needed};
  problem.lower.setConstant(forces.size(), -std::numeric_limits<double>::infinity());
  for (Eigen::Index k = 0; k < forces.size(); ++k)
    if (is_up[std::size_t(k)]) problem.lower[k] = 0;
  problem.computes_lacking = false;
  EffortQp found = effort_qp(problem);
  if (found.verdict != EffortQp::Verdict::found) return least;
  // the QP satisfies limits up to the rounding of its result, which may be much larger than
  // `forces`; the loads satisfy them exactly
  const double rounding = 1e-13 * found.effort.norm();
  for (Eigen::Index k = 0; k < forces.size(); ++k) {
    if (found.effort[k] < problem.lower[k] - rounding) return least;
    found.effort[k] = std::max(found.effort[k], problem.lower[k]);
  }
  return found.effort;
}

}  // namespace

bool keep_digits(const Llt& products) {
  constexpr double independent = 1e-3;
  const Eigen::VectorXd pivots = products.diagonal();
  return products.is_positive_definite() && min_entry(pivots) > independent * max_entry(pivots);
}

Eigen::VectorXd min_norm_contact_loads(const Eigen::VectorXd& forces, const Eigen::MatrixXd& Z,
                                       const std::vector<bool>& is_up, Eigen::VectorXd* margins) {
  if (margins != nullptr) margins->resize(0);
  Eigen::VectorXd loads = min_norm_loads(forces, Z, is_up, margins);
  if (margins != nullptr && margins->size() == 0) *margins = loads;
  return loads;
}

}  // namespace trammel
