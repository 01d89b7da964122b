#include "trammel/dynamics/kernel/tree/kinematics.hpp"

#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/threads.hpp"
#include "trammel/model/traversal.hpp"

namespace trammel::kernel {

namespace {

// Joint axes of a body in world axes.
template <class Axes, Scalar S>
void set_axes(const Body& body, const Axes& S_J, const Mat3<S>& R_WB, BasicPositions<S>& out) {
  for (int k = 0; k < S_J.n; ++k) out.axes[body.v_start + k] = whole(turned(R_WB, S_J, k));
}

}  // namespace

template <Scalar P, Scalar S>
void positions(const KernelInput<P, S>& input, In<S> q, BasicWorkspace<S>& ws,
               BasicPositions<S>& out) {
  out.X_WB[0] = Pose<S>::identity();
  ws.sin_cos_cache.prepare(q);
  auto last = WorldFrame<S>::load(out.X_WB[0].R);
  auto origin = WorldVector<S>::load(out.X_WB[0].p);
  outward<S>(input.model, [&](int i, const Body& body, const auto& joint) {
    const auto q_J = input.coordinates(ws.sin_cos_cache, body);
    const auto S_J = axes(joint, q_J, &ws.axes[body.v_start]);
    if (body.parent != i - 1) {
      last = WorldFrame<S>::load(out.X_WB[body.parent].R);
      origin = WorldVector<S>::load(out.X_WB[body.parent].p);
    }
    const auto step = step_from(last, input.numbers.bodies[i].X_PF, pose(joint, q_J));
    const auto p = origin + step.shift;
    step.axes.store(out.X_WB[i].R);
    p.store(out.X_WB[i].p);
    if constexpr (std::same_as<std::remove_cvref_t<decltype(S_J)>, AboutZ>) {
      // from its register: a load of what has just been stored would wait for it
      step.axes.z.store(out.axes[body.v_start].angular);
      out.axes[body.v_start].linear = {};
    } else {
      set_axes(body, S_J, out.X_WB[i].R, out);
    }
    last = step.axes;
    origin = p;
  });
}

template <Scalar P, Scalar S>
void kinematics(const KernelInput<P, S>& input, In<S> q, In<S> v, In<S> a, BasicWorkspace<S>& ws,
                BasicKinematics<S>& out) {
  out.X_WB[0] = Pose<S>::identity();
  out.V[0] = input.ground.V;
  out.A[0] = input.ground.A;

  ws.sin_cos_cache.prepare(q);
  const auto move = [&](std::span<const BodyRun> runs) {
    outward<S>(input.model, runs, [&](int i, const Body& body, const auto& joint) {
      const auto q_J = input.coordinates(ws.sin_cos_cache, body);
      const S *v_J = &v[body.v_start], *a_J = &a[body.v_start];
      const auto S_J = axes(joint, q_J, &ws.axes[body.v_start]);
      const auto X_PB = input.numbers.bodies[i].X_PF * pose(joint, q_J);
      const Pose<S>& X_WP = out.X_WB[body.parent];
      out.X_WB[i] = {X_WP.R * X_PB.R, X_WP * X_PB.p};
      set_axes(body, S_J, out.X_WB[i].R, out);
      out.V[i] = to_child(X_PB, out.V[body.parent]) + motion(S_J, v_J);
      out.A[i] = to_child(X_PB, out.A[body.parent]) + cross(out.V[i], motion(S_J, v_J)) +
                 bias(joint, q_J, v_J) + motion(S_J, a_J);
    });
  };
  if constexpr (std::same_as<S, double>)
    if (internal::has_pieces(input)) {
      move(input.threads->tree.trunk);
      return input.threads->each_piece(
          [&](std::span<const BodyRun> piece, std::size_t) { move(piece); });
    }
  const BodyRun all = all_bodies(input.model);
  move({&all, 1});
}

#define INSTANTIATE(P, S)                                                            \
  template void positions<P, S>(const KernelInput<P, S>&, In<S>, BasicWorkspace<S>&, \
                                BasicPositions<S>&);                                 \
  template void kinematics<P, S>(const KernelInput<P, S>&, In<S>, In<S>, In<S>,      \
                                 BasicWorkspace<S>&, BasicKinematics<S>&);
TRAMMEL_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace trammel::kernel
