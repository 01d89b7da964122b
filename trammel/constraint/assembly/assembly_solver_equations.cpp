// Equations of the assembly at a position: residuals and Jacobian of constraint rows, target poses
// and required loop coordinates, in meters (docs/theory/assembly.md).
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

#include "trammel/base/expects.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly_solver.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/dynamics/jacobian.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/dofs_between.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

void AssemblySolver::connect() {
  const SparseRows& J = rows_.sparse_jacobian();
  std::vector<std::vector<int>> pattern = pattern_of(J);
  // only holonomic rows constrain positions
  for (std::size_t k = 0; k < pattern.size(); ++k)
    if (!holds_[k]) pattern[k].clear();
  const auto add = [&](int rows, const std::vector<int>& dofs) {
    pattern.insert(pattern.end(), std::size_t(rows), dofs);
  };
  for (const Target& target : targets_)
    add((target.position ? 3 : 0) + (target.rotation ? 3 : 0),
        dofs_between(model_, 0, model_[target.place.body].tree_body));
  for (const LoopValues& goal : goals_)
    add(dof_count(model_.closures()[std::size_t(goal.closure)].joint),
        dofs_of_loop(model_, goal.closure));
  J_ = SparseRows(model_.nv(), pattern);
  error_ = Eigen::VectorXd::Zero(J_.rows());
  std::vector<std::vector<int>> limited;
  for (const LoopLimit& limit : loop_limits_)
    limited.push_back(dofs_of_loop(model_, limit.closure));
  J_loop_ = SparseRows(model_.nv(), limited);
  loop_q_ = Eigen::VectorXd::Zero(J_loop_.rows());

  pattern.insert(pattern.end(), limited.begin(), limited.end());
  components_.clear();
  std::vector<std::size_t> component_of_dof(std::size_t(model_.nv()));
  for (EquationComponent& equations : equation_components(model_, pattern, free_)) {
    Component component;
    while (!equations.rows.empty() && equations.rows.back() >= J_.rows()) {
      component.loop_limits.push_back(equations.rows.back() - J_.rows());
      equations.rows.pop_back();
    }
    std::ranges::reverse(component.loop_limits);
    for (const int f : equations.dofs) component_of_dof[std::size_t(f)] = components_.size();
    component.equations = std::move(equations);
    components_.push_back(std::move(component));
  }
  std::vector<bool> is_mobile(std::size_t(J_.rows()), false);
  for (const Component& component : components_)
    for (const int row : component.equations.rows) is_mobile[std::size_t(row)] = true;
  immobile_rows_.clear();
  for (int row = 0; row < J_.rows(); ++row)
    if (!is_mobile[std::size_t(row)]) immobile_rows_.push_back(row);
  for (std::size_t k = 0; k < limits_.size(); ++k)
    components_[component_of_dof[std::size_t(limits_[k].dof)]].limits.push_back(int(k));
}

double AssemblySolver::evaluate(std::span<const double> q) {
  kernel::kernels().kinematics(internal::unloaded_input(model_, workspace_), q, workspace_->zero,
                               workspace_->zero, *workspace_, workspace_->kinematics);
  rows_.evaluate(model_, workspace_->kinematics, q, workspace_->zero, workspace_->zero, {});
  const int rows = rows_.count();
  for (int k = 0; k < rows; ++k) {
    if (!holds_[std::size_t(k)]) continue;
    const double meters = rows_.is_turn(k) ? size() : 1;
    error_[k] = meters * rows_.error()[k];
    const std::span<const double> entries = rows_.sparse_jacobian().values(k);
    std::ranges::transform(entries, J_.values(k).begin(), [&](double x) { return meters * x; });
  }
  add_targets();
  add_loop_goals();
  add_loop_limits();
  for (SparseRows* J : {&J_, &J_loop_})
    for (int k = 0; k < J->rows(); ++k)
      for (std::size_t i = 0; i < J->columns(k).size(); ++i)
        J->values(k)[i] *= unit_[J->columns(k)[i]];
  // couplings of tree coordinates are linear: steps along them need no limit
  is_curved_.assign(std::size_t(model_.nv()), false);
  for (int k = 0; k < J_.rows(); ++k) {
    if (k < rows && rows_.is_linear(k)) continue;
    for (std::size_t i = 0; i < J_.columns(k).size(); ++i)
      if (J_.values(k)[i] != 0) is_curved_[std::size_t(J_.columns(k)[i])] = true;
  }
  return largest_violation();
}

double AssemblySolver::violation_of(const Component& component) const {
  double sum = 0;
  for (const int row : component.equations.rows) sum += error_[row] * error_[row];
  for (const int k : component.loop_limits) {
    const LoopLimit& limit = loop_limits_[std::size_t(k)];
    const double out = limit.range.outside(loop_q_[k]) * (limit.turns ? size() : 1);
    sum += out * out;
  }
  return std::sqrt(sum);
}

double AssemblySolver::largest_violation() const {
  double largest = immobile_rows_.empty() ? 0 : error_(immobile_rows_).norm();
  for (const Component& component : components_)
    largest = std::max(largest, violation_of(component));
  return largest;
}

void AssemblySolver::add_loop_limits() {
  for (int k = 0; k < J_loop_.rows(); ++k) {
    const LoopLimit& limit = loop_limits_[std::size_t(k)];
    const int dof = model_.closures()[std::size_t(limit.closure)].v_start + limit.k;
    write_effort_of_loop(model_, workspace_->kinematics, dof, J_loop_.columns(k),
                         J_loop_.values(k));
    loop_q_[k] = loop_coordinate(model_, limit, workspace_->kinematics);
  }
}

void AssemblySolver::add_targets() {
  if (targets_.empty()) return;
  int row = rows_.count();
  Eigen::MatrixXd J(6, model_.nv());
  const auto put = [&](const Vec3<double>& error, Eigen::Index from, double meters) {
    error_.segment<3>(row) = meters * Eigen::Vector3d(error.x, error.y, error.z);
    for (const int end = row + 3; row < end; ++row, ++from)
      for (std::size_t i = 0; i < J_.columns(row).size(); ++i)
        J_.values(row)[i] = meters * J(from, J_.columns(row)[i]);
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
  int row = J_.rows();
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
      write_effort_of_loop(model_, workspace_->kinematics, closure.v_start + int(k),
                           J_.columns(row), J_.values(row));
      for (double& entry : J_.values(row)) entry *= meters;
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
  Eigen::Index ways = 0;
  for (const Component& component : components_) {
    const auto& [rows, dofs, bodies] = component.equations;
    ways += Eigen::Index(dofs.size());
    if (!rows.empty()) ways -= PivotedQr(J_.block(rows, dofs).transpose(), 1e-7).rank();
  }
  return int(ways);
}

}  // namespace trammel
