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

// Rows and required loop joint velocities in meters, with respect to scaled velocities: J y = rate,
// v = unit y.
AssemblySolver::VelocityEquations AssemblySolver::velocity_equations(
    const std::vector<double>& v, const Eigen::VectorXd& unit) const {
  const int rows = rows_.count();
  std::vector<std::vector<int>> pattern = pattern_of(rows_.sparse_jacobian());
  VelocityEquations out;
  std::vector<double> goals;
  for (const LoopValues& speed : speeds_)
    for (std::size_t k = 0; k < speed.values.size(); ++k) {
      out.loop_dofs.push_back(model_.closures()[std::size_t(speed.closure)].v_start + int(k));
      goals.push_back(speed.values[k]);
      pattern.push_back(dofs_of_loop(model_, speed.closure));
    }
  out.J = SparseRows(model_.nv(), pattern);
  out.rate.resize(out.J.rows());
  for (int row = 0; row < out.J.rows(); ++row) {
    const std::span<double> entries = out.J.values(row);
    if (row < rows) {
      const double meters = rows_.is_turn(row) ? size() : 1;
      out.rate[row] = meters * rows_.rate()[row];
      std::ranges::transform(rows_.sparse_jacobian().values(row), entries.begin(),
                             [&](double entry) { return meters * entry; });
    } else {
      const auto k = std::size_t(row - rows);
      write_effort_of_loop(model_, workspace_->kinematics, out.loop_dofs[k], out.J.columns(row),
                           entries);
      out.rate[row] = out.J.dot(row, as_vector(v)) - goals[k];
    }
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] *= unit[out.J.columns(row)[i]];
  }
  return out;
}

std::string AssemblySolver::make_consistent(const std::vector<double>& q, std::vector<double>& v) {
  for (int f = 0; f < model_.nv(); ++f)
    if (model_.prescription(f) == Drive::locked) v[std::size_t(f)] = 0;
  kernel::kernels().kinematics(internal::unloaded_input(model_, workspace_), q, v, workspace_->zero,
                               *workspace_, workspace_->kinematics);
  rows_.evaluate(model_, workspace_->kinematics, q, v, workspace_->zero, {});
  const Eigen::VectorXd unit = dof_weights(model_, workspace_->kinematics).cwiseInverse();
  const VelocityEquations all = velocity_equations(v, unit);
  const Eigen::VectorXd step =
      minimum_norm_solution(all.J, equation_components(model_, pattern_of(all.J), willing_),
                            all.rate, workspace_->threads.get());
  for (const int f : willing_) v[std::size_t(f)] -= step[f] * unit[f];
  double fastest = 0;
  for (const double x : v) fastest = std::max(fastest, std::abs(x));
  const Eigen::VectorXd left = all.rate - all.J * step;
  if (left.norm() <= 1e-9 * (1 + size()) * (fastest + all.rate.norm())) return {};
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
  if (worst >= rows_.count())
    return fmt::format("loop joint '{}'",
                       model_.closure_dof_name(all.loop_dofs[std::size_t(worst - rows_.count())]));
  return rows_.owner_names()[std::size_t(rows_.owner(int(worst)))];
}

}  // namespace trammel
