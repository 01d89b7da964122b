// Descriptions of an assembly that failed, for messages.
#include <Eigen/Core>
#include <cmath>

#include <fmt/format.h>

#include "trammel/constraint/assembly/assembly_solver.hpp"
#include "trammel/constraint/equations/violations.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

std::string AssemblySolver::widest_at(const std::vector<double>& q) {
  evaluate(q);
  const double of_loops = rows_.count() > 0 ? error_.head(rows_.count()).norm() : 0;
  std::string words = of_loops > 1e-9 * size() ? widest_gap(model_, rows_) : "";
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    const Pose<double> X = pose(model_, workspace_->kinematics, targets_[k].place);
    const double far = targets_[k].position ? norm(X.p - *targets_[k].position) : 0;
    const double turned = targets_[k].rotation
                              ? norm(logarithm(quaternion(transpose(*targets_[k].rotation) * X.R)))
                              : 0;
    if (far + turned * size() <= 1e-9 * size()) continue;
    words += fmt::format("{}{} stays {:.3g} m and {:.3g} rad from its target",
                         words.empty() ? "" : ", ", target_names_[k], far, turned);
  }
  Eigen::Index row = error_.size();
  for (const LoopValues& goal : goals_)
    row -= dof_count(model_.closures()[std::size_t(goal.closure)].joint);
  for (const LoopValues& goal : goals_) {
    const Closure& closure = model_.closures()[std::size_t(goal.closure)];
    const int dofs = dof_count(closure.joint);
    const double far = error_.segment(row, dofs).norm();
    row += dofs;
    if (far > 1e-9 * size())
      words += fmt::format("{}{} stays {:.3g} m (angles times length) from its given value",
                           words.empty() ? "" : ", ", closure.name, far);
  }
  words += limits_met(q);
  // near a singular pose Newton's method converges too slowly to reach the tolerance
  if (words.empty() && rows_.count() > 0)
    words = widest_gap(model_, rows_) + ", and converges no further near a singular pose";
  return words.starts_with(", ") ? words.substr(2) : words;
}

std::string AssemblySolver::limits_met(const std::vector<double>& q) const {
  std::string words;
  const auto report = [&](const std::string& name, double limit) {
    words += fmt::format(", {} is at its limit of {:.6g}", name, limit);
  };
  for (const Limit& limit : limits_) {
    const double at = q[std::size_t(limit.coordinate)];
    if (at > limit.range.lower && at < limit.range.upper) continue;
    report("joint '" + model_.coordinate_name(limit.coordinate) + "'", at);
  }
  for (std::size_t k = 0; k < loop_limits_.size(); ++k) {
    const Range& range = loop_limits_[k].range;
    const double at = loop_q_[Eigen::Index(k)], near = 1e-9;
    const double limit = at >= range.upper - near ? range.upper : range.lower;
    if (std::abs(range.outside(at)) > near)
      words += fmt::format(", {} stays at {:.6g}, outside its limit of {:.6g}",
                           name_of(model_, loop_limits_[k]), at, limit);
    else if (std::abs(at - limit) <= near)
      report(name_of(model_, loop_limits_[k]), limit);
  }
  return words;
}

std::string AssemblySolver::flat_wheel_at(const std::vector<double>& q) {
  if (model_.wheels().empty()) return {};
  evaluate(q);
  return rows_.flat_wheel();
}

std::string AssemblySolver::undefined_at(const std::vector<double>& q) {
  if (model_.frame_constraints().empty()) return {};
  evaluate(q);
  return rows_.undefined();
}

}  // namespace trammel
