#include "trammel/dynamics/forward_dynamics.hpp"

#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/given_accelerations.hpp"
#include "trammel/dynamics/hybrid_dynamics.hpp"
#include "trammel/dynamics/hybrid_dynamics_as.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

Status forward_dynamics(const Model& model, const State& state, const Inputs& inputs,
                        Workspace& workspace, std::span<double> a) {
  const EvalContext context("forward_dynamics", model, state, inputs, workspace,
                            Constraints::honored_unchecked, Forces::acting);
  context.expects_vector("a", a.size(), model.nv());
  if (!context.ok()) return context.status();
  if (Status status = check_given_accelerations(context); !status) return status;
  if (workspace->constrained)
    return workspace->constrained->forward_dynamics(context, workspace, a);
  if (model.has_prescribed_joints())
    return hybrid_dynamics_as("forward_dynamics", model, state, inputs, workspace, a,
                              workspace->tau);
  const Pivots pivots = kernel::kernels().forward_dynamics(
      context.input(), context.q(), context.v(), context.tau(), *workspace, a);
  if (pivots.weak_dof != Pivots::none) return context.no_inertia(pivots.weak_dof);
  return {};
}

}  // namespace trammel
