#include "trammel/dynamics/kernel/tree/mass_matrix.hpp"

#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/simd/chained_poses.hpp"
#include "trammel/dynamics/kernel/simd/mass_of_pairs.hpp"
#include "trammel/dynamics/kernel/simd/small_chain_simd.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/traversal.hpp"

// Composite-rigid-body algorithm (CRBA) [RBDA, table 6.2] in world axes. Equation numbers (1) to
// (4) are those of docs/theory/mass-matrix.md.
namespace trammel::kernel {

namespace {

// Stores a joint axis; the half that is zero by type was zeroed at construction of the rows.
template <class Row, Scalar S> void set(const Row& row, int c, const TurnAbout<S>& turn) {
  row.set(c, turn.axis);
}
template <class Row, Scalar S> void set(const Row& row, int c, const SlideAlong<S>& slide) {
  row.set(c + 3, slide.axis);
}
template <class Row, Scalar S> void set(const Row& row, int c, const Motion<S>& V) {
  row.set(c, V);
}

// Stores rotation and inertia of a body at the last of the n rows of its joint; the other rows have
// no inertia of their own. After summation (1) all rows have the composite inertia.
template <Scalar S, Scalar P>
void set_body(MassRows<S>& rows, int row, int n, const Mat3<S>& R_WB, const Inertia<P>& I) {
  using Rows = MassRows<S>;
  for (int k = 0; k < n - 1; ++k) rows.row(row + k).set(Rows::inertia, Inertia<S>{});
  const auto last = rows.row(row + n - 1);
  last.set(Rows::turn, R_WB);
  last.set(Rows::inertia, Inertia<S>{S(I.mass), I.first_moment, I.rotational});
}

// Passes the composite inertia of group g, equation (1), to the row next inboard, shifted by (3) to
// the reference point of the inboard group.
template <Scalar S>
void pass_on(const DofGroups& groups, int g, const Inertia<S>& moved, MassRows<S>& rows) {
  using Rows = MassRows<S>;
  if (groups[g].inboard < 0) return;
  const auto point = [&](int group) {
    return rows.row(groups.first_row(group)).vector(Rows::place);
  };
  const auto next = rows.row(groups.next_row(g));
  next.set(Rows::inertia,
           next.inertia(Rows::inertia) + shifted(point(g) - point(groups[g].inboard), moved));
}

// Packed chain whose rows are one group: poses, shifts (3) and (4), composite inertias (1) and
// forces I^c S of (2), all in registers. Requires the pose of the body it is attached to, whose
// inertia row must already be shifted to the reference point of its group.
[[gnu::flatten]] void chain_composite_inertia(const KernelInput<double, double>& input, int g,
                                              BasicWorkspace<double>& ws) {
  using Rows = MassRows<double>;
  using R = RowRegister<double>::Type;
  const PackedChains& packed_chains = input.numbers.packed_chains;
  const auto [first, count] = packed_chains.packed_chains[std::size_t(ws.groups[g].chain)];
  const Body& body = input.model.bodies()[std::size_t(first)];
  const Parts<LaneConstants> constants{{packed_chains.of_chain(ws.groups[g].chain)}};
  const Pose<R> X_PF{constants.matrix(PackedChains::rotation),
                     constants.vector(PackedChains::place)};
  const auto [R_PB, p_PB] =
      X_PF * TurnZ<R>{R::load_first(count, ws.sin_cos_cache.sines() + body.q_start),
                      R::load_first(count, ws.sin_cos_cache.cosines() + body.q_start)};
  const auto [turn, p] = chained_from_first(R_PB, p_PB);
  const Mat3<double>& R_WP = ws.world.R_WB[std::size_t(body.parent)];
  const Mat3<R> R_WB = R_WP * turn;
  const Vec3<R> r = R_WP * p;
  const Inertia<R> moved =
      RowSums<double>::inward(shifted(r, turned(R_WB, constants.inertia(PackedChains::inertia))));
  const Motion<R> shifted_axis = shifted_to(-r, Motion<R>{R_WB.z, {}});

  const auto dofs = ws.mass_rows.group(g);
  dofs.set(Rows::shifted, shifted_axis);
  dofs.set(Rows::force, moved * shifted_axis);
  ws.mass_rows.row(ws.groups.first_row(g))
      .set(Rows::place, body.parent == 0
                            ? Vec3<double>{}
                            : ws.world.p[std::size_t(body.parent)] + R_WP * first_of(p_PB));
  pass_on(ws.groups, g, first_of(moved), ws.mass_rows);
}

// Inward pass, after set_body for all bodies: rotates and shifts body inertias and axes to the
// reference points (3), (4), sums composite inertias (1) and computes the forces I_f^c S_f of (2).
template <Scalar P, Scalar S>
void gather_inertias(const KernelInput<P, S>& input, BasicWorkspace<S>& ws) {
  const DofGroups& groups = ws.groups;
  MassRows<S>& rows = ws.mass_rows;
  using Rows = MassRows<S>;
  using R = typename RowRegister<S>::Type;
  groups.each([&](int g) {
    if (groups[g].chain >= 0) return;
    const auto bodies = rows.group(g);
    const Inertia<R> I = turned(bodies.matrix(Rows::turn), bodies.inertia(Rows::inertia));
    if constexpr (Rows::is_one_a_group) {
      bodies.set(Rows::inertia, I);
    } else {
      const Vec3<R> r =
          bodies.vector(Rows::place) - Vec3<R>(rows.row(groups.first_row(g)).vector(Rows::place));
      bodies.set(Rows::inertia, shifted(r, I));
      bodies.set(Rows::shifted, shifted_to(-r, bodies.motion(Rows::column)));
    }
  });
  if constexpr (std::same_as<S, double>)
    for (int g = 0; g < groups.size(); ++g)
      if (groups[g].chain >= 0) chain_composite_inertia(input, g, ws);
  groups.each_inward([&](int g) {
    if (groups[g].chain >= 0) return;
    const auto dofs = rows.group(g);
    const Inertia<R> moved = RowSums<S>::inward(dofs.inertia(Rows::inertia));
    dofs.set(Rows::force, moved * dofs.motion(Rows::shifted));
    dofs.set(Rows::inertia, moved);
    pass_on(groups, g, rows.row(groups.first_row(g)).inertia(Rows::inertia), rows);
  });
}

// Small serial chain in one function, so that all intermediate values stay in registers.
template <Scalar S>
[[gnu::flatten, gnu::noinline]] void weigh_in_register(const KernelInput<S, S>& input, In<S> q,
                                                       const DofGroup& group,
                                                       const TiledMatrix<S>& M) {
  using Arm = SmallChainSimd<native_lanes>;
  Lanes shared[native_lanes];
  Arm(input, q).masses(Arm::Shared::further_out, shared);
  const Tile<S> tile([&](int i) { return shared[i]; });
  M.write_itself(group, tile, tile, TiledMatrix<S>::Diagonal::inner);
}

}  // namespace

template <Scalar P, Scalar S>
void mass_matrix(const KernelInput<P, S>& input, In<S> q, BasicWorkspace<S>& ws, MatrixSpan<S> M) {
  if constexpr (std::same_as<S, double> && has_arms_in_register)
    if (SmallChainSimd<native_lanes>::fits(input))
      return weigh_in_register<S>(input, q, ws.groups[0], {M.data, M.stride});
  WorldAxes<S>& world = ws.world;
  const DofGroups& groups = ws.groups;
  using Rows = MassRows<S>;
  Rows& rows = ws.mass_rows;

  // outward pass: rotation, position and joint axes of each body in world axes
  ws.sin_cos_cache.prepare(q);
  WorldFrame<S> last = WorldFrame<S>::load(Mat3<S>::identity());
  outward<S>(input.model, groups.one_by_one(), [&](int i, const Body& body, const auto& joint) {
    const auto& [X_PF, inertia] = input.numbers.bodies[i];
    const auto q_J = input.coordinates(ws.sin_cos_cache, body);
    const auto S_J = axes(joint, q_J, &ws.axes[body.v_start]);
    world.place(i, body.parent, X_PF, pose(joint, q_J), last);
    const int row = groups.row(body.v_start);
    for (int k = 0; k < S_J.n; ++k) {
      rows.row(row + k).set(Rows::place, world.p[i]);
      set(rows.row(row + k), Rows::column, turned(world.R_WB[i], S_J, k));
    }
    set_body(rows, row, S_J.n, world.R_WB[i], inertia);
  });

  // inward pass: composite inertias (1) and forces I^c S; then the tiles of (2)
  gather_inertias(input, ws);
  write_mass_matrix<S>(groups, rows, 0, M);
}

template void mass_matrix<double, double>(const KernelInput<double, double>&, In<double>,
                                          BasicWorkspace<double>&, MatrixSpan<double>);
template void mass_matrix<double, Lanes>(const KernelInput<double, Lanes>&, In<Lanes>,
                                         BasicWorkspace<Lanes>&, MatrixSpan<Lanes>);

}  // namespace trammel::kernel
