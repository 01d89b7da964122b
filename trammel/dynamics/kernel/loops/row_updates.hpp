// Steps of the elimination of constraint rows that dense and block sparse stages share
// (row_stage.hpp, block_elimination.hpp). A row is [L, Z^T, b].
#pragma once

#include "trammel/dynamics/kernel/loops/propagated_rows.hpp"

namespace trammel::kernel {

// Relative pivot below which a row counts as dependent on others, or as one along which no outboard
// joint moves. Such a row is left to a solver with rank decision: solved here, its multiplier would
// lose half its digits.
inline constexpr double weakest_row = 1e-9;

// Subtracts a multiple of a row, in whole registers.
template <Scalar S> void subtract_row(const S& factor, const S* row, S* from, int width) {
  using Register = RowRegister<S>;
  const typename Register::Type f(factor);
  for (int c = 0; c < width; c += Register::rows)
    Register::store(Register::load(from + c) - f * Register::load(row + c), from + c);
}

// Adds an eliminated row to the inertia and the force of its body: I + Z L^-1 Z^T, F + Z L^-1 b.
// `z`: its part [Z^T, b]; `inverse`: of its pivot.
template <Scalar S>
void absorb_row(const S* z, const S& inverse, ArticulatedInertia<S>& I, Force<S>& F) {
  const Force<S> Z{{z[0], z[1], z[2]}, {z[3], z[4], z[5]}};
  const Force<S> over = inverse * Z;
  I.rotational = I.rotational + symmetric_outer(Z.moment, over.moment);
  I.coupling = I.coupling +
               Mat3<S>{over.force.x * Z.moment, over.force.y * Z.moment, over.force.z * Z.moment};
  I.linear = I.linear + symmetric_outer(Z.force, over.force);
  F += z[6] * over;
}

}  // namespace trammel::kernel
