#include "trammel/constraint/forces/effort_qp.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/base/linear_algebra.hpp"

namespace trammel {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
// `needed` is accurate to a relative 1e-12; a smaller residual is rounding.
constexpr double tolerance = 1e-11;

struct Limit {
  int k;        // index of the effort
  double side;  // 1: effort >= bound, -1: effort <= bound
  double bound;
};

// Goldfarb-Idnani active set in y = sqrt(weights) effort, where the cost is |y|^2.
class ActiveSet {
 public:
  ActiveSet(Eigen::MatrixXd rows, Eigen::VectorXd y, Eigen::VectorXd scale,
            std::vector<Limit> limits)
      : rows_(std::move(rows)),
        y_(std::move(y)),
        scale_(std::move(scale)),
        limits_(std::move(limits)) {}

  // False if the problem is infeasible within the limits.
  bool solve() {
    const double size = 1 + y_.norm();
    for (std::size_t turn = 0; turn < 20 * (limits_.size() + 1); ++turn) {
      int worst = -1;
      double violation = -tolerance * size;
      for (std::size_t p = 0; p < limits_.size(); ++p)
        if (const double slack = slack_of(limits_[p]); slack < violation && !is_active(int(p))) {
          violation = slack;
          worst = int(p);
        }
      if (worst < 0) return true;
      if (!add(worst)) return false;
    }
    return false;
  }
  const Eigen::VectorXd& y() const { return y_; }
  const std::vector<int>& active() const { return active_; }

 private:
  // Unit normal n of a limit, n . y >= bound.
  Eigen::VectorXd normal(const Limit& limit) const {
    return limit.side * Eigen::VectorXd::Unit(y_.size(), limit.k);
  }
  double slack_of(const Limit& limit) const {
    return limit.side * (y_[limit.k] - limit.bound * scale_[limit.k]);
  }
  bool is_active(int p) const { return std::ranges::find(active_, p) != active_.end(); }

  // Makes limit p active; drops active limits whose multiplier reaches zero.
  bool add(int p) {
    const Eigen::VectorXd n = normal(limits_[std::size_t(p)]);
    double own = 0;  // multiplier of p
    for (;;) {
      const Eigen::Index fixed = rows_.rows();
      Eigen::MatrixXd N(y_.size(), fixed + Eigen::Index(active_.size()));
      N.leftCols(fixed) = rows_.transpose();
      for (std::size_t j = 0; j < active_.size(); ++j)
        N.col(fixed + Eigen::Index(j)) = normal(limits_[std::size_t(active_[j])]);
      const Qr qr(N);
      const Eigen::VectorXd shares = qr.solve(n);
      const Eigen::VectorXd z = n - N * shares;

      // longest dual step: the multipliers of the active limits stay nonnegative
      double dual_step = unbounded;
      std::size_t leaves = 0;
      for (std::size_t j = 0; j < active_.size(); ++j)
        if (const double share = shares[fixed + Eigen::Index(j)]; share > tolerance)
          if (const double step = pull_[j] / share; step < dual_step) {
            dual_step = step;
            leaves = j;
          }
      const bool moves = z.norm() > 1e-9;
      const double primal_step =
          moves ? -slack_of(limits_[std::size_t(p)]) / z.squaredNorm() : unbounded;
      const double step = std::min(dual_step, primal_step);
      if (step == unbounded) return false;
      if (moves) y_ += step * z;
      for (std::size_t j = 0; j < active_.size(); ++j)
        pull_[j] -= step * shares[fixed + Eigen::Index(j)];
      own += step;
      if (step == primal_step) {
        active_.push_back(p);
        pull_.push_back(own);
        return true;
      }
      active_.erase(active_.begin() + std::ptrdiff_t(leaves));
      pull_.erase(pull_.begin() + std::ptrdiff_t(leaves));
    }
  }

  Eigen::MatrixXd rows_;  // independent rows of A, in y
  Eigen::VectorXd y_, scale_;
  std::vector<Limit> limits_;
  std::vector<int> active_;
  std::vector<double> pull_;  // multipliers of the active limits
};

}  // namespace

EffortQp effort_qp(const EffortProblem& problem) {
  const Eigen::Index n = problem.A.cols();
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(n);
  if (problem.weights.size() > 0) scale = problem.weights.cwiseSqrt();
  const Eigen::MatrixXd A = problem.A * scale.cwiseInverse().asDiagonal();

  EffortQp out;
  out.effort = Eigen::VectorXd::Zero(n);
  out.uncontrollable_modes = problem.needed;
  if (n > 0 && A.rows() > 0) {
    const OrthogonalDecomposition solver(A, 1e-10);
    const Eigen::VectorXd y = solver.solve(problem.needed);
    out.effort = y.cwiseQuotient(scale);
    out.uncontrollable_modes = problem.needed - A * y;
  }
  if (out.uncontrollable_modes.norm() > 1e-9 * (1 + problem.needed.norm())) {
    out.verdict = EffortQp::Verdict::out_of_reach;
    return out;
  }
  out.uncontrollable_modes.setZero();

  const auto limits_moved_out = [&](double by) {
    std::vector<Limit> limits;
    for (int k = 0; k < int(n); ++k) {
      if (problem.lower.size() > 0 && std::isfinite(problem.lower[k]))
        limits.push_back({k, 1, problem.lower[k] - by});
      if (problem.upper.size() > 0 && std::isfinite(problem.upper[k]))
        limits.push_back({k, -1, problem.upper[k] + by});
    }
    return limits;
  };
  // independent rows of A
  Eigen::MatrixXd rows(0, n);
  if (A.size() > 0) {
    const PivotedQr qr(A.transpose(), 1e-10);
    rows.resize(qr.rank(), n);
    for (Eigen::Index k = 0; k < qr.rank(); ++k) rows.row(k) = A.row(qr.order()[k]).normalized();
  }
  const auto solved = [&](double by) {
    const std::vector<Limit> limits = limits_moved_out(by);
    const Eigen::VectorXd start = scale.cwiseProduct(out.effort);
    ActiveSet set(rows, start, scale, limits);
    const bool is_within = set.solve();
    return std::tuple(is_within, Eigen::VectorXd(set.y().cwiseQuotient(scale)), set.active(),
                      limits);
  };

  auto [is_within, effort, active, limits] = solved(0);
  if (!is_within) {
    out.verdict = EffortQp::Verdict::exceeds_limits;
    if (!problem.computes_lacking) return out;
    // bisection: the minimum-norm efforts are feasible once the limits are moved out to them
    double far = 0, near = 0;
    for (const Limit& limit : limits)
      far = std::max(far, -limit.side * (out.effort[limit.k] - limit.bound));
    far *= 1 + 1e-12;
    for (int k = 0; k < 60 && far - near > 1e-13 * far; ++k) {
      const double middle = (far + near) / 2;
      (std::get<0>(solved(middle)) ? far : near) = middle;
    }
    out.lacking = far;
    std::tie(is_within, effort, active, limits) = solved(far);
  }
  out.effort = effort;
  // with limits moved out by the least amount, some are reached with a zero multiplier
  for (std::size_t p = 0; p < limits.size(); ++p) {
    const Limit& limit = limits[p];
    const bool is_met = out.lacking > 0 && std::abs(effort[limit.k] - limit.bound) <
                                               1e-9 * (1 + std::abs(limit.bound));
    if (is_met || std::ranges::find(active, int(p)) != active.end())
      (limit.side > 0 ? out.at_lower : out.at_upper).push_back(limit.k);
  }
  std::ranges::sort(out.at_lower);
  std::ranges::sort(out.at_upper);
  return out;
}

}  // namespace trammel
