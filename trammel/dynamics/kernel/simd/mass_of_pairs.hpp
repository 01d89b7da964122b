// Entries of the mass matrix from the factors of its degrees of freedom: equation (2) of
// docs/theory/mass-matrix.md, one tile for each pair of groups on one path to ground.
#pragma once

#include "trammel/dynamics/kernel/simd/tile.hpp"

namespace trammel::kernel {

// M_gf = S_g . I_f^c S_f. Rows have the axis S (`shifted`) and the force I^c S (`force`) of each
// degree of freedom, both about the reference point of its group: the `place` of the first row.
template <Scalar S, class Rows> struct MassOfPairs {
  using R = typename Tile<S>::R;

  const DofGroups& groups;
  Rows& rows;
  int first_group;  // index of group 0 in `rows`
  TiledMatrix<S> M;

  auto group(int g) const { return rows.group(first_group + g); }
  auto first_row(int g) const { return rows.row(groups.first_row(first_group + g)); }
  Tile<S> shared(const Force<R>& F, int inner, int inner_count) const {
    const auto first = first_row(inner);
    return Tile<S>([&](int i) {
      if (i >= inner_count) return R(0.0);  // on another branch
      const Parts<typename Rows::OneRow> row{{first.x + i}};
      const auto [turn, slide] = row.motion(Rows::shifted);
      return dot(turn, F.moment) + dot(slide, F.force);
    });
  }
  void meet_itself(int g) const {
    const Tile<S> tile = shared(group(g).force(Rows::force), g, groups[g].count);
    M.write_itself(groups[g], tile, tile, TiledMatrix<S>::Diagonal::inner);
  }
  void meet(int outer, int inner, int inner_count) const {
    const auto point = [&](int g) { return first_row(g).vector(Rows::place); };
    const Tile<S> tile =
        shared(acting_at(point(outer) - point(inner), group(outer).force(Rows::force)), inner,
               inner_count);
    M.write_inner(groups[outer], groups[inner], tile);
    M.write_outer(groups[outer], groups[inner], tile);
  }
};

// Writes both triangles, and zeros for pairs on different branches.
template <Scalar S, class Rows>
void write_mass_matrix(const DofGroups& groups, Rows& rows, int first_group,
                       const MatrixSpan<S>& M) {
  const TiledMatrix<S> tiled{M.data, M.stride};
  if (groups.has_branches()) tiled.clear(M.rows);
  groups.visit(MassOfPairs<S, Rows>{groups, rows, first_group, tiled});
}

}  // namespace trammel::kernel
