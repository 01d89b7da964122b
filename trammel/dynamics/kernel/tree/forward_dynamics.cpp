#include "trammel/dynamics/kernel/tree/forward_dynamics.hpp"

#include <algorithm>

#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/simd/packed_chain_aba.hpp"
#include "trammel/dynamics/kernel/simd/slots.hpp"
#include "trammel/dynamics/kernel/simd/small_chain_simd.hpp"
#include "trammel/dynamics/kernel/simd/solve_in_register.hpp"
#include "trammel/dynamics/kernel/tree/passive_forces.hpp"
#include "trammel/dynamics/kernel/tree/stored_pose.hpp"
#include "trammel/dynamics/threads.hpp"
#include "trammel/model/traversal.hpp"

namespace trammel::kernel {

namespace {

// Latency of pass 3 for a single state: with W = U D^-1 expressed in the parent frame, a = w - W^T
// A_P uses the parent's acceleration A_P instead of A and shortens the dependency chain. SIMD
// batches hide that latency and would only pay for the transformation, so they keep the body frame.
template <Scalar S> constexpr bool is_alone = std::same_as<S, double>;

template <Scalar S, Scalar P>
JointFactor<S> expressed_in_parent(PoseView<S, P> X_PB, const Motion<S>& C,
                                   const JointFactor<S>& joint_factor) {
  if constexpr (is_alone<S>)
    return {to_parent(X_PB, joint_factor.W), joint_factor.w - dot(C, joint_factor.W)};
  else
    return joint_factor;
}

// Forward dynamics of a small serial chain by M a = tau - bias in registers: faster than the
// recursion, which is one long dependency chain. False if a pivot is so small that the recursion
// must decide.
template <class P, Scalar S>
[[gnu::flatten, gnu::noinline]] bool solve_in_register(const KernelInput<P, S>& input, In<S> q,
                                                       In<S> v, BasicWorkspace<S>& ws, Out<S> a) {
  using Arm = SmallChainSimd<native_lanes>;
  const Arm arm(input, q);
  const int n = arm.dofs();
  Lanes M[native_lanes];
  Lanes u = Lanes::load_first(n, ws.effort.data()) -
            arm.efforts(Lanes::load_first(n, v.data()), Lanes(0.0));
  arm.masses(Arm::Shared::further_in, M);
  for (int k = n; k < native_lanes; ++k) M[k] = select(Lanes::is_lane(k), Lanes(1.0), Lanes(0.0));
  if (!SolveInRegister<native_lanes>::solve(M, u)) return false;
  u.store_first(n, a.data());
  return true;
}

// The three passes of the articulated-body algorithm (ABA) [RBDA, table 7.1] over the bodies of
// some runs: all bodies, or the trunk that packed chains are attached to.
template <Scalar P, Scalar S> struct AbaPasses {
  const KernelInput<P, S>& input;
  std::span<const BodyRun> runs;
  bool has_packed_chains;  // packed chains add to the trunk
  BasicWorkspace<S>& ws;
  const ModelParameters<P>& numbers = input.numbers;

  void start_from_ground() const {
    const int ground = ground_slot<S>(input.model);
    ws.V[ground] = input.ground.V;
    ws.A[ground] = input.ground_acceleration();
  }

  // pass 1, outward: velocities V, velocity products C = V x S v + dS/dt v, bias forces F = V x* I
  // V
  void outward_velocities(In<S> v) const {
    outward<S>(input.model, runs, [&](int i, const Body& body, const auto& joint) {
      const auto& [X_PF, inertia] = numbers.bodies[i];
      const auto q_J = input.coordinates(ws.sin_cos_cache, body);
      const S* v_J = &v[body.v_start];
      const auto S_J = axes(joint, q_J, &ws.axes[body.v_start]);
      const auto X_PB = X_PF * pose(joint, q_J);
      Motion<S>& V = ws.V[slot<S>(i, body)];
      V = to_child(X_PB, ws.V[parent_slot<S>(body)]) + motion(S_J, v_J);
      store_pose(joint, X_PB, ws.X_PB[i]);
      ws.C[i] = cross(V, motion(S_J, v_J)) + bias(joint, q_J, v_J);
      ws.F[i] = cross(V, inertia * V);
      if (has_packed_chains) ws.I_A[i] = {};
    });
  }

  // pass 2, inward: U = I_A S, D = S^T U, u = tau - S^T F; the parent gets I_A - U D^-1 U^T and F +
  // I_a C + U D^-1 u
  Pivots inward_articulated_inertias() const {
    Pivots pivots;
    inward<S>(input.model, runs, [&](int i, const Body& body, const auto& joint) {
      const auto& [X_PF, inertia] = numbers.bodies[i];
      const auto S_J = axes(joint, &ws.axes[body.v_start]);
      const ArticulatedInertia<S> I_A =
          body.has_children ? ws.I_A[slot<S>(i, body)] + inertia : articulated<S>(inertia);
      const auto U = I_A * S_J;
      std::array<S, S_J.max_n> u;
      for (int k = 0; k < S_J.n; ++k)
        u[k] = ws.effort[body.v_start + k] - component(S_J, k, ws.F[i]);
      const auto joint_factor = factor_joint(S_J, U, u, [&](int k, const S& pivot) {
        // the first one found: small pivots further inboard only follow from it
        if (is_weak(pivot, reach(S_J, k, I_A)) && pivots.weak_dof == Pivots::none) [[unlikely]]
          pivots.weak_dof = body.v_start + k;
      });
      const auto placed =
          reload_pose(joint, input.coordinates(ws.sin_cos_cache, body), X_PF, ws.X_PB[i]);
      const PoseView X_PB(placed);
      for (int k = 0; k < S_J.n; ++k)
        ws.joint_factor[body.v_start + k] =
            expressed_in_parent(X_PB, Motion<S>(known(S_J, ws.C[i])), joint_factor[k]);

      if (body.parent == 0) return;
      const auto I_a = project(S_J, I_A, U, joint_factor);
      Force<S> p_a = ws.F[i] + I_a * known(S_J, ws.C[i]);
      for (int k = 0; k < S_J.n; ++k) p_a += joint_factor[k].w * U[k];
      const ArticulatedInertia<S> I_P = to_parent(X_PB, I_a);
      ArticulatedInertia<S>& I_all = ws.I_A[parent_slot<S>(body)];
      // the last child arrives first, unless packed chains have added before
      I_all = body.is_last_child && !has_packed_chains ? I_P : I_all + I_P;
      ws.F[body.parent] += to_parent(X_PB, p_a);
    });
    return pivots;
  }

  // pass 3, outward: A' = X A_P + C, a = D^-1 (u - U^T A'), A = A' + S a
  void outward_accelerations(Out<S> a) const {
    outward<S>(input.model, runs, [&](int i, const Body& body, const auto& joint) {
      const auto S_J = axes(joint, &ws.axes[body.v_start]);
      const auto X_PB = reload_pose(joint, input.coordinates(ws.sin_cos_cache, body),
                                    numbers.bodies[i].X_PF, ws.X_PB[i]);
      const Motion<S>& A_P = ws.A[parent_slot<S>(body)];
      const Motion<S> A = to_child(X_PB, A_P) + known(S_J, ws.C[i]);
      for (int k = 0; k < S_J.n; ++k) {
        const JointFactor<S>& joint_factor = ws.joint_factor[body.v_start + k];
        a[body.v_start + k] = joint_factor.w - dot(is_alone<S> ? A_P : A, joint_factor.W);
      }
      ws.A[slot<S>(i, body)] = A + motion(S_J, &a[body.v_start]);
    });
  }
};

// ABA with packed chains. False if a pivot is so small that the general recursion must decide.
template <class Input>
bool trunk_and_packed_chains(const Input& input, In<double> v, BasicWorkspace<double>& ws,
                             Out<double> a) {
  const AbaPasses<double, double> trunk{input, input.numbers.packed_chains.trunk, true, ws};
  PackedChainAba packed_chains(input, ws);
  trunk.start_from_ground();
  trunk.outward_velocities(v);
  packed_chains.outward_velocities(v);
  if (!packed_chains.inward_articulated_inertias() ||
      trunk.inward_articulated_inertias().weak_dof != Pivots::none)
    return false;
  trunk.outward_accelerations(a);
  packed_chains.outward_accelerations(a);
  return true;
}

// ABA on several threads: the trunk first outward and last inward.
template <class Input, class AddLoads>
Pivots trunk_and_pieces(const Input& input, const AddLoads& add_loads, In<double> v,
                        BasicWorkspace<double>& ws, Out<double> a) {
  internal::Threads& threads = *input.threads;
  const auto over = [&](std::span<const BodyRun> runs) {
    return AbaPasses<double, double>{input, runs, false, ws};
  };
  const AbaPasses<double, double> trunk = over(threads.tree.trunk);
  trunk.start_from_ground();
  trunk.outward_velocities(v);
  threads.each_piece(
      [&](std::span<const BodyRun> piece, std::size_t) { over(piece).outward_velocities(v); });
  add_loads();
  threads.each_piece([&](std::span<const BodyRun> piece, std::size_t k) {
    threads.pivots[k] = over(piece).inward_articulated_inertias();
  });
  Pivots pivots = trunk.inward_articulated_inertias();
  trunk.outward_accelerations(a);
  threads.each_piece(
      [&](std::span<const BodyRun> piece, std::size_t) { over(piece).outward_accelerations(a); });
  // the first one found on one thread
  for (const Pivots& of_piece : threads.pivots)
    pivots.weak_dof = std::max(pivots.weak_dof, of_piece.weak_dof);
  return pivots;
}

}  // namespace

template <Scalar P, Scalar S>
Pivots forward_dynamics(const KernelInput<P, S>& input, In<S> q, In<S> v, In<S> tau,
                        BasicWorkspace<S>& ws, Out<S> a) {
  std::copy(tau.begin(), tau.end(), ws.effort.begin());
  add_passive_forces<P, S>(input.numbers, q, v, ws.effort);
  if constexpr (std::same_as<P, double> && is_alone<S> && has_arms_in_register)
    if (SmallChainSimd<native_lanes>::fits(input) && solve_in_register(input, q, v, ws, a))
      return {};
  ws.sin_cos_cache.prepare(q);
  if constexpr (std::same_as<P, double> && is_alone<S> && PackedChainLanes::exist)
    if (PackedChainLanes::fits(input) && trunk_and_packed_chains(input, v, ws, a)) return {};

  const auto add_loads = [&] {
    for (const ExternalForce<S>& load : input.external_forces)
      ws.F[load.body] = ws.F[load.body] - load.F;
  };
  if constexpr (std::same_as<P, double> && is_alone<S>)
    if (internal::has_pieces(input)) return trunk_and_pieces(input, add_loads, v, ws, a);

  const BodyRun all = all_bodies(input.model);
  const AbaPasses<P, S> passes{input, {&all, 1}, false, ws};
  passes.start_from_ground();
  passes.outward_velocities(v);
  add_loads();
  const Pivots pivots = passes.inward_articulated_inertias();
  passes.outward_accelerations(a);
  return pivots;
}

#define INSTANTIATE(P, S)                                                               \
  template Pivots forward_dynamics<P, S>(const KernelInput<P, S>&, In<S>, In<S>, In<S>, \
                                         BasicWorkspace<S>&, Out<S>);
TRAMMEL_FOR_EACH_SCALAR(INSTANTIATE)
#ifdef TRAMMEL_KERNEL_GENERIC
INSTANTIATE(Lanes, Lanes)  // masses and states that differ from lane to lane
#endif
#undef INSTANTIATE

}  // namespace trammel::kernel
