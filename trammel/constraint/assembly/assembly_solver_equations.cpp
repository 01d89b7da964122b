// Equations of the assembly at a position: residuals and Jacobian of constraint rows, target poses
// and required loop coordinates, in meters (docs/theory/assembly.md).
#include <Eigen/Core>
#include <cmath>

#include "trammel/base/expects.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly_solver.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

double AssemblySolver::evaluate(std::span<const double> q) {
  kernel::kernels().kinematics({model_, model_.numbers()}, q, workspace_->zero, workspace_->zero,
                               *workspace_, workspace_->kinematics);
  rows_.evaluate(model_, workspace_->kinematics, q, workspace_->zero, workspace_->zero, {});
  const int rows = rows_.count(), nv = model_.nv();
  int wanted = 0;
  for (const Target& target : targets_) wanted += 3 * (target.position ? 1 : 0);
  for (const Target& target : targets_) wanted += 3 * (target.rotation ? 1 : 0);
  for (const LoopValues& goal : goals_)
    wanted += dof_count(model_.closures()[std::size_t(goal.closure)].joint);
  error_.resize(rows + wanted);
  J_all_.resize(rows + wanted, nv);
  for (int k = 0; k < rows; ++k) {
    // only holonomic rows constrain positions
    const double meters = !holds_[std::size_t(k)] ? 0 : rows_.is_turn(k) ? size() : 1;
    error_[k] = meters * rows_.error()[k];
    J_all_.row(k) = meters * rows_.jacobian().row(k);
  }
  add_targets(q);
  add_loop_goals();
  J_all_ = J_all_ * unit_all_.asDiagonal();
  J_.resize(rows + wanted, Eigen::Index(free_.size()));
  for (std::size_t f = 0; f < free_.size(); ++f) J_.col(Eigen::Index(f)) = J_all_.col(free_[f]);
  // couplings of tree coordinates are linear: steps along them need no limit
  is_curved_.assign(std::size_t(nv), false);
  for (int k = 0; k < rows + wanted; ++k) {
    if (k < rows && rows_.is_linear(k)) continue;
    for (int f = 0; f < nv; ++f)
      if (J_all_(k, f) != 0) is_curved_[std::size_t(f)] = true;
  }
  return std::hypot(error_.norm(), loop_limit_violation());
}

// Norm of the violations of loop joint limits, in meters.
double AssemblySolver::loop_limit_violation() {
  const auto count = Eigen::Index(loop_limits_.size());
  loop_q_.resize(count);
  J_loop_.resize(count, Eigen::Index(free_.size()));
  double sum = 0;
  for (Eigen::Index k = 0; k < count; ++k) {
    const LoopLimit& limit = loop_limits_[std::size_t(k)];
    const int dof = model_.closures()[std::size_t(limit.closure)].v_start + limit.k;
    const Eigen::VectorXd rates = effort_of_loop(model_, workspace_->kinematics, dof);
    for (std::size_t f = 0; f < free_.size(); ++f)
      J_loop_(k, Eigen::Index(f)) = rates[free_[f]] * unit_[Eigen::Index(f)];
    loop_q_[k] = loop_coordinate(model_, limit, workspace_->kinematics);
    sum += std::pow(limit.range.outside(loop_q_[k]) * (limit.turns ? size() : 1), 2);
  }
  return std::sqrt(sum);
}

void AssemblySolver::add_targets(std::span<const double>) {
  Eigen::Index row = rows_.count();
  Eigen::MatrixXd J(6, model_.nv());
  const auto put = [&](const Vec3<double>& error, Eigen::Index from, double meters) {
    error_.segment<3>(row) = meters * Eigen::Vector3d(error.x, error.y, error.z);
    J_all_.middleRows(row, 3) = meters * J.middleRows(from, 3);
    row += 3;
  };
  for (const Target& target : targets_) {
    const Pose<double> X = pose(model_, workspace_->kinematics, target.place);
    if (target.position) {
      const Status status = jacobian(model_, workspace_->kinematics, target.place, Axes::world, J);
      TRAMMEL_EXPECTS(status.ok());
      put(X.p - *target.position, 3, 1);
    }
    if (target.rotation) {
      const Status status = jacobian(model_, workspace_->kinematics, target.place, Axes::body, J);
      TRAMMEL_EXPECTS(status.ok());
      put(logarithm(quaternion(transpose(*target.rotation) * X.R)), 0, size());
    }
  }
}

// Displacement of a loop joint between two values of its coordinates, one number per dof.
Eigen::VectorXd AssemblySolver::error_between(int closure, const std::vector<double>& from,
                                              const double* to) const {
  const Joint& joint = model_.closures()[std::size_t(closure)].joint;
  Eigen::VectorXd way = Eigen::VectorXd::Zero(dof_count(joint));
  std::visit([&](const auto& j) { j.difference(from.data(), to, way.data()); }, joint);
  return way;
}

void AssemblySolver::add_loop_goals() {
  Eigen::Index row = error_.size();
  for (const LoopValues& goal : goals_)
    row -= dof_count(model_.closures()[std::size_t(goal.closure)].joint);
  for (const LoopValues& goal : goals_) {
    const Closure& closure = model_.closures()[std::size_t(goal.closure)];
    const ClosureAt at =
        evaluate_closure(model_, goal.closure, workspace_->kinematics, goal.values.data());
    const Eigen::VectorXd way = error_between(goal.closure, goal.values, at.q);
    for (Eigen::Index k = 0; k < way.size(); ++k, ++row) {
      const Vec3<double>& w = at.columns[k].angular;
      const double meters = dot(w, w) > 0.25 ? size() : 1;
      error_[row] = meters * way[k];
      J_all_.row(row) =
          meters *
          effort_of_loop(model_, workspace_->kinematics, closure.v_start + int(k)).transpose();
    }
  }
}

std::vector<std::vector<double>> AssemblySolver::loop_coordinates(const std::vector<double>& q) {
  evaluate(q);
  std::vector<std::vector<double>> all;
  for (const LoopValues& goal : goals_) {
    const ClosureAt at =
        evaluate_closure(model_, goal.closure, workspace_->kinematics, goal.values.data());
    all.emplace_back(at.q, at.q + goal.values.size());
  }
  return all;
}

int AssemblySolver::ways_left(const std::vector<double>& q) {
  evaluate(q);
  if (free_.empty() || J_.rows() == 0) return int(free_.size());
  const PivotedQr qr(J_.transpose(), 1e-7);
  return int(J_.cols() - qr.rank());
}

}  // namespace trammel
