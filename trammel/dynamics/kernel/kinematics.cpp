#include "trammel/dynamics/kernel/kinematics.hpp"

#include "trammel/dynamics/kernel/instantiate.hpp"

namespace trammel::kernel {

template <Scalar P, Scalar S>
void kinematics(const Scene<P, S>& scene, In<S> q, In<S> v, In<S> a, BasicWorkspace<S>& ws,
                BasicKinematics<S>& out) {
  out.X_WB[0] = Pose<S>::identity();
  out.V[0] = scene.ground.V;
  out.A[0] = scene.ground.A;

  ws.turns.prepare(q);
  outward<S>(scene.model, [&](int i, const Body& body, const auto& joint) {
    const auto q_J = scene.coordinates(ws.turns, body);
    const S *v_J = &v[body.v_start], *a_J = &a[body.v_start];
    const auto S_J = axes(joint, q_J, &out.axes[body.v_start]);
    for (int k = 0; k < S_J.n; ++k) out.axes[body.v_start + k] = column<S>(S_J, k);
    const auto X_PB = scene.numbers.bodies[i].X_PF * pose(joint, q_J);
    out.X_WB[i] = {out.X_WB[body.parent].R * X_PB.R, out.X_WB[body.parent] * X_PB.p};
    out.V[i] = to_child(X_PB, out.V[body.parent]) + motion(S_J, v_J);
    out.A[i] = to_child(X_PB, out.A[body.parent]) + cross(out.V[i], motion(S_J, v_J)) +
               bias(joint, q_J, v_J) + motion(S_J, a_J);
  });
}

#define INSTANTIATE(P, S)                                                                     \
  template void kinematics<P, S>(const Scene<P, S>&, In<S>, In<S>, In<S>, BasicWorkspace<S>&, \
                                 BasicKinematics<S>&);
TRAMMEL_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace trammel::kernel
