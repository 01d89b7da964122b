#include "trammel/constraint/equations/loop_motion.hpp"

#include <fmt/format.h>

#include "trammel/model/description/joint_labels.hpp"

#include <cmath>
#include <optional>

#include "trammel/constraint/equations/limits.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

int coordinate_count(const Joint& joint) {
  return std::visit([](const auto& j) { return j.nq(); }, joint);
}
std::optional<double> limit_of(const std::vector<double>& limits, int k) {
  if (limits.empty()) return std::nullopt;
  return limits.size() == 1 ? limits[0] : limits[std::size_t(k)];
}

}  // namespace

Status loop_motion(const Model& model, const State& state, Workspace& workspace, LoopMotion& out) {
  Kinematics& kinematics = workspace->kinematics;
  if (Status status = trammel::kinematics(model, state, {}, workspace, kinematics); !status)
    return Status::failure("loop_motion" + status.message().substr(status.message().find(':')));
  out.q.resize(model.loop_nq());
  out.v.resize(model.loop_nv());
  for (std::size_t c = 0; c < model.closures().size(); ++c) {
    const Closure& closure = model.closures()[c];
    const ClosureAt at = evaluate_near_rest(model, int(c), kinematics);
    for (int k = 0; k < coordinate_count(closure.joint); ++k) out.q[closure.q_start + k] = at.q[k];
    for (int k = 0; k < dof_count(closure.joint); ++k) out.v[closure.v_start + k] = at.v[k];
  }
  return {};
}

std::vector<std::string> loop_coordinate_names(const Model& model) {
  std::vector<std::string> names;
  for (const Closure& closure : model.closures()) {
    const int count = coordinate_count(closure.joint);
    const std::string& name = closure.named ? model[*closure.named].name : closure.name;
    const JointDescription point = point_as_joint();
    const JointDescription& joint =
        closure.named ? model.description().joints[std::size_t(model[*closure.named].description)]
                      : point;
    for (int k = 0; k < count; ++k)
      names.push_back(name_with_label(name, coordinate_label(joint, k)));
  }
  return names;
}
std::vector<std::string> loop_dof_names(const Model& model) {
  std::vector<std::string> names;
  for (int k = 0; k < model.loop_nv(); ++k) names.push_back(model.closure_dof_name(k));
  return names;
}

Diagnostics check_loop_limits(const Model& model, const LoopMotion& motion) {
  Diagnostics diagnostics;
  const std::vector<LoopLimit> limited = loop_limits(model);  // closure after closure
  const std::vector<std::string> names =
      limited.empty() ? std::vector<std::string>() : loop_coordinate_names(model);
  auto next = limited.begin();
  for (std::size_t at = 0; at < model.closures().size(); ++at) {
    const Closure& closure = model.closures()[at];
    if (!closure.named) continue;
    const BasicJointLimits<double>& limits = model[*closure.named].limits;
    const auto warn = [&](const std::string& message) {
      diagnostics.warning(closure.place, "joint " + message);
    };
    for (; next != limited.end() && std::size_t(next->closure) == at; ++next) {
      const auto& [c, k, range, turns] = *next;
      const double fitted = motion.q[closure.q_start + k];
      const double q = turns ? judged_angle(fitted, range) : fitted;
      const std::string& name = names[std::size_t(closure.q_start + k)];
      if (range.outside(q) < 0)
        warn(fmt::format("'{}' is at {}, below its limit of {}", name, q, range.lower));
      if (range.outside(q) > 0)
        warn(fmt::format("'{}' is at {}, above its limit of {}", name, q, range.upper));
    }
    for (int k = 0; k < dof_count(closure.joint); ++k) {
      const double v = motion.v[closure.v_start + k];
      const auto fastest = limit_of(limits.velocity, k);
      if (fastest && std::abs(v) > *fastest)
        warn(fmt::format("'{}' moves at {}, faster than its limit of {}",
                         model.closure_dof_name(closure.v_start + k), v, *fastest));
    }
  }
  return diagnostics;
}

}  // namespace trammel
