#include "trammel/dynamics/kernel/mass_matrix.hpp"

#include "trammel/dynamics/kernel/instantiate.hpp"

namespace trammel::kernel {

namespace {

// What moves a freedom and all that hangs from it meets the freedoms further in.
template <Scalar S> struct MassOfPairs {
  using R = typename RowRegister<S>::Type;
  static constexpr int rows = RowRegister<S>::rows;

  const FreedomRows<S>& freedoms;
  const std::vector<Push<S>>& pushes;
  const TiledMatrices<S, 1>& M;

  const Push<S>& take(int i) const { return pushes[i]; }
  R mass(const Push<S>& push, int g) const {
    const Vec3<R> r = Vec3<R>(push.p) - freedoms.vector(g, 6), f(push.F.force);
    return dot(freedoms.vector(g, 0), Vec3<R>(push.F.moment) + cross(r, f)) +
           dot(freedoms.vector(g, 3), f);
  }
  void meet(int i, const Push<S>& push, const RowPiece& piece) const {
    const R m[] = {mass(push, piece.g)};
    M.write(i, piece, m, m);
  }
  void meet_tile(int i, const RowPiece& piece) const {
    R tile[1][rows], turned_over[1][rows];
    for (int j = 0; j < rows; ++j) tile[0][j] = turned_over[0][j] = mass(pushes[i + j], piece.g);
    M.write_tile(i, piece, tile, turned_over);
  }
};

}  // namespace

template <Scalar P, Scalar S>
void mass_matrix(const Scene<P, S>& scene, In<S> q, BasicWorkspace<S>& ws, MatrixSpan<S> M) {
  WorldAxes<S>& world = ws.world;
  if (!ws.tiles.is_one_path()) M.fill(S(0.0));

  ws.turns.prepare(q);
  outward<S>(scene.model, [&](int i, const Body& body, const auto& joint) {
    const auto& [X_PF, inertia] = scene.numbers.bodies[i];
    const auto q_J = scene.coordinates(ws.turns, body);
    const auto S_J = axes(joint, q_J, &ws.axes[body.v_start]);
    world.place(i, body.parent, X_PF * pose(joint, q_J));
    for (int k = 0; k < S_J.n; ++k) {
      const Motion<S> column = whole(turned(world.R_WB[i], S_J, k));
      ws.rows.set(body.v_start + k, 0, column.angular);
      ws.rows.set(body.v_start + k, 3, column.linear);
      ws.rows.set(body.v_start + k, 6, world.p[i]);
    }
    ws.I_C[i] = turned(world.R_WB[i], inertia);
  });

  // inward: a body moves all that hangs from it; the force that takes is felt by those further in
  inward<S>(scene.model, [&](int i, const Body& body, const auto& joint) {
    const auto S_J = axes(joint, &ws.axes[body.v_start]);
    for (int l = 0; l < S_J.n; ++l) {
      const Force<S> F = ws.I_C[i] * turned(world.R_WB[i], S_J, l);
      const int column = body.v_start + l;
      ws.pushes[column] = {F, world.p[i]};
      for (int k = 0; k <= l; ++k)
        M(body.v_start + k, column) = M(column, body.v_start + k) =
            dot(turned(world.R_WB[i], S_J, k), F);
    }
    if (body.parent > 0) ws.I_C[body.parent] = ws.I_C[body.parent] + shifted(world.r[i], ws.I_C[i]);
  });
  ws.tiles.template visit<RowRegister<S>::rows>(
      MassOfPairs<S>{ws.rows, ws.pushes, TiledMatrices<S, 1>{{M.data}, M.stride}});
}

template void mass_matrix<double, double>(const Scene<double, double>&, In<double>,
                                          BasicWorkspace<double>&, MatrixSpan<double>);
template void mass_matrix<double, Lanes>(const Scene<double, Lanes>&, In<Lanes>,
                                         BasicWorkspace<Lanes>&, MatrixSpan<Lanes>);

}  // namespace trammel::kernel
