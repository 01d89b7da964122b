#include "trammel/simulate/inputs/prescribed_start.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/model/build/names.hpp"

namespace trammel {

namespace {

// "input 'lift'": the input that prescribes a joint
std::string input_of(const Model& model, const std::string& joint) {
  for (const InputDescription& input : model.description().inputs)
    if (input.joint == joint) return fmt::format("input '{}'", input.name);
  return "its prescribed motion";
}

bool is_given(const Model& model, int dof, const std::vector<JointId>& joints,
              const std::vector<int>& dofs) {
  if (std::ranges::find(dofs, dof) != dofs.end()) return true;
  return std::ranges::any_of(joints, [&](JointId id) {
    return dof >= model[id].v_start && dof < model[id].v_start + model[id].nv;
  });
}

bool differ(double a, double b) {
  return std::abs(a - b) > assembly_tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

Status contradicts(const Model& model, const std::string& name, const char* what, double given,
                   double prescribed) {
  return Status::failure(fmt::format(
      "joint '{}' is given {} {:.6g}, but its prescribed motion starts {} {:.6g}: change {}, or "
      "the start ([state], --q, --v)",
      name, what, given, what, prescribed,
      input_of(model, coordinate_named(name, model.description()).joint)));
}

}  // namespace

Status start_prescribed(const Model& model, const SimulationInputs& run_inputs,
                        const AssemblyOptions& given, State& state, Workspace& workspace) {
  State goal = state;
  run_inputs.follow(state.time, goal.q, goal.v);
  AssemblyOptions options = given;
  options.keep_velocity.emplace();  // positions only
  options.keep_velocity_dofs.clear();
  options.loop_velocities.clear();
  std::string first;  // first joint to be moved, and its two values
  double from = 0, to = 0;
  for (const NamedJoint& joint : model.joints()) {
    if (joint.role != NamedJoint::Role::tree || joint.drive != Drive::motion) continue;
    for (int k = 0; k < joint.nv; ++k) {
      const int f = joint.v_start + k;
      if (given.keep_velocity &&
          is_given(model, f, *given.keep_velocity, given.keep_velocity_dofs) &&
          differ(state.v[std::size_t(f)], goal.v[std::size_t(f)]) && !run_inputs.is_static())
        return contradicts(model, model.dof_name(f), "with velocity", state.v[std::size_t(f)],
                           goal.v[std::size_t(f)]);
    }
    bool moves = false;
    for (int k = 0; k < joint.nq; ++k) {
      const auto at = std::size_t(joint.q_start + k);
      if (!differ(state.q[at], goal.q[at])) continue;
      const int f = joint.v_start + std::min(k, joint.nv - 1);
      if (is_given(model, f, given.keep, given.keep_dofs))
        return contradicts(model, model.coordinate_name(int(at)), "at", state.q[at], goal.q[at]);
      if (!moves && first.empty())
        first = model.coordinate_name(int(at)), from = state.q[at], to = goal.q[at];
      moves = true;
    }
    if (moves)
      for (int k = 0; k < joint.nv; ++k) options.keep_dofs.push_back(joint.v_start + k);
  }

  SimulationInputs::Acting acting(model);
  if (const PrescribedLoopMotion loops = run_inputs.prescribed_loop_motion(state.time, acting);
      !loops.q.empty()) {
    LoopMotion now;
    if (Status status = loop_motion(model, state, workspace, now); !status) return status;
    for (std::size_t c = 0; c < model.closures().size(); ++c) {
      const Closure& closure = model.closures()[c];
      const int count = std::visit([](const auto& j) { return int(j.nq()); }, closure.joint);
      if (!closure.named || model[*closure.named].drive != Drive::motion) continue;
      if (count != std::visit([](const auto& j) { return int(j.nv()); }, closure.joint)) continue;
      LoopValues wanted{.closure = int(c)};
      bool moves = false;
      for (int k = 0; k < count; ++k) {
        const double prescribed = loops.q[std::size_t(closure.v_start + k)];
        wanted.values.push_back(prescribed);
        if (!differ(now.q[closure.q_start + k], prescribed)) continue;
        if (!moves && first.empty())
          first = model[*closure.named].name, from = now.q[closure.q_start + k], to = prescribed;
        moves = true;
      }
      if (!moves) continue;
      const auto same = std::ranges::find(given.loop_positions, int(c), &LoopValues::closure);
      if (same != given.loop_positions.end()) return contradicts(model, first, "at", from, to);
      options.loop_positions.push_back(std::move(wanted));
    }
  }
  if (first.empty()) return {};
  if (!model.has_constraints()) return {};  // no loops: joints are independent
  const Status led = assemble_by_continuation(model, state, goal, workspace, options);
  if (!led.ok()) {
    if (!given.keep.empty() || !given.keep_dofs.empty() || !given.loop_positions.empty())
      return contradicts(model, first, "at", from, to);
    return led;
  }
  state.q = goal.q;
  return {};
}

}  // namespace trammel
