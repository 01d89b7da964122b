#include "trammel/constraint/assembly/bounded_least_squares.hpp"

#include <Eigen/Core>
#include <cmath>

#include "trammel/base/linear_algebra.hpp"

namespace trammel {

namespace {

enum class ActiveBound { no, at_lower, at_upper };

class ActiveSet {
 public:
  ActiveSet(const Eigen::MatrixXd& J, const Eigen::VectorXd& rhs, const Eigen::VectorXd& pull,
            const std::vector<Bound>& bounds)
      : J_(J), rhs_(rhs), pull_(pull), bounds_(bounds), active_(bounds.size(), ActiveBound::no) {}

  Eigen::VectorXd solve() {
    // few changes of the active set suffice; after 4 (bounds + 1) of them it cycles, and the step
    // is clamped to the bounds
    for (std::size_t change = 0; change < 4 * bounds_.size() + 4; ++change) {
      solve_with_fixed();
      if (!fix_the_worst() && !release_one()) return step_;
    }
    for (const Bound& bound : bounds_)
      step_[bound.column] = std::clamp(step_[bound.column], bound.lower, bound.upper);
    return step_;
  }

 private:
  void solve_with_fixed() {
    const Eigen::Index n = J_.cols();
    std::vector<bool> is_fixed(std::size_t(n), false);
    step_ = Eigen::VectorXd::Zero(n);
    for (std::size_t b = 0; b < bounds_.size(); ++b) {
      if (active_[b] == ActiveBound::no) continue;
      is_fixed[std::size_t(bounds_[b].column)] = true;
      step_[bounds_[b].column] =
          active_[b] == ActiveBound::at_lower ? bounds_[b].lower : bounds_[b].upper;
    }
    std::vector<Eigen::Index> free;
    for (Eigen::Index k = 0; k < n; ++k)
      if (!is_fixed[std::size_t(k)]) free.push_back(k);
    if (free.empty()) return;
    const Eigen::MatrixXd J = J_(Eigen::all, free);
    const Eigen::VectorXd wish = pull_(free);
    const OrthogonalDecomposition solver(J, 1e-9);
    step_(free) = wish + solver.solve(rhs_ - J_ * step_ - J * wish);
  }
  bool fix_the_worst() {
    double worst = 1e-12;
    std::size_t which = bounds_.size();
    for (std::size_t b = 0; b < bounds_.size(); ++b) {
      const double x = step_[bounds_[b].column];
      const double out = std::max(bounds_[b].lower - x, x - bounds_[b].upper);
      if (active_[b] == ActiveBound::no && out > worst) worst = out, which = b;
    }
    if (which == bounds_.size()) return false;
    const Bound& bound = bounds_[which];
    active_[which] =
        step_[bound.column] < bound.lower ? ActiveBound::at_lower : ActiveBound::at_upper;
    return true;
  }
  // Releases the bound with the largest inward gradient: of the residual first, then of the
  // distance to the pull.
  bool release_one() {
    const Eigen::VectorXd missed = J_ * step_ - rhs_;
    const bool misses = missed.norm() > 1e-9 * (1 + rhs_.norm());
    Eigen::VectorXd gradient =
        misses ? Eigen::VectorXd(J_.transpose() * missed) : Eigen::VectorXd(step_ - pull_);
    if (!misses) {
      std::vector<Eigen::Index> free;
      for (Eigen::Index k = 0; k < J_.cols(); ++k) free.push_back(k);
      for (std::size_t b = 0; b < bounds_.size(); ++b)
        if (active_[b] != ActiveBound::no) std::erase(free, Eigen::Index(bounds_[b].column));
      if (!free.empty()) {
        // gradient of the Lagrangian: without the part balanced by the multipliers of the equations
        const Eigen::MatrixXd J = J_(Eigen::all, free);
        const Eigen::VectorXd multipliers =
            OrthogonalDecomposition(J.transpose()).solve(gradient(free));
        gradient -= J_.transpose() * multipliers;
      }
    }
    double most = 1e-9 * (1 + pull_.norm());
    std::size_t which = bounds_.size();
    for (std::size_t b = 0; b < bounds_.size(); ++b) {
      const double inward = active_[b] == ActiveBound::at_lower   ? -gradient[bounds_[b].column]
                            : active_[b] == ActiveBound::at_upper ? gradient[bounds_[b].column]
                                                                  : 0;
      if (inward > most) most = inward, which = b;
    }
    if (which == bounds_.size()) return false;
    active_[which] = ActiveBound::no;
    return true;
  }

  const Eigen::MatrixXd& J_;
  const Eigen::VectorXd &rhs_, &pull_;
  const std::vector<Bound>& bounds_;
  std::vector<ActiveBound> active_;
  Eigen::VectorXd step_;
};

}  // namespace

Eigen::VectorXd bounded_step(const Eigen::MatrixXd& J, const Eigen::VectorXd& rhs,
                             const Eigen::VectorXd& pull, const std::vector<Bound>& bounds) {
  return ActiveSet(J, rhs, pull, bounds).solve();
}

}  // namespace trammel
