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

void ModelBuilder::measure() {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 2; i < model_.bodies_.size(); ++i) {
    const double distance = norm(model_.numbers_->bodies[i].X_PF.p);
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
  for (std::size_t i = 1; i < n; ++i) {
    if (has_inertia[i] || is_constrained(int(i))) continue;
    const NamedJoint& joint = model_.joints_[i - 1];
    diagnostics_.warning(
        joint.place, fmt::format("joint '{}' moves nothing that has mass or inertia", joint.name),
        "give one of the bodies it moves a mass; without, only loops can determine its "
        "acceleration");
  }
}

// A constraint acts on the bodies that the joint of `body` moves, or its motion is prescribed.
bool ModelBuilder::is_constrained(int body) const {
  const auto is_outboard = [&](BodyId id) {
    int i = model_[id].tree_body;
    while (i > body) i = model_.bodies_[std::size_t(i)].parent;
    return i == body;
  };
  const auto holds = [&](const auto& item) {
    return is_outboard(item.parent) != is_outboard(item.child);
  };
  const NamedJoint& joint = model_.joints_[std::size_t(body) - 1];
  const auto couples = [&](const Coupling& coupling) {
    return std::ranges::any_of(coupling.terms, [&](const Coupling::Term& term) {
      return term.closure < 0 && term.v >= joint.v_start && term.v < joint.v_start + joint.nv;
    });
  };
  return joint.drive == Drive::motion || joint.drive == Drive::locked ||
         std::ranges::any_of(model_.closures_, holds) || std::ranges::any_of(model_.rods_, holds) ||
         std::ranges::any_of(model_.frame_constraints_, holds) ||
         std::ranges::any_of(model_.wheels_, holds) ||
         std::ranges::any_of(model_.couplings_, couples);
}

}  // namespace trammel
