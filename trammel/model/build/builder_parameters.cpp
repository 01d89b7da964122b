// Nominal parameters of a model: limits of its joints, its characteristic length, and degrees of
// freedom without inertia.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "trammel/model/build/model_builder.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/model/description/frames.hpp"

namespace trammel {

void ModelBuilder::make_nominal_numbers() {
  std::vector<double> nominal;
  for (const ParameterDescription& parameter : description().parameters)
    nominal.push_back(parameter.value);
  model_.numbers_ =
      std::make_shared<const ModelParameters<double>>(make_numbers<double>(model_, nominal));
  model_.has_passive_forces_ = !model_.numbers_->passive.empty();

  const Values<double> value = evaluate_at_nominal(description());
  for (NamedJoint& joint : model_.joints_) {
    const JointOptions& options = description().joints[std::size_t(joint.description)].options;
    joint.X_PF = pose_of(options.at, value);
    joint.X_CM = pose_of(options.child_at, value);
    joint.limits = {.lower = values_of(options.limits.lower, value),
                    .upper = values_of(options.limits.upper, value),
                    .velocity = values_of(options.limits.velocity, value),
                    .effort = values_of(options.limits.effort, value),
                    .restitution = values_of(options.limits.restitution, value)};
    drop_exchanged_limits(joint.limits);
  }
  measure();
}

// If a lower limit exceeds the upper one, neither is used for that coordinate.
void ModelBuilder::drop_exchanged_limits(BasicJointLimits<double>& limits) {
  std::vector<double>&lower = limits.lower, &upper = limits.upper;
  if (lower.empty() || upper.empty()) return;
  const std::size_t count = std::max(lower.size(), upper.size());
  bool are_exchanged = false;
  for (std::size_t k = 0; k < count; ++k)
    are_exchanged |= lower[lower.size() == 1 ? 0 : k] > upper[upper.size() == 1 ? 0 : k];
  if (!are_exchanged) return;
  lower.resize(count, lower[0]), upper.resize(count, upper[0]);
  bool are_limits_left = false;
  for (std::size_t k = 0; k < count; ++k) {
    if (lower[k] > upper[k]) {
      lower[k] = -std::numeric_limits<double>::infinity();
      upper[k] = std::numeric_limits<double>::infinity();
    }
    are_limits_left |= std::isfinite(lower[k]) || std::isfinite(upper[k]);
  }
  if (!are_limits_left) lower.clear(), upper.clear(), limits.restitution.clear();
}

// Characteristic length. A joint on ground is measured from the one on ground before it, so that
// the length does not grow with the distance of the mechanism from the origin, and with it the
// tolerances of closed loops.
void ModelBuilder::measure() {
  double sum = 0;
  int count = 0;
  Vec3<double> on_ground;
  for (std::size_t i = 1; i < model_.bodies_.size(); ++i) {
    const Vec3<double>& p = model_.numbers_->bodies[i].X_PF.p;
    const bool is_on_ground = model_.bodies_[i].parent == 0;
    const double distance = norm(is_on_ground ? p - on_ground : p);
    if (is_on_ground) on_ground = p;
    if (i == 1) continue;  // no joint to measure it from
    sum += distance;
    count += distance > 0 ? 1 : 0;
  }
  // if all joints are at one point, the lengths of rods and curves are used
  if (count == 0)
    for (const auto& rod : model_.numbers_->rods) sum += rod.length, ++count;
  if (count == 0)
    for (const FrameConstraint& constraint : model_.frame_constraints_)
      sum += constraint.curve.length() / 4, ++count;
  if (sum > 0) model_.characteristic_length_ = sum / count;
}

// Massless links between bodies connected by a loop, a wheel or a coupling may be determined by
// these constraints: that depends on the pose, and `trammel check` tests it at the initial state.
void ModelBuilder::warn_of_massless_dofs() {
  const std::size_t n = model_.bodies_.size();
  std::vector<bool> has_inertia(n, false);
  for (std::size_t i = n - 1; i > 0; --i) {
    const Inertia<double>& I = model_.numbers_->bodies[i].inertia;
    if (I.mass > 0 || trace(I.rotational) > 0) has_inertia[i] = true;
    if (has_inertia[i]) has_inertia[std::size_t(model_.bodies_[i].parent)] = true;
  }
  if (std::ranges::find(has_inertia.begin() + 1, has_inertia.end(), false) == has_inertia.end())
    return;
  const std::vector<bool> is_constrained = constrained_bodies();
  for (std::size_t i = 1; i < n; ++i) {
    if (has_inertia[i] || is_constrained[i]) continue;
    const NamedJoint& joint = model_.joints_[i - 1];
    diagnostics_.warning(
        joint.place, fmt::format("joint '{}' moves nothing that has mass or inertia", joint.name),
        "give one of the bodies it moves a mass; without, only loops can determine its "
        "acceleration");
  }
}

// Per body of the tree: a constraint acts between the bodies that its joint moves and others, or
// its motion is prescribed or coupled. Cost O(bodies) and the lengths of the loops.
std::vector<bool> ModelBuilder::constrained_bodies() const {
  // crossing[i], summed over the bodies outboard of i: constraints with one end there. One with two
  // ends there is subtracted again where the paths of its ends meet.
  std::vector<int> crossing(model_.bodies_.size(), 0);
  const auto parent = [&](int i) { return model_.bodies_[std::size_t(i)].parent; };
  const auto add = [&](const auto& items) {
    for (const auto& item : items) {
      int a = model_[item.parent].tree_body, b = model_[item.child].tree_body;
      ++crossing[std::size_t(a)], ++crossing[std::size_t(b)];
      while (a != b) (a > b ? a : b) = parent(std::max(a, b));
      crossing[std::size_t(a)] -= 2;
    }
  };
  add(model_.closures_);
  add(model_.rods_);
  add(model_.frame_constraints_);
  add(model_.wheels_);
  for (std::size_t i = crossing.size() - 1; i > 0; --i)
    crossing[std::size_t(parent(int(i)))] += crossing[i];

  std::vector<bool> is_coupled(std::size_t(model_.nv_), false);
  for (const Coupling& coupling : model_.couplings_)
    for (const Coupling::Term& term : coupling.terms)
      if (term.closure < 0) is_coupled[std::size_t(term.v)] = true;

  std::vector<bool> is_constrained(crossing.size(), false);
  for (std::size_t i = 1; i < crossing.size(); ++i) {
    const NamedJoint& joint = model_.joints_[i - 1];
    is_constrained[i] =
        crossing[i] > 0 || joint.drive == Drive::motion || joint.drive == Drive::locked;
    for (int k = joint.v_start; k < joint.v_start + joint.nv; ++k)
      if (is_coupled[std::size_t(k)]) is_constrained[i] = true;
  }
  return is_constrained;
}

}  // namespace trammel
