#include "trammel/dynamics/reactions.hpp"

#include <algorithm>

#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/exact_scalars.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/kernel/tree/reactions.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/scalar_kernels.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace kernel {

#define INSTANTIATE(P, S)                                                            \
  template void reactions<P, S>(const KernelInput<P, S>&, const BasicKinematics<S>&, \
                                std::span<Force<S>>, std::span<Force<S>>);
TRAMMEL_FOR_EACH_EXACT_PAIR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kernel

Status reactions(const Model& model, const State& state, const Inputs& inputs, Workspace& workspace,
                 std::vector<Force<double>>& out) {
  const EvalContext context("reactions", model, state, inputs, workspace,
                            Constraints::honored_unchecked, Forces::acting);
  if (!context.ok()) return context.status();
  if (workspace->constrained) return workspace->constrained->reactions(context, workspace, out);
  out.resize(model.joints().size());
  const auto input = context.unloaded_input();
  kernel::kernels().kinematics(input, context.q(), context.v(), context.a(), *workspace,
                               workspace->kinematics);

  std::fill(workspace->on_body.begin(), workspace->on_body.end(), Force<double>{});
  for (const Wrench& wrench : inputs.wrenches) {
    Force<double> F = wrench.F;
    if (wrench.axes == Axes::world) {
      const int tree_body = model[wrench.at.body].tree_body;
      F = turned(transpose(workspace->kinematics.X_WB[tree_body].R * placed(model, wrench.at).R),
                 F);
    }
    workspace->on_body[index(wrench.at.body)] += to_parent(wrench.at.X_UA, F);
  }
  for (const ElementForce& element : workspace->element_forces) {
    const auto push = [&](BodyId body, const Force<double>& F) {
      const Pose<double> X_WU = pose(model, workspace->kinematics, {body});
      workspace->on_body[index(body)] +=
          turned(transpose(X_WU.R), acting_at(element.p - X_WU.p, F));
    };
    push(element.child, element.F);
    push(element.parent, -element.F);
  }
  kernel::reactions<double, double>(input, workspace->kinematics, workspace->on_body, out);
  return {};
}

}  // namespace trammel
