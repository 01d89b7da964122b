#include "trammel/dynamics/kernel/mass_matrix.hpp"

#include "trammel/dynamics/kernel/instantiate.hpp"

namespace trammel::kernel {

namespace {

// What moves a freedom and all that hangs from it meets the freedoms further in.
template <Scalar S> struct MassOfPairs {
  using R = typename RowRegister<S>::Type;
  using Rows = MassRows<S>;
  using Matrix = TiledMatrices<S, 1>;

  const FreedomGroups& groups;
  Rows& rows;
  const Matrix& M;

  void fill(int outer, int inner, typename Matrix::Tile& tile) const {
    const auto freedoms = rows.group(inner);
    for (int j = 0; j < groups[outer].count; ++j) {
      const auto mover = rows.row(outer * Matrix::rows + j);
      const Vec3<R> f(mover.vector(Rows::push + 3)),
          r = Vec3<R>(mover.vector(Rows::place)) - freedoms.vector(Rows::place);
      tile.along[0][j] = tile.across[0][j] =
          dot(freedoms.vector(Rows::column), Vec3<R>(mover.vector(Rows::push)) + cross(r, f)) +
          dot(freedoms.vector(Rows::column + 3), f);
    }
  }
  void meet_itself(int group) const {
    typename Matrix::Tile tile;
    fill(group, group, tile);
    M.write_diagonal(groups[group], tile, Matrix::Diagonal::along);
  }
  void meet(int outer, int inner, int inner_count) const {
    typename Matrix::Tile tile;
    fill(outer, inner, tile);
    M.write(groups[outer], groups[inner], inner_count, tile);
  }
};

}  // namespace

template <Scalar P, Scalar S>
void mass_matrix(const Scene<P, S>& scene, In<S> q, BasicWorkspace<S>& ws, MatrixSpan<S> M) {
  WorldAxes<S>& world = ws.world;
  const FreedomGroups& groups = ws.groups;
  using Rows = MassRows<S>;
  Rows& rows = ws.mass_rows;
  if (!groups.is_one_path()) M.fill(S(0.0));

  // outward: where each body and each freedom is
  ws.turns.prepare(q);
  outward<S>(scene.model, [&](int i, const Body& body, const auto& joint) {
    const auto& [X_PF, inertia] = scene.numbers.bodies[i];
    const auto q_J = scene.coordinates(ws.turns, body);
    const auto S_J = axes(joint, q_J, &ws.axes[body.v_start]);
    world.place(i, body.parent, X_PF * pose(joint, q_J));
    const int row = groups.row(body.v_start);
    rows.row(row).set(Rows::turn, world.R_WB[i]);
    rows.row(row).set(Rows::inertia,
                      Inertia<S>{S(inertia.mass), inertia.first_moment, inertia.rotational});
    for (int k = 0; k < S_J.n; ++k) {
      rows.row(row + k).set(Rows::column, whole(turned(world.R_WB[i], S_J, k)));
      rows.row(row + k).set(Rows::place, world.p[i]);
    }
  });
  groups.each([&](int g) {
    const auto bodies = rows.group(g);
    bodies.set(Rows::inertia, turned(bodies.matrix(Rows::turn), bodies.inertia(Rows::inertia)));
  });

  // inward: a body moves all that hangs from it; the force that takes is felt by those further in
  inward<S>(scene.model, [&](int i, const Body& body, const auto&) {
    const int row = groups.row(body.v_start);
    const Inertia<S> I_C = rows.row(row).inertia(Rows::inertia);
    for (int k = 1; k < body.v_end - body.v_start; ++k) rows.row(row + k).set(Rows::inertia, I_C);
    if (body.parent == 0) return;
    const auto parent = rows.row(groups.row(scene.model.bodies()[body.parent].v_start));
    parent.set(Rows::inertia, parent.inertia(Rows::inertia) + shifted(world.r[i], I_C));
  });
  groups.each([&](int g) {
    const auto freedoms = rows.group(g);
    freedoms.set(Rows::push, freedoms.inertia(Rows::inertia) * freedoms.motion(Rows::column));
  });
  groups.visit(MassOfPairs<S>{groups, rows, TiledMatrices<S, 1>{{M.data}, M.stride}});
}

template void mass_matrix<double, double>(const Scene<double, double>&, In<double>,
                                          BasicWorkspace<double>&, MatrixSpan<double>);
template void mass_matrix<double, Lanes>(const Scene<double, Lanes>&, In<Lanes>,
                                         BasicWorkspace<Lanes>&, MatrixSpan<Lanes>);

}  // namespace trammel::kernel
