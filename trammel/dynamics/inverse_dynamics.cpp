#include "trammel/dynamics/inverse_dynamics.hpp"

#include <algorithm>

#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/kernel/tree/passive_forces.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

Status inverse_dynamics(const Model& model, const State& state, const Inputs& inputs,
                        Workspace& workspace, std::span<double> tau) {
  const EvalContext context("inverse_dynamics", model, state, inputs, workspace,
                            Constraints::honored_unchecked, Forces::acting);
  context.expects_vector("tau", tau.size(), model.nv());
  if (!context.ok()) return context.status();
  if (workspace->constrained)
    return workspace->constrained->inverse_dynamics(context, workspace, tau);
  kernel::kernels().inverse_dynamics(context.input(), context.q(), context.v(), context.a(),
                                     *workspace, tau);
  return {};
}

Status bias(const Model& model, const State& state, const Inputs& inputs, Workspace& workspace,
            std::span<double> tau) {
  const EvalContext context("bias", model, state, inputs, workspace, Constraints::honored,
                            Forces::apart);
  context.expects_vector("tau", tau.size(), model.nv());
  if (!context.ok()) return context.status();
  kernel::kernels().newton_euler(context.unloaded_input(), context.q(), context.v(), context.zero(),
                                 *workspace, tau);
  return {};
}

Status gravity_load(const Model& model, const State& state, Workspace& workspace,
                    std::span<double> tau) {
  const Inputs nothing;
  const EvalContext context("gravity_load", model, state, nothing, workspace, Constraints::honored,
                            Forces::apart);
  context.expects_vector("tau", tau.size(), model.nv());
  if (!context.ok()) return context.status();
  kernel::kernels().newton_euler(context.unloaded_input(), context.q(), context.zero(),
                                 context.zero(), *workspace, tau);
  return {};
}

Status passive_forces(const Model& model, const State& state, Workspace& workspace,
                      std::span<double> tau) {
  const Inputs nothing;
  const EvalContext context("passive_forces", model, state, nothing, workspace,
                            Constraints::honored, Forces::acting);
  context.expects_vector("tau", tau.size(), model.nv());
  if (!context.ok()) return context.status();
  std::fill(tau.begin(), tau.end(), 0.0);
  kernel::add_passive_forces<double, double>(model.numbers(), context.q(), context.v(), tau);
  add_efforts(model, workspace->kinematics, workspace->element_forces, tau);
  return {};
}

}  // namespace trammel
