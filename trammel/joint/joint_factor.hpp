// Joint factor of the articulated-body algorithm (ABA): the part of pass 2 that depends on the
// axes, U = I_A S, D = S^T U, D^-1 [U^T u] and I_A - U D^-1 U^T.
#pragma once

#include <utility>

#include "trammel/joint/axes.hpp"

namespace trammel {

// Per degree of freedom, for pass 3: a = w - W^T A.
template <Scalar S> struct JointFactor {
  Force<S> W;  // U D^-1
  S w{};       // D^-1 u
};
template <Scalar S> JointFactor<S> operator*(const S& k, const JointFactor<S>& h) {
  return {k * h.W, k * h.w};
}
template <Scalar S> JointFactor<S> operator-(const JointFactor<S>& a, const JointFactor<S>& b) {
  return {a.W - b.W, a.w - b.w};
}

// D^-1 x for n numbers or rows x; D symmetric and positive definite, its lower triangle given. No
// pivoting, so no branch on a value. watch(k, pivot) receives each pivot: the inertia of degree of
// freedom k with those before it free.
template <std::size_t N, Scalar S, class Row, class Observer>
void divide(std::size_t n, S (&D)[N][N], std::array<Row, N>& x, const Observer& watch) {
  if (n > N) __builtin_unreachable();  // otherwise gcc warns of indices out of range
  // L D L^T, forward and back substitution
  for (std::size_t j = 0; j < n; ++j) {
    watch(int(j), D[j][j]);
    const S inverse = S(1.0) / D[j][j];
    for (std::size_t i = j + 1; i < n; ++i) {
      const S factor = D[i][j] * inverse;
      for (std::size_t k = j + 1; k <= i; ++k) D[i][k] -= factor * D[k][j];
      x[i] = x[i] - factor * x[j];
    }
    x[j] = inverse * x[j];
    for (std::size_t i = j + 1; i < n; ++i) D[i][j] = D[i][j] * inverse;
  }
  for (std::size_t j = n; j-- > 0;)
    for (std::size_t i = j + 1; i < n; ++i) x[j] = x[j] - D[i][j] * x[i];
}

// D^-1 [U^T u] with D = S^T U.
template <class Axes, Scalar S, std::size_t N, class Observer>
std::array<JointFactor<S>, N> factor_joint(const Axes& S_J, const std::array<Force<S>, N>& U,
                                           const std::array<S, N>& u, const Observer& watch) {
  std::array<JointFactor<S>, N> h;
  S D[N][N];
  const std::size_t n = std::size_t(S_J.n);
  for (std::size_t k = 0; k < n; ++k) {
    h[k] = {U[k], u[k]};
    for (std::size_t l = 0; l <= k; ++l) D[k][l] = component(S_J, int(k), U[l]);
  }
  divide(n, D, h, watch);
  return h;
}
// Free joints have S = 1 and U = D: W is the identity, and only D^-1 u is computed.
template <Scalar S, class Observer>
std::array<JointFactor<S>, 6> factor_joint(EveryWay S_J, const std::array<Force<S>, 6>& U,
                                           const std::array<S, 6>& u, const Observer& watch) {
  std::array<JointFactor<S>, 6> h;
  std::array<S, 6> w = u;
  S D[6][6];
  for (std::size_t k = 0; k < 6; ++k)
    for (std::size_t l = 0; l <= k; ++l) D[k][l] = component(S_J, int(k), U[l]);
  divide(6, D, w, watch);
  for (std::size_t k = 0; k < 6; ++k) {
    const Motion<S> unit = column<S>(S_J, int(k));
    h[k] = {{unit.angular, unit.linear}, w[k]};
  }
  return h;
}

// I - U U^T / D: the inertia left when one degree of freedom, S_k, is eliminated; U = I S_k.
template <Scalar S>
ArticulatedInertia<S> project_out_dof(const ArticulatedInertia<S>& I, const Motion<S>& S_k) {
  const Force<S> U = I * S_k, W = (S(1.0) / dot(S_k, U)) * U;
  return {I.rotational - symmetric_outer(U.moment, W.moment),
          {I.coupling.x - W.force.x * U.moment, I.coupling.y - W.force.y * U.moment,
           I.coupling.z - W.force.z * U.moment},
          I.linear - symmetric_outer(U.force, W.force)};
}
// I_A - U D^-1 U^T: articulated inertia as seen from the parent through the joint. Degrees of
// freedom are eliminated one after the other: the result stays positive semidefinite, while the
// formula for all at once would multiply rounding by the condition number of D.
template <class Axes, Scalar S>
ArticulatedInertia<S> passed_through(const Axes& S_J, const ArticulatedInertia<S>& I_A) {
  if (S_J.n == 6) return {};  // a joint with six degrees of freedom transmits nothing
  ArticulatedInertia<S> I = I_A;
  for (int k = 0; k < S_J.n; ++k) I = project_out_dof(I, column<S>(S_J, k));
  return I;
}
// The same where U and the joint factor are known already; used by the overload for AboutZ.
template <class Axes, Scalar S, std::size_t N>
ArticulatedInertia<S> project(const Axes& S_J, const ArticulatedInertia<S>& I_A,
                              const std::array<Force<S>, N>&,
                              const std::array<JointFactor<S>, N>&) {
  return passed_through(S_J, I_A);
}

// Articulated inertia through a rotation about z: the rows of z are zero and not stored.
template <Scalar S> struct SpinFreeInertia {
  S xx, xy, yy;                    // of the rotational part
  Vec3<S> coupling_x, coupling_y;  // rows of the coupling
  SymMat3<S> linear;
};
template <Scalar S>
SpinFreeInertia<S> project(AboutZ, const ArticulatedInertia<S>& I,
                           const std::array<Force<S>, 1>& U_,
                           const std::array<JointFactor<S>, 1>& h) {
  const auto& [U, C] = std::pair{U_[0], I.coupling};
  const Force<S>& W = h[0].W;
  return {I.rotational.xx - U.moment.x * W.moment.x,
          I.rotational.xy - U.moment.y * W.moment.x,
          I.rotational.yy - U.moment.y * W.moment.y,
          Vec3<S>{C.x.x, C.y.x, C.z.x} - W.moment.x * U.force,
          Vec3<S>{C.x.y, C.y.y, C.z.y} - W.moment.y * U.force,
          I.linear - symmetric_outer(U.force, W.force)};
}
template <Scalar S> Force<S> operator*(const SpinFreeInertia<S>& I, const AcrossZ<S>& A) {
  const Vec3<S>&cx = I.coupling_x, &cy = I.coupling_y;
  const SymMat3<S>& L = I.linear;
  return {{I.xx * A.wx + I.xy * A.wy + cx.x * A.vx + cx.y * A.vy,
           I.xy * A.wx + I.yy * A.wy + cy.x * A.vx + cy.y * A.vy, S(0.0)},
          {cx.x * A.wx + cy.x * A.wy + L.xx * A.vx + L.xy * A.vy,
           cx.y * A.wx + cy.y * A.wy + L.xy * A.vx + L.yy * A.vy,
           cx.z * A.wx + cy.z * A.wy + L.xz * A.vx + L.yz * A.vy}};
}
template <Scalar S, Scalar P>
ArticulatedInertia<S> to_parent(PoseView<S, P> X_AB, const SpinFreeInertia<S>& I) {
  const auto& [x, y, z] = X_AB.R;
  const Vec3<S> Jx = I.xx * x + I.xy * y, Jy = I.xy * x + I.yy * y;      // R J
  const Vec3<S> Cx = X_AB.R * I.coupling_x, Cy = X_AB.R * I.coupling_y;  // R C^T
  return shifted(
      X_AB.p, ArticulatedInertia<S>{symmetric_outer(x, Jx) + symmetric_outer(y, Jy),
                                    {Cx.x * x + Cy.x * y, Cx.y * x + Cy.y * y, Cx.z * x + Cy.z * y},
                                    rotate(X_AB.R, I.linear)});
}

}  // namespace trammel
