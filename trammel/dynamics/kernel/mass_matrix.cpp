#include "trammel/dynamics/kernel/mass_matrix.hpp"

#include "trammel/dynamics/kernel/instantiate.hpp"

namespace trammel::kernel {

template <Scalar P, Scalar S>
void mass_matrix(const Scene<P, S>& scene, In<S> q, BasicWorkspace<S>& ws, MatrixSpan<S> M) {
  WorldAxes<S>& world = ws.world;
  M.fill(S(0.0));

  ws.turns.prepare(q);
  outward<S>(scene.model, [&](int i, const Body& body, const auto& joint) {
    const auto& [X_PF, inertia] = scene.numbers.bodies[i];
    const auto q_J = scene.coordinates(ws.turns, body);
    const auto S_J = axes(joint, q_J, &ws.axes[body.v_start]);
    world.place(i, body.parent, X_PF * pose(joint, q_J));
    for (int k = 0; k < S_J.n; ++k)
      ws.rows.set(body.v_start + k, whole(turned(world.R_WB[i], S_J, k)), world.p[i]);
    ws.I_C[i] = turned(world.R_WB[i], inertia);
  });

  // inward: a body moves all that hangs from it; the force that takes is felt by those further in
  inward<S>(scene.model, [&](int i, const Body& body, const auto& joint) {
    const auto S_J = axes(joint, &ws.axes[body.v_start]);
    for (int l = 0; l < S_J.n; ++l) {
      const int column = body.v_start + l;
      ws.rows.meet(column, ws.I_C[i] * turned(world.R_WB[i], S_J, l), world.p[i],
                   [&](int row, const S& m) { M(row, column) = M(column, row) = m; });
    }
    if (body.parent > 0) ws.I_C[body.parent] = ws.I_C[body.parent] + shifted(world.r[i], ws.I_C[i]);
  });
}

template void mass_matrix<double, double>(const Scene<double, double>&, In<double>,
                                          BasicWorkspace<double>&, MatrixSpan<double>);
template void mass_matrix<double, Lanes>(const Scene<double, Lanes>&, In<Lanes>,
                                         BasicWorkspace<Lanes>&, MatrixSpan<Lanes>);

}  // namespace trammel::kernel
