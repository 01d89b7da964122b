#include "trammel/dynamics/kernel/inverse_dynamics.hpp"

#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/passive_forces.hpp"

namespace trammel::kernel {

template <Scalar P, Scalar S>
void newton_euler(const Scene<P, S>& scene, In<S> q, In<S> v, In<S> a, BasicWorkspace<S>& ws,
                  Out<S> tau) {
  const Numbers<P>& numbers = scene.numbers;
  ws.V[0] = scene.ground.V;
  ws.A[0] = scene.ground_acceleration();

  // outward: how each body moves, and the force that takes
  ws.turns.prepare(q);
  outward<S>(scene.model, [&](int i, const Body& body, const auto& joint) {
    const auto& [X_PF, inertia] = numbers.bodies[i];
    const auto q_J = scene.coordinates(ws.turns, body);
    const S *v_J = &v[body.v_start], *a_J = &a[body.v_start];
    const auto S_J = axes(joint, q_J, &ws.axes[body.v_start]);
    keep(S_J, X_PF * pose(joint, q_J), ws.X_PB[i]);
    const auto X_PB = known(S_J, ws.X_PB[i], X_PF);
    ws.V[i] = to_child(X_PB, ws.V[body.parent]) + motion(S_J, v_J);
    ws.A[i] = to_child(X_PB, ws.A[body.parent]) + cross(ws.V[i], motion(S_J, v_J)) +
              bias(joint, q_J, v_J) + motion(S_J, a_J);
    ws.F[i] = inertia * ws.A[i] + cross(ws.V[i], inertia * ws.V[i]);
  });

  // what pushes from outside need not come through the joints
  for (const Load<S>& load : scene.loads) ws.F[load.body] = ws.F[load.body] - load.F;

  // inward: each joint carries its own body and all that hangs from it
  inward<S>(scene.model, [&](int i, const Body& body, const auto& joint) {
    const auto S_J = axes(joint, &ws.axes[body.v_start]);
    for (int k = 0; k < S_J.n; ++k) tau[body.v_start + k] = component(S_J, k, ws.F[i]);
    if (body.parent > 0)
      ws.F[body.parent] += to_parent(known(S_J, ws.X_PB[i], numbers.bodies[i].X_PF), ws.F[i]);
  });
}

template <Scalar P, Scalar S>
void inverse_dynamics(const Scene<P, S>& scene, In<S> q, In<S> v, In<S> a, BasicWorkspace<S>& ws,
                      Out<S> tau) {
  newton_euler<P, S>(scene, q, v, a, ws, tau);
  subtract_passive_forces<P, S>(scene.numbers, q, v, tau);
}

#define INSTANTIATE(P, S)                                                                       \
  template void newton_euler<P, S>(const Scene<P, S>&, In<S>, In<S>, In<S>, BasicWorkspace<S>&, \
                                   Out<S>);                                                     \
  template void inverse_dynamics<P, S>(const Scene<P, S>&, In<S>, In<S>, In<S>,                 \
                                       BasicWorkspace<S>&, Out<S>);
TRAMMEL_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace trammel::kernel
