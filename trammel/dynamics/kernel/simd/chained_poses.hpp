// Poses of the bodies of a serial chain, one body per SIMD lane.
//
// Parallel prefix product by recursive doubling: eight bodies take three products in sequence, not
// seven.
#pragma once

#include "trammel/dynamics/kernel/simd/row_register.hpp"
#include "trammel/spatial/pose.hpp"

namespace trammel::kernel {

// Constants stored number by number, one for each lane.
struct LaneConstants {
  using Number = RowRegister<double>::Type;
  const double* x;
  Number get(int number) const { return Number::load(x + number * RowRegister<double>::rows); }
};

// Converts poses in the preceding body into poses in the parent of the first body.
template <int reach = 1, int n> Pose<Pack<n>> chained(const Pose<Pack<n>>& X) {
  using R = Pack<n>;
  if constexpr (reach < n) {
    const auto zero = [](const R& x) { return shifted_up<reach>(R(0.0), x); };
    const auto one = [](const R& x) { return shifted_up<reach>(R(1.0), x); };
    const Pose<R> inner{{{one(X.R.x.x), zero(X.R.x.y), zero(X.R.x.z)},
                         {zero(X.R.y.x), one(X.R.y.y), zero(X.R.y.z)},
                         {zero(X.R.z.x), zero(X.R.z.y), one(X.R.z.z)}},
                        each_of(X.p, zero)};
    return chained<2 * reach>(inner * X);
  } else {
    return X;
  }
}
// The same with positions relative to the first body's origin.
template <int n>
Pose<Pack<n>> chained_from_first(const Mat3<Pack<n>>& R_PB, const Vec3<Pack<n>>& p) {
  const auto counted = [](const Pack<n>& x) {
    return select(Pack<n>::is_lane(0), Pack<n>(0.0), x);
  };
  return chained(Pose<Pack<n>>{R_PB, each_of(p, counted)});
}

// Value of the first lane.
template <int n> Vec3<double> first_of(const Vec3<Pack<n>>& a) { return {a.x[0], a.y[0], a.z[0]}; }
template <int n> Inertia<double> first_of(const Inertia<Pack<n>>& I) {
  const SymMat3<Pack<n>>& J = I.rotational;
  return {
      I.mass[0], first_of(I.first_moment), {J.xx[0], J.xy[0], J.xz[0], J.yy[0], J.yz[0], J.zz[0]}};
}

}  // namespace trammel::kernel
