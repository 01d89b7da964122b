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

void AssemblySolver::settle_all(std::vector<double>& q) {
  double violation = evaluate(q), damping = 1e-3;
  for (int step = 0; step < 5 * steps_ && damping < 1e12 && !free_.empty(); ++step) {
    Eigen::MatrixXd normal = J_.transpose() * J_;
    normal.diagonal().array() += damping * size() * size();
    const Eigen::VectorXd dq = -Ldlt(normal).solve(J_.transpose() * error_);
    std::vector<double> there(q.size());
    integrate(model_, q, as_span(spread(dq)), there);
    push_inside(there);
    const double next = evaluate(there);
    if (next < violation) {
      const bool is_still = violation - next <= 1e-14 * violation;
      q = there, violation = next, damping /= 3;
      if (is_still) return;
    } else {
      damping *= 4;
      evaluate(q);
    }
  }
}

bool AssemblySolver::close_loops_alone(std::vector<double>& q) {
  std::vector<Target> later;
  std::swap(later, targets_);
  const bool closes = is_closed(close(q));
  std::swap(later, targets_);
  return closes;
}

// Damped least-squares step to the targets in the null space of the loop rows.
Eigen::VectorXd AssemblySolver::way_to_targets(double damping) const {
  const Eigen::Index rows = rows_.count(), wanted = error_.size() - rows;
  Eigen::MatrixXd ways = Eigen::MatrixXd::Identity(J_.cols(), J_.cols());
  if (rows > 0) {
    const PivotedQr qr(J_.topRows(rows).transpose(), 1e-9);
    const Eigen::MatrixXd Q = qr.q();
    ways = Q.rightCols(J_.cols() - qr.rank());
  }
  const Eigen::MatrixXd A = J_.bottomRows(wanted) * ways;
  Eigen::MatrixXd normal = A.transpose() * A;
  normal.diagonal().array() += damping * size() * size();
  return ways * -Ldlt(normal).solve(A.transpose() * error_.tail(wanted));
}

// The step nearest to `pull` that satisfies loops and limits.
Eigen::VectorXd AssemblySolver::along_loops(const std::vector<double>& q,
                                            const Eigen::VectorXd& pull) {
  std::vector<Target> later;
  std::swap(later, targets_);
  evaluate(q);
  Eigen::VectorXd step = bounded_least_squares(q, pull);
  std::swap(later, targets_);
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
    std::vector<double> there(q.size());
    const Eigen::VectorXd dq = along_loops(q, way_to_targets(damping));
    integrate(model_, q, as_span(spread(dq)), there);
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
