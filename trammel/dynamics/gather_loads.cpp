#include "trammel/dynamics/gather_loads.hpp"

#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

void gather_wrenches(const EvalContext& context, Workspace& workspace) {
  const Model& model = context.model();
  const std::span<const Wrench> wrenches = context.inputs().wrenches;
  bool uses_world_axes = false;
  for (const Wrench& wrench : wrenches) uses_world_axes |= wrench.axes == Axes::world;
  if (uses_world_axes)
    kernel::kernels().kinematics(context.unloaded_input(), context.q(), context.zero(),
                                 context.zero(), *workspace, workspace->kinematics);
  for (const Wrench& wrench : wrenches) {
    const int tree_body = model[wrench.at.body].tree_body;
    if (tree_body == 0) continue;  // ground does not move
    const Pose<double> X_BA = placed(model, wrench.at);
    Force<double> F = wrench.F;
    if (wrench.axes == Axes::world) {
      const Mat3<double> R_AW =
          transpose(workspace->kinematics.X_WB[std::size_t(tree_body)].R * X_BA.R);
      F = turned(R_AW, F);
    }
    workspace->external_forces.push_back({tree_body, to_parent(X_BA, F)});
  }
}

Status gather_elements(const EvalContext& context, Workspace& workspace) {
  const Model& model = context.model();
  kernel::kernels().kinematics(context.unloaded_input(), context.q(), context.v(), context.zero(),
                               *workspace, workspace->kinematics);
  std::vector<ElementForce>& forces = workspace->element_forces;
  if (Status status = add_element_forces<double>(context.name(), model, workspace->kinematics,
                                                 context.state().z, forces);
      !status)
    return status;
  if (workspace->constrained)
    if (Status status = workspace->constrained->add_loop_forces(
            context.name(), model, workspace->kinematics, context.inputs().loop_tau, forces);
        !status)
      return status;
  const auto load = [&](BodyId body, const Force<double>& F, const Vec3<double>& p) {
    const int tree_body = model[body].tree_body;
    if (tree_body == 0) return;  // ground does not move
    const Pose<double>& X_WB = workspace->kinematics.X_WB[std::size_t(tree_body)];
    workspace->external_forces.push_back(
        {tree_body, turned(transpose(X_WB.R), acting_at(p - X_WB.p, F))});
  };
  for (const ElementForce& force : forces) {
    load(force.child, force.F, force.p);
    load(force.parent, -force.F, force.p);
  }
  return {};
}

}  // namespace

Status gather_loads(const EvalContext& context, bool elements_act, Workspace& workspace) {
  if (!context.inputs().wrenches.empty()) gather_wrenches(context, workspace);
  return elements_act ? gather_elements(context, workspace) : Status();
}

}  // namespace trammel
