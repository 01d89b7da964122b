#include "trammel/dynamics/hybrid_dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/exact_scalars.hpp"
#include "trammel/dynamics/given_accelerations.hpp"
#include "trammel/dynamics/hybrid_dynamics_as.hpp"
#include "trammel/dynamics/kernel/tree/passive_forces.hpp"
#include "trammel/dynamics/scalar_kernels.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/traversal.hpp"

namespace trammel {

namespace kernel {

template <Scalar P, Scalar S>
Pivots hybrid_dynamics(const KernelInput<P, S>& input, In<S> q, In<S> v, BasicWorkspace<S>& ws,
                       Out<S> a, Out<S> tau) {
  const ModelParameters<P>& numbers = input.numbers;
  std::fill(ws.effort.begin(), ws.effort.end(), S(0.0));
  add_passive_forces<P, S>(numbers, q, v, ws.effort);
  Pivots pivots;

  // pass 1, outward: velocities and bias forces
  ws.V[0] = input.ground.V;
  ws.sin_cos_cache.prepare(q);
  outward<S>(input.model, [&](int i, const Body& body, const auto& joint) {
    const auto& [X_PF, inertia] = numbers.bodies[i];
    const auto q_J = input.coordinates(ws.sin_cos_cache, body);
    const S* v_J = &v[body.v_start];
    const auto S_J = axes(joint, q_J, &ws.axes[body.v_start]);
    const auto X_PB = X_PF * pose(joint, q_J);
    ws.X_PB[i] = {X_PB.R, X_PB.p};
    ws.V[i] = to_child(X_PB, ws.V[body.parent]) + motion(S_J, v_J);
    ws.C[i] = cross(ws.V[i], motion(S_J, v_J)) + bias(joint, q_J, v_J);
    ws.F[i] = cross(ws.V[i], inertia * ws.V[i]);
    ws.I_A[i] = articulated<S>(inertia);
  });
  for (const ExternalForce<S>& load : input.external_forces)
    ws.F[load.body] = ws.F[load.body] - load.F;

  // pass 2, inward: articulated inertias; a prescribed joint passes on its whole inertia and the
  // force of its prescribed acceleration
  inward<S>(input.model, [&](int i, const Body& body, const auto& joint) {
    const auto S_J = axes(joint, &ws.axes[body.v_start]);
    ArticulatedInertia<S> I_a = ws.I_A[i];
    Force<S> p_a = ws.F[i];
    if (input.model.is_prescribed(body.v_start)) {
      ws.C[i] = ws.C[i] + motion(S_J, &a[body.v_start]);
      p_a += I_a * ws.C[i];
    } else {
      const auto U = I_a * S_J;
      std::array<S, S_J.max_n> u;
      for (int k = 0; k < S_J.n; ++k)
        u[k] = tau[body.v_start + k] + ws.effort[body.v_start + k] - component(S_J, k, ws.F[i]);
      const auto joint_factor = factor_joint(S_J, U, u, [&](int k, const S& pivot) {
        if (is_weak(pivot, reach(S_J, k, ws.I_A[i])) && pivots.weak_dof == Pivots::none)
          pivots.weak_dof = body.v_start + k;
      });
      for (int k = 0; k < S_J.n; ++k) ws.joint_factor[body.v_start + k] = joint_factor[k];
      I_a = passed_through(S_J, I_a);
      p_a += I_a * ws.C[i];
      for (int k = 0; k < S_J.n; ++k) p_a += joint_factor[k].w * U[k];
    }
    if (body.parent == 0) return;
    const PoseView<S, S> X_PB = ws.X_PB[i];
    ws.I_A[body.parent] = ws.I_A[body.parent] + to_parent(X_PB, I_a);
    ws.F[body.parent] += to_parent(X_PB, p_a);
  });

  // pass 3, outward: accelerations of the free joints, efforts of the prescribed ones
  ws.A[0] = input.ground_acceleration();
  outward<S>(input.model, [&](int i, const Body& body, const auto& joint) {
    const auto S_J = axes(joint, &ws.axes[body.v_start]);
    ws.A[i] = to_child(ws.X_PB[i], ws.A[body.parent]) + ws.C[i];
    if (input.model.is_prescribed(body.v_start)) {
      const Force<S> F = ws.I_A[i] * ws.A[i] + ws.F[i];
      for (int k = 0; k < S_J.n; ++k)
        tau[body.v_start + k] = component(S_J, k, F) - ws.effort[body.v_start + k];
    } else {
      for (int k = 0; k < S_J.n; ++k) {
        const JointFactor<S>& joint_factor = ws.joint_factor[body.v_start + k];
        a[body.v_start + k] = joint_factor.w - dot(ws.A[i], joint_factor.W);
      }
      ws.A[i] = ws.A[i] + motion(S_J, &a[body.v_start]);
    }
  });
  return pivots;
}

#define INSTANTIATE(P, S)                                                       \
  template Pivots hybrid_dynamics<P, S>(const KernelInput<P, S>&, In<S>, In<S>, \
                                        BasicWorkspace<S>&, Out<S>, Out<S>);
TRAMMEL_FOR_EACH_EXACT_PAIR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace kernel

Status hybrid_dynamics(const Model& model, const State& state, const Inputs& inputs,
                       Workspace& workspace, std::span<double> a, std::span<double> tau,
                       std::span<double> loop_tau) {
  return hybrid_dynamics_as("hybrid_dynamics", model, state, inputs, workspace, a, tau, loop_tau);
}

Status hybrid_dynamics_as(const char* name, const Model& model, const State& state,
                          const Inputs& inputs, Workspace& workspace, std::span<double> a,
                          std::span<double> tau, std::span<double> loop_tau) {
  const EvalContext context(name, model, state, inputs, workspace, Constraints::honored,
                            Forces::acting);
  context.expects_vector("a", a.size(), model.nv());
  context.expects_vector("tau", tau.size(), model.nv());
  if (!loop_tau.empty() && loop_tau.size() != std::size_t(model.loop_nv()))
    throw std::invalid_argument(
        fmt::format("{}: loop_tau has {} entries, what closes loops has {} degrees of freedom",
                    name, loop_tau.size(), model.loop_nv()));
  if (!context.ok()) return context.status();
  if (Status status = check_given_accelerations(context); !status) return status;
  if (workspace->constrained)
    return workspace->constrained->hybrid_dynamics(context, workspace, a, tau, loop_tau);
  for (int k = 0; k < model.nv(); ++k) {
    const Drive drive = model.prescription(k);
    if (drive == Drive::motion && inputs.a.empty())
      return Status::failure(
          fmt::format("{}: joint '{}' is driven by motion, but no accelerations are given: set "
                      "inputs.a",
                      name, model.dof_name(k)));
    a[k] = drive == Drive::motion ? inputs.a[k] : 0.0;
    tau[k] = drive == Drive::none ? context.tau()[k] : 0.0;
  }
  const Pivots pivots = kernel::hybrid_dynamics<double, double>(context.input(), context.q(),
                                                                context.v(), *workspace, a, tau);
  if (pivots.weak_dof != Pivots::none) return context.no_inertia(pivots.weak_dof);
  return {};
}

}  // namespace trammel
