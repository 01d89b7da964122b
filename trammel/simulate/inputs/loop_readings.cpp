#include "trammel/simulate/inputs/loop_readings.hpp"

#include <algorithm>
#include <numbers>
#include <optional>

#include "trammel/constraint/equations/limits.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/model/build/names.hpp"
#include "trammel/model/description/description_parameters.hpp"

namespace trammel {

int LoopReading::numbers(const Joint& joint) {
  const int count = dof_count(joint);
  // with several dofs, each coordinate is needed as a guess for the others
  return count > 1 || (count == 1 && comes_round(joint, 0)) ? count : 0;
}

LoopReading loop_reading(const Model& model, int closure) {
  const Closure& what = model.closures()[std::size_t(closure)];
  LoopReading reading{closure, what.v_start, dof_count(what.joint)};
  double neutral[7] = {};
  std::visit([&](const auto& joint) { joint.neutral(neutral); }, what.joint);
  std::copy_n(neutral, reading.count, reading.near.begin());
  for (const PassiveNumbers<double>& element : model.numbers().closure_passive)
    if (element.stiffness != 0 && element.v >= what.v_start &&
        element.v < what.v_start + reading.count)
      reading.near[std::size_t(element.v - what.v_start)] = element.rest;
  if (!what.named) return reading;
  // chosen so that all angles within half a turn of it lie between the limits, if they leave a turn
  for (const LoopLimit& limit : loop_limits(model)) {
    const auto& [lower, upper] = limit.range;
    if (limit.closure != closure || !limit.range.is_limited_below() ||
        !limit.range.is_limited_above())
      continue;
    double& near = reading.near[std::size_t(limit.k)];
    near = upper - lower < 2 * std::numbers::pi
               ? (lower + upper) / 2
               : std::clamp(near, lower + std::numbers::pi, upper - std::numbers::pi);
  }
  // a start value or guess in the description also determines the number of turns
  const std::string& name = model[*what.named].name;
  const Description& description = model.description();
  for (const auto* starts : {&description.start_positions, &description.position_guesses}) {
    const auto start = std::ranges::find(*starts, name, &StartDescription::joint);
    if (start == starts->end()) continue;
    const Values<double> value = evaluate_at_nominal(description);
    for (std::size_t k = 0; k < start->values.size() && k < std::size_t(reading.count); ++k)
      reading.near[k] = value(start->values[k]);
    break;
  }
  return reading;
}

void read(const Model& model, const LoopReading& reading, const State& state,
          const Kinematics& kinematics, std::span<double> loop_q, std::span<double> loop_v) {
  double near[7] = {};
  const bool is_stored = reading.z >= 0 && state.z.size() >= std::size_t(reading.z + reading.count);
  std::copy_n(is_stored ? state.z.data() + reading.z : reading.near.data(), reading.count, near);
  const ClosureAt at = evaluate_closure(model, reading.closure, kinematics, near);
  std::copy_n(at.q, reading.count, loop_q.begin() + reading.first);
  std::copy_n(at.v, reading.count, loop_v.begin() + reading.first);
}

std::vector<int> watched_loops(const Model& model) {
  std::vector<int> closures;
  const auto watch = [&](const std::string& name) {
    const std::optional<JointId> id = model.find_joint(name);
    if (!id || model[*id].role != NamedJoint::Role::loop) return;
    const int closure = model.closure_of(*id);
    if (!has_single_coordinates(model.closures()[std::size_t(closure)].joint)) return;
    if (std::ranges::find(closures, closure) == closures.end()) closures.push_back(closure);
  };
  const Description& description = model.description();
  for (const ControllerDescription& controller : description.controllers)
    watch(coordinate_named(controller.joint, description).joint);
  for (const MotorDescription& motor : description.motors)
    if (motor.stall_torque) watch(motor.joint);
  for (const EventDescription& event : description.events)
    if (!event.time) watch(coordinate_named(event.joint, description).joint);
  for (const NamedJoint& joint : model.joints())
    if (!joint.limits.restitution.empty()) watch(joint.name);
  return closures;
}

}  // namespace trammel
