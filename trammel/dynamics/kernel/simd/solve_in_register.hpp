// Solver for a symmetric positive definite matrix with as many rows as a SIMD register has lanes.
#pragma once

#include <utility>

#include "trammel/scalar/pack.hpp"

namespace trammel::kernel {

// Solves M x = u with M = L^T D L, factored from the last row to the first [RBDA, section 6.5]; for
// a serial chain the pivots D are those of the articulated-body algorithm (ABA). Row j of M is read
// up to its diagonal. False if a pivot is less than 1e-9 of its diagonal entry: digits are lost
// then.
template <int n> class SolveInRegister {
 public:
  using R = Pack<n>;
  static bool solve(R (&M)[n], R& u);

 private:
  template <int k> using FrameRef = std::integral_constant<int, k>;
  // visit(At<0>), visit(At<1>), ...
  template <class Visit> static void each(const Visit& visit) {
    [&]<int... k>(std::integer_sequence<int, k...>) { (visit(FrameRef<k>{}), ...); }
    (std::make_integer_sequence<int, n>{});
  }
  static constexpr double min_norm_contact_loads = 1e-9;
};

template <int n> [[gnu::flatten]] bool SolveInRegister<n>::solve(R (&M)[n], R& u) {
  R diagonal(1.0), inverses(1.0);
  each([&]<int j>(FrameRef<j>) { diagonal = select(R::is_lane(j), M[j], diagonal); });

  // L^T y = u, from the last row; M[k] becomes row k of L, without its unit diagonal
  each([&]<int j>(FrameRef<j>) {
    constexpr int k = n - 1 - j;
    const R row = M[k], inverse(1 / row[k]);
    const R L = select(R::is_before(k), inverse * row, R(0.0));
    each([&]<int i>(FrameRef<i>) {
      if constexpr (i < k) M[i] -= everywhere<i>(L) * row;
    });
    u -= everywhere<k>(u) * L;
    inverses = select(R::is_lane(k), inverse, inverses);
    M[k] = L;
  });
  const R share = inverses * diagonal;
  if (stdx::any_of(!(share > 0.0 && share < 1 / min_norm_contact_loads))) return false;

  // L x = D^-1 y
  u = u * inverses;
  transpose(M);
  each([&]<int i>(FrameRef<i>) { u -= everywhere<i>(u) * M[i]; });
  return true;
}

}  // namespace trammel::kernel
