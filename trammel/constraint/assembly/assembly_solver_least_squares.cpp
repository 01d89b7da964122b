// Least-squares configuration if not all equations can be satisfied.
#include <Eigen/Core>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly_solver.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"

namespace trammel {

// Loops have priority: they must be satisfied exactly, targets only as well as possible. So the
// loops are closed first, if that is possible at all; then the targets are approached along the
// constraint manifold.
void AssemblySolver::settle(std::vector<double>& q) {
  settle_all(q);
  if (targets_.empty() || (rows_.count() == 0 && loop_limits_.empty())) return;
  std::vector<double> closed = q;
  if (!close_loops_alone(closed)) return;
  q = closed;
  come_near_targets(q);
}

// Each component has its own damping, and accepts a step if its own violation decreases.
void AssemblySolver::settle_all(std::vector<double>& q) {
  evaluate(q);
  std::vector<double> violations, damping(components_.size(), 1e-3);
  std::vector<std::size_t> open;
  for (std::size_t c = 0; c < components_.size(); ++c) {
    violations.push_back(violation_of(components_[c]));
    if (!is_closed(violations[c])) open.push_back(c);
  }
  for (int step = 0; step < 5 * steps_ && !open.empty(); ++step) {
    Eigen::VectorXd dq = Eigen::VectorXd::Zero(model_.nv());
    for (const std::size_t c : open) {
      const auto& [rows, dofs, bodies] = components_[c].equations;
      const Eigen::MatrixXd J = J_.block(rows, dofs);
      Eigen::MatrixXd normal = J.transpose() * J;
      normal.diagonal().array() += damping[c] * size() * size();
      dq(dofs) = -Ldlt(normal).solve(J.transpose() * error_(rows));
    }
    std::vector<double> there = moved(q, dq), trial = q;
    push_inside(there);
    for (const std::size_t c : open) copy_joints(components_[c], there, trial);
    evaluate(trial);
    std::erase_if(open, [&](std::size_t c) {
      const double next = violation_of(components_[c]), before = violations[c];
      if (!(next < before)) {
        damping[c] *= 4;
        return damping[c] >= 1e12;
      }
      copy_joints(components_[c], there, q);
      violations[c] = next, damping[c] /= 3;
      return before - next <= 1e-14 * before;
    });
    if (trial != q) evaluate(q);
  }
}

// Exchanges the targets; the equations must be evaluated again.
void AssemblySolver::swap_targets(std::vector<Target>& targets) {
  std::swap(targets, targets_);
  connect();
}

bool AssemblySolver::close_loops_alone(std::vector<double>& q) {
  std::vector<Target> later;
  swap_targets(later);
  const bool closes = is_closed(close(q));
  swap_targets(later);
  return closes;
}

// Damped least-squares step to the targets in the null space of the loop rows.
Eigen::VectorXd AssemblySolver::way_to_targets(double damping) const {
  const Eigen::Index rows = rows_.count(), wanted = error_.size() - rows;
  const Eigen::MatrixXd J = J_.dense()(Eigen::all, free_);
  Eigen::MatrixXd ways = Eigen::MatrixXd::Identity(J.cols(), J.cols());
  if (rows > 0) {
    const PivotedQr qr(J.topRows(rows).transpose(), 1e-9);
    const Eigen::MatrixXd Q = qr.q();
    ways = Q.rightCols(J.cols() - qr.rank());
  }
  const Eigen::MatrixXd A = J.bottomRows(wanted) * ways;
  Eigen::MatrixXd normal = A.transpose() * A;
  normal.diagonal().array() += damping * size() * size();
  Eigen::VectorXd step = Eigen::VectorXd::Zero(model_.nv());
  step(free_) = ways * -Ldlt(normal).solve(A.transpose() * error_.tail(wanted));
  return step;
}

// The step nearest to `pull` that satisfies loops and limits.
Eigen::VectorXd AssemblySolver::along_loops(const std::vector<double>& q,
                                            const Eigen::VectorXd& pull) {
  std::vector<Target> later;
  swap_targets(later);
  evaluate(q);
  Eigen::VectorXd step = bounded_least_squares(q, pull);
  swap_targets(later);
  return step;
}

void AssemblySolver::come_near_targets(std::vector<double>& q) {
  const auto far_from_targets = [&](const std::vector<double>& there) {
    evaluate(there);
    return error_.tail(error_.size() - rows_.count()).norm();
  };
  double far = far_from_targets(q), damping = 1e-3;
  for (int step = 0; step < 5 * steps_ && damping < 1e12 && !free_.empty(); ++step) {
    evaluate(q);
    std::vector<double> there = moved(q, along_loops(q, way_to_targets(damping)));
    const double next = close_loops_alone(there) ? far_from_targets(there)
                                                 : std::numeric_limits<double>::infinity();
    if (next < far) {
      const bool is_still = far - next <= 1e-14 * far;
      q = there, far = next, damping /= 3;
      if (is_still) return;
    } else {
      damping *= 4;
    }
  }
}

}  // namespace trammel
