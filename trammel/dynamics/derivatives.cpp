#include "trammel/dynamics/derivatives.hpp"

#include <fmt/format.h>

#include "trammel/dynamics/belongs.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

kernel::DerivativeMatrices sized(Derivatives& out, int nv) {
  out.dq.resize(nv, nv);
  out.dv.resize(nv, nv);
  out.dx.resize(nv, nv);
  return {span_of(out.dq), span_of(out.dv), span_of(out.dx)};
}

// Wrenches in world axes would rotate relative to the bodies when positions change.
Status check_wrenches(const char* name, const Model& model, const Inputs& inputs) {
  for (const Wrench& wrench : inputs.wrenches)
    if (wrench.axes == Axes::world)
      return Status::failure(fmt::format(
          "{}: the wrench on body '{}' is given in world axes, but derivatives keep wrenches "
          "constant in body axes: give it with Axes::body",
          name, model[wrench.at.body].name));
  return {};
}

// Names the function for models with loops.
Status refused(const Model& model, const Status& status) {
  if (!model.has_constraints() ||
      status.message().find("does not support yet") == std::string::npos)
    return status;
  return Status::failure(fmt::format(
      "{}; constrained_derivatives answers this, on the command line linearize", status.message()));
}

}  // namespace

Status inverse_dynamics_derivatives(const Model& model, const State& state, const Inputs& inputs,
                                    Workspace& workspace, DerivativeWorkspace& derivative_workspace,
                                    Derivatives& out) {
  const EvalContext context("inverse_dynamics_derivatives", model, state, inputs, workspace);
  expects_same_sealed("inverse_dynamics_derivatives", "the derivative workspace",
                      derivative_workspace, model);
  if (!context.ok()) return refused(model, context.status());
  if (Status status = check_wrenches("inverse_dynamics_derivatives", model, inputs); !status)
    return status;
  kernel::kernels().inverse_dynamics_derivatives(context.input(), context.q(), context.v(),
                                                 context.a(), derivative_workspace->sealed.get(),
                                                 sized(out, model.nv()));
  return {};
}

Status forward_dynamics_derivatives(const Model& model, const State& state, const Inputs& inputs,
                                    Workspace& workspace, DerivativeWorkspace& derivative_workspace,
                                    Derivatives& out) {
  const EvalContext context("forward_dynamics_derivatives", model, state, inputs, workspace);
  expects_same_sealed("forward_dynamics_derivatives", "the derivative workspace",
                      derivative_workspace, model);
  if (!context.ok()) return refused(model, context.status());
  if (Status status = check_wrenches("forward_dynamics_derivatives", model, inputs); !status)
    return status;
  if (model.has_prescribed_joints())
    return Status::failure(
        "forward_dynamics_derivatives: the model has joints driven by motion or locked, which this "
        "function does not support: call constrained_derivatives, or give them another drive");
  const Pivots pivots = kernel::kernels().forward_dynamics_derivatives(
      context.input(), context.q(), context.v(), context.tau(), derivative_workspace->sealed.get(),
      sized(out, model.nv()));
  if (pivots.weak_dof != Pivots::none) return context.no_inertia(pivots.weak_dof);
  return {};
}

}  // namespace trammel
