// Test for degrees of freedom without inertia. Forward dynamics divides by the pivot D = S^T I_A S
// of each degree of freedom; a D of the size of rounding would make the result noise.
#pragma once

#include "trammel/joint/axes.hpp"
#include "trammel/scalar/dual.hpp"
#include "trammel/scalar/expr.hpp"
#include "trammel/scalar/pack.hpp"

namespace trammel {

// Upper bound of the pivot of axis S_k for this articulated inertia; pivots are compared with it.
template <Scalar S> S reach(AboutZ, int, const ArticulatedInertia<S>& I) {
  return trace(I.rotational);
}
template <Scalar S> S reach(AlongZ, int, const ArticulatedInertia<S>& I) { return trace(I.linear); }
template <Scalar S> S reach(EveryWay, int k, const ArticulatedInertia<S>& I) {
  return k < 3 ? trace(I.rotational) : trace(I.linear);
}
template <Scalar S, int N>
S reach(const Columns<S, N>& S_J, int k, const ArticulatedInertia<S>& I) {
  const Motion<S>& S_k = S_J.column[k];
  return dot(S_k.angular, S_k.angular) * trace(I.rotational) +
         dot(S_k.linear, S_k.linear) * trace(I.linear);
}

// A pivot is a sum of products of sums: rounding leaves some hundred ulps of the largest.
inline constexpr double weakest_pivot = 1e-13;
inline bool is_weak(double pivot, double largest) { return !(pivot > weakest_pivot * largest); }
inline bool is_weak(float pivot, float largest) { return !(pivot > 1e-5F * largest); }
template <int N> bool is_weak(const Pack<N>& pivot, const Pack<N>& largest) {
  return stdx::any_of(!(pivot > weakest_pivot * largest));
}
template <int N> bool is_weak(const Dual<N>& pivot, const Dual<N>& largest) {
  return is_weak(pivot.value, largest.value);
}
inline bool is_weak(const Expr&, const Expr&) { return false; }  // symbols have no magnitude

// Result of forward dynamics: the first degree of freedom found without inertia, or none.
struct Pivots {
  static constexpr int none = -1;
  int weak_dof = none;
};

}  // namespace trammel
