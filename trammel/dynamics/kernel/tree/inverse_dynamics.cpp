#include "trammel/dynamics/kernel/tree/inverse_dynamics.hpp"

#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/simd/packed_chain_efforts.hpp"
#include "trammel/dynamics/kernel/simd/slots.hpp"
#include "trammel/dynamics/kernel/simd/small_chain_simd.hpp"
#include "trammel/dynamics/kernel/tree/passive_forces.hpp"
#include "trammel/dynamics/kernel/tree/stored_pose.hpp"
#include "trammel/dynamics/threads.hpp"
#include "trammel/model/traversal.hpp"
#include "trammel/spatial/conventions.hpp"
#include "trammel/spatial/tensor.hpp"

namespace trammel::kernel {

namespace {

// Both passes of the recursive Newton-Euler algorithm (RNEA) over the bodies of some runs: all
// bodies, the trunk that packed chains are attached to, or pieces of the tree.
template <Scalar P, Scalar S> struct RneaPasses {
  const KernelInput<P, S>& input;
  std::span<const BodyRun> runs;
  BasicWorkspace<S>& ws;
  const ModelParameters<P>& numbers = input.numbers;

  void start_from_ground() const {
    const Motion<S> A_0 = input.ground_acceleration();
    const int ground = ground_slot<S>(input.model);
    ws.w[ground] = input.ground.V.angular;
    ws.A[ground] = true_acceleration(A_0, input.ground.V);
    ws.Omega[ground] = angular_acceleration_tensor(ws.w[ground], A_0.angular);
  }

  // outward: angular velocity, acceleration and Omega of each body, then its inertial force
  void outward_forces(In<S> v, In<S> a) const {
    outward<S>(input.model, runs, [&](int i, const Body& body, const auto& joint) {
      const auto& [X_PF, inertia] = numbers.bodies[i];
      const auto q_J = input.coordinates(ws.sin_cos_cache, body);
      const S *v_J = &v[body.v_start], *a_J = &a[body.v_start];
      const auto S_J = axes(joint, q_J, &ws.axes[body.v_start]);
      const auto X_PB = X_PF * pose(joint, q_J);
      store_pose(joint, X_PB, ws.X_PB[i]);
      const auto& [R, p] = X_PB;

      const int here = slot<S>(i, body), parent = parent_slot<S>(body);
      const Vec3<S> w_P = transpose_times(R, ws.w[parent]);
      Motion<S> A{transpose_times(R, ws.A[parent].angular),
                  transpose_times(R, ws.A[parent].linear + ws.Omega[parent] * p)};
      add_motion(w_P, motion(S_J, v_J), motion(S_J, a_J) + bias(joint, q_J, v_J), A);
      const Vec3<S> w = w_P + motion(S_J, v_J);
      const Mat3<S> Omega = angular_acceleration_tensor(w, A.angular);
      ws.w[here] = w;
      ws.A[here] = A;
      ws.Omega[here] = Omega;

      const auto& [m, h, J] = inertia;
      ws.F[i] = {torque(euler_tensor(J), Omega) + cross(h, A.linear), m * A.linear + Omega * h};
    });
  }

  // inward: tau = S^T F, F the sum over the body and all outboard bodies
  void inward_efforts(Out<S> tau) const {
    inward<S>(input.model, runs, [&](int i, const Body& body, const auto& joint) {
      const auto S_J = axes(joint, &ws.axes[body.v_start]);
      for (int k = 0; k < S_J.n; ++k) tau[body.v_start + k] = component(S_J, k, ws.F[i]);
      if (body.parent == 0) return;
      const auto X_PB = reload_pose(joint, input.coordinates(ws.sin_cos_cache, body),
                                    numbers.bodies[i].X_PF, ws.X_PB[i]);
      ws.F[body.parent] += to_parent(X_PB, ws.F[i]);
    });
  }
};

// Both passes; push() is called between them, to add external forces or those of packed chains.
template <Scalar P, Scalar S, class Push>
void body_by_body(const KernelInput<P, S>& input, std::span<const BodyRun> runs, const Push& push,
                  In<S> v, In<S> a, BasicWorkspace<S>& ws, Out<S> tau) {
  const RneaPasses<P, S> passes{input, runs, ws};
  passes.start_from_ground();
  passes.outward_forces(v, a);
  push();
  passes.inward_efforts(tau);
}

// Both passes on several threads: the trunk first outward and last inward.
template <class Input, class Push>
void trunk_and_pieces(const Input& input, const Push& push, In<double> v, In<double> a,
                      BasicWorkspace<double>& ws, Out<double> tau) {
  const RneaPasses<double, double> trunk{input, input.threads->tree.trunk, ws};
  trunk.start_from_ground();
  trunk.outward_forces(v, a);
  input.threads->each_piece([&](std::span<const BodyRun> piece, std::size_t) {
    RneaPasses<double, double>{input, piece, ws}.outward_forces(v, a);
  });
  push();
  input.threads->each_piece([&](std::span<const BodyRun> piece, std::size_t) {
    RneaPasses<double, double>{input, piece, ws}.inward_efforts(tau);
  });
  trunk.inward_efforts(tau);
}

// Small serial chain in one function, so that all intermediate values stay in registers.
template <Scalar S>
[[gnu::flatten, gnu::noinline]] void efforts_in_register(const KernelInput<S, S>& input, In<S> q,
                                                         In<S> v, In<S> a, Out<S> tau) {
  const SmallChainSimd<native_lanes> arm(input, q);
  const int n = arm.dofs();
  arm.efforts(Lanes::load_first(n, v.data()), Lanes::load_first(n, a.data()))
      .store_first(n, tau.data());
}

}  // namespace

template <Scalar P, Scalar S>
void newton_euler(const KernelInput<P, S>& input, In<S> q, In<S> v, In<S> a, BasicWorkspace<S>& ws,
                  Out<S> tau) {
  if constexpr (std::same_as<P, double> && std::same_as<S, double> && has_arms_in_register)
    if (SmallChainSimd<native_lanes>::fits(input))
      return efforts_in_register<S>(input, q, v, a, tau);
  ws.sin_cos_cache.prepare(q);
  if constexpr (std::same_as<P, double> && std::same_as<S, double> && PackedChainLanes::exist)
    if (PackedChainLanes::fits(input))
      return body_by_body<P, S>(
          input, input.numbers.packed_chains.trunk,
          [&] { PackedChainEfforts(input, ws).write(v, a, tau); }, v, a, ws, tau);
  const BodyRun all = all_bodies(input.model);
  // external forces reduce the force through the joints
  const auto push = [&] {
    for (const ExternalForce<S>& load : input.external_forces)
      ws.F[load.body] = ws.F[load.body] - load.F;
  };
  if constexpr (std::same_as<P, double> && std::same_as<S, double>)
    if (internal::has_pieces(input)) return trunk_and_pieces(input, push, v, a, ws, tau);
  body_by_body<P, S>(input, {&all, 1}, push, v, a, ws, tau);
}

template <Scalar P, Scalar S>
void inverse_dynamics(const KernelInput<P, S>& input, In<S> q, In<S> v, In<S> a,
                      BasicWorkspace<S>& ws, Out<S> tau) {
  newton_euler<P, S>(input, q, v, a, ws, tau);
  subtract_passive_forces<P, S>(input.numbers, q, v, tau);
}

#define INSTANTIATE(P, S)                                                             \
  template void newton_euler<P, S>(const KernelInput<P, S>&, In<S>, In<S>, In<S>,     \
                                   BasicWorkspace<S>&, Out<S>);                       \
  template void inverse_dynamics<P, S>(const KernelInput<P, S>&, In<S>, In<S>, In<S>, \
                                       BasicWorkspace<S>&, Out<S>);
TRAMMEL_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace trammel::kernel
