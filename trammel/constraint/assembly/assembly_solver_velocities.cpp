// Velocities that satisfy the constraints at a position: the least change of the given ones.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly_solver.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"

namespace trammel {

std::string AssemblySolver::make_consistent(const std::vector<double>& q, std::vector<double>& v) {
  for (int f = 0; f < model_.nv(); ++f)
    if (model_.prescription(f) == Drive::locked) v[std::size_t(f)] = 0;
  kernel::kernels().kinematics({model_, model_.numbers()}, q, v, workspace_->zero, *workspace_,
                               workspace_->kinematics);
  rows_.evaluate(model_, workspace_->kinematics, q, v, workspace_->zero, {});
  const Eigen::VectorXd weights = dof_weights(model_, workspace_->kinematics);
  Eigen::VectorXd rate = rows_.rate();
  Eigen::MatrixXd J(rate.size(), Eigen::Index(willing_.size()));
  for (Eigen::Index k = 0; k < rate.size(); ++k) {
    const double meters = rows_.is_turn(int(k)) ? size() : 1;
    rate[k] *= meters;
    for (std::size_t f = 0; f < willing_.size(); ++f)
      J(k, Eigen::Index(f)) = meters / weights[willing_[f]] * rows_.jacobian()(k, willing_[f]);
  }
  std::vector<std::string> loop_names;
  for (const LoopValues& speed : speeds_) {
    const Closure& closure = model_.closures()[std::size_t(speed.closure)];
    for (std::size_t k = 0; k < speed.values.size(); ++k) {
      const int dof = closure.v_start + int(k);
      const Eigen::VectorXd along = effort_of_loop(model_, workspace_->kinematics, dof);
      const Eigen::Index row = rate.size();
      rate.conservativeResize(row + 1);
      J.conservativeResize(row + 1, Eigen::NoChange);
      rate[row] = along.dot(as_vector(v)) - speed.values[k];
      for (std::size_t f = 0; f < willing_.size(); ++f)
        J(row, Eigen::Index(f)) = along[willing_[f]] / weights[willing_[f]];
      loop_names.push_back(fmt::format("loop joint '{}'", model_.closure_dof_name(dof)));
    }
  }
  const Eigen::VectorXd step = solve(rate, J);
  for (std::size_t k = 0; k < willing_.size(); ++k)
    v[std::size_t(willing_[k])] -= step[Eigen::Index(k)] / weights[willing_[k]];
  double fastest = 0;
  for (const double x : v) fastest = std::max(fastest, std::abs(x));
  const Eigen::VectorXd left = rate - J * step;
  if (left.size() == 0 || left.norm() <= 1e-9 * (1 + size()) * (fastest + rate.norm())) return {};
  // kept velocities that violate the rows by no more than rounded decimals are changed
  if (left.norm() <= assembly_tolerance * size() * fastest && int(willing_.size()) < model_.nv()) {
    const std::vector<int> kept = std::exchange(willing_, all_but(model_, {}, {}));
    const bool has_others = willing_.size() > kept.size();
    std::string torn;
    if (has_others) torn = make_consistent(q, v);
    willing_ = kept;
    if (has_others && torn.empty()) return {};
  }
  Eigen::Index worst = 0;
  max_abs(left, worst);
  if (worst >= rows_.count()) return loop_names[std::size_t(worst - rows_.count())];
  return rows_.owner_names()[std::size_t(rows_.owner(int(worst)))];
}

}  // namespace trammel
