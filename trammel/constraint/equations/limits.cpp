#include "trammel/constraint/equations/limits.hpp"

#include <cmath>
#include <numbers>

#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"

namespace trammel {

Range position_range(const BasicJointLimits<double>& limits, int k) {
  Range range;
  const auto put = [&](const std::vector<double>& list, double& into) {
    if (!list.empty()) into = list.size() == 1 ? list[0] : list[std::size_t(k)];
  };
  put(limits.lower, range.lower);
  put(limits.upper, range.upper);
  return range;
}

std::vector<LoopLimit> loop_limits(const Model& model) {
  std::vector<LoopLimit> found;
  for (std::size_t c = 0; c < model.closures().size(); ++c) {
    const Closure& closure = model.closures()[c];
    if (!closure.named) continue;
    const int nq = std::visit([](const auto& joint) { return joint.nq(); }, closure.joint);
    if (nq != dof_count(closure.joint)) continue;  // quaternions have none
    for (int k = 0; k < nq; ++k)
      if (const Range range = position_range(model[*closure.named].limits, k); range.is_limited())
        found.push_back({int(c), k, range, comes_round(closure.joint, k)});
  }
  return found;
}

double judged_angle(double angle, const Range& range) {
  if (!range.is_limited_below() || !range.is_limited_above()) return angle;
  const double middle = (range.lower + range.upper) / 2;
  return middle + std::remainder(angle - middle, 2 * std::numbers::pi);
}

double loop_coordinate(const Model& model, const LoopLimit& limit, const Kinematics& kinematics) {
  const double q = evaluate_near_rest(model, limit.closure, kinematics).q[limit.k];
  return limit.turns ? judged_angle(q, limit.range) : q;
}

std::string name_of(const Model& model, const LoopLimit& limit) {
  const int coordinate = model.closures()[std::size_t(limit.closure)].q_start + limit.k;
  return "loop joint '" + loop_coordinate_names(model)[std::size_t(coordinate)] + "'";
}

}  // namespace trammel
