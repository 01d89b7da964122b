#include "trammel/dynamics/kernel/mass_matrix.hpp"

#include "trammel/dynamics/kernel/arm_in_register.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"

namespace trammel::kernel {

namespace {

// What the type of a column says is zero was so when the rows were made.
template <class Row, Scalar S> void set(const Row& row, int c, const TurnAbout<S>& turn) {
  row.set(c, turn.axis);
}
template <class Row, Scalar S> void set(const Row& row, int c, const SlideAlong<S>& slide) {
  row.set(c + 3, slide.axis);
}
template <class Row, Scalar S> void set(const Row& row, int c, const Motion<S>& V) {
  row.set(c, V);
}

// How a body is turned, and its inertia, at the last of its n rows; the others move nothing alone.
template <Scalar S, Scalar P>
void set_body(MassRows<S>& rows, int row, int n, const Mat3<S>& R_WB, const Inertia<P>& I) {
  using Rows = MassRows<S>;
  for (int k = 0; k < n - 1; ++k) rows.row(row + k).set(Rows::inertia, Inertia<S>{});
  const auto last = rows.row(row + n - 1);
  last.set(Rows::turn, R_WB);
  last.set(Rows::inertia, Inertia<S>{S(I.mass), I.first_moment, I.rotational});
}

// Inward, after set_body of all: each freedom gets the inertia of all that it moves, and the force
// that takes when it alone accelerates.
template <Scalar S> void gather_inertias(const FreedomGroups& groups, MassRows<S>& rows) {
  using Rows = MassRows<S>;
  groups.each([&](int g) {
    const auto bodies = rows.group(g);
    bodies.set(Rows::inertia, turned(bodies.matrix(Rows::turn), bodies.inertia(Rows::inertia)));
  });
  groups.each_inward([&](int g) {
    const auto freedoms = rows.group(g);
    auto moved = freedoms.inertia(Rows::inertia);
    RowSums<S>::inward(freedoms.vector(Rows::place), moved,
                       [](const auto& r, const auto& I) { return shifted(r, I); });
    freedoms.set(Rows::force, moved * freedoms.motion(Rows::column));
    freedoms.set(Rows::inertia, moved);
    if (groups[g].inboard < 0) return;
    const auto first = rows.row(groups.first_row(g)), next = rows.row(groups.next_row(g));
    const Vec3<S> r = first.vector(Rows::place) - next.vector(Rows::place);
    next.set(Rows::inertia, next.inertia(Rows::inertia) + shifted(r, first.inertia(Rows::inertia)));
  });
}

// After it: the mass that a freedom shares with each of a group further in, or of its own group.
template <Scalar S>
typename RowRegister<S>::Type shared_mass(MassRows<S>& rows, int mover_row, int group) {
  using Rows = MassRows<S>;
  using R = typename RowRegister<S>::Type;
  const auto mover = rows.row(mover_row);
  const auto freedoms = rows.group(group);
  const Vec3<R> f(mover.vector(Rows::force + 3)),
      r = Vec3<R>(mover.vector(Rows::place)) - freedoms.vector(Rows::place);
  return dot(freedoms.vector(Rows::column), Vec3<R>(mover.vector(Rows::force)) + cross(r, f)) +
         dot(freedoms.vector(Rows::column + 3), f);
}

// What moves a freedom and all that hangs from it meets the freedoms further in.
template <Scalar S> struct MassOfPairs {
  using Rows = MassRows<S>;
  using Matrix = TiledMatrices<S, 1>;

  const FreedomGroups& groups;
  Rows& rows;
  const Matrix& M;

  void fill(int outer, int inner, typename Matrix::Tile& tile) const {
    for (int j = 0; j < groups[outer].count; ++j)
      tile.along[0][j] = tile.across[0][j] = shared_mass<S>(rows, outer * Matrix::rows + j, inner);
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
  void pass_by(int outer, int inner) const { M.write_zeros(groups[outer], groups[inner]); }
};

}  // namespace

template <Scalar P, Scalar S>
void mass_matrix(const Scene<P, S>& scene, In<S> q, BasicWorkspace<S>& ws, MatrixSpan<S> M) {
  if constexpr (std::same_as<S, double> && has_arms_in_register)
    if (ArmInRegister<native_lanes>::fits(scene, ws)) {
      typename TiledMatrices<double, 1>::Tile tile;
      ArmInRegister<native_lanes>(scene, ws, q).masses(tile.along[0]);
      for (int j = 0; j < native_lanes; ++j) tile.across[0][j] = tile.along[0][j];
      return TiledMatrices<double, 1>{{M.data}, M.stride}.write_diagonal(
          ws.groups[0], tile, TiledMatrices<double, 1>::Diagonal::along);
    }
  WorldAxes<S>& world = ws.world;
  const FreedomGroups& groups = ws.groups;
  using Rows = MassRows<S>;
  Rows& rows = ws.mass_rows;

  // outward: where each body and each freedom is
  ws.turns.prepare(q);
  WorldFrame<S> last = WorldFrame<S>::load(Mat3<S>::identity());
  outward<S>(scene.model, [&](int i, const Body& body, const auto& joint) {
    const auto& [X_PF, inertia] = scene.numbers.bodies[i];
    const auto q_J = scene.coordinates(ws.turns, body);
    const auto S_J = axes(joint, q_J, &ws.axes[body.v_start]);
    world.place(i, body.parent, X_PF * pose(joint, q_J), last);
    const int row = groups.row(body.v_start);
    for (int k = 0; k < S_J.n; ++k) {
      rows.row(row + k).set(Rows::place, world.p[i]);
      set(rows.row(row + k), Rows::column, turned(world.R_WB[i], S_J, k));
    }
    set_body(rows, row, S_J.n, world.R_WB[i], inertia);
  });

  // inward: a freedom moves all that hangs from it; the force that takes is felt by those further
  // in
  gather_inertias<S>(groups, rows);
  groups.visit(MassOfPairs<S>{groups, rows, TiledMatrices<S, 1>{{M.data}, M.stride}});
}

template void mass_matrix<double, double>(const Scene<double, double>&, In<double>,
                                          BasicWorkspace<double>&, MatrixSpan<double>);
template void mass_matrix<double, Lanes>(const Scene<double, Lanes>&, In<Lanes>,
                                         BasicWorkspace<Lanes>&, MatrixSpan<Lanes>);

}  // namespace trammel::kernel
