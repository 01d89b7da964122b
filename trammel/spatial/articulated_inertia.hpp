// Articulated-body inertia: inertia of a body with the bodies attached to its joints [RBDA, chapter
// 7].
#pragma once

#include "trammel/spatial/inertia.hpp"

namespace trammel {

// Symmetric map from motion to force,
//   [rotational coupling; coupling^T linear]: 6 + 9 + 6 numbers.
template <Scalar S> struct ArticulatedInertia {
  SymMat3<S> rotational;
  Mat3<S> coupling;
  SymMat3<S> linear;
};

// Rigid-body inertia as an articulated-body inertia, at the same point in the same axes: that of a
// body without children.
template <Scalar S, Scalar P> ArticulatedInertia<S> articulated(const Inertia<P>& I) {
  const S o(0.0), m(I.mass);
  const Vec3<S> h = I.first_moment;
  return {I.rotational, {{o, h.z, -h.y}, {-h.z, o, h.x}, {h.y, -h.x, o}}, {m, o, o, m, o, m}};
}
template <Scalar S>
ArticulatedInertia<S> operator+(const ArticulatedInertia<S>& a, const ArticulatedInertia<S>& b) {
  return {a.rotational + b.rotational, a.coupling + b.coupling, a.linear + b.linear};
}
template <Scalar S, Scalar P>
ArticulatedInertia<S> operator+(const ArticulatedInertia<S>& a, const Inertia<P>& I) {
  const auto& [J, C, L] = a;
  const auto& [m, h, K] = I;
  return {{J.xx + K.xx, J.xy + K.xy, J.xz + K.xz, J.yy + K.yy, J.yz + K.yz, J.zz + K.zz},
          {{C.x.x, C.x.y + h.z, C.x.z - h.y},
           {C.y.x - h.z, C.y.y, C.y.z + h.x},
           {C.z.x + h.y, C.z.y - h.x, C.z.z}},
          {L.xx + m, L.xy, L.xz, L.yy + m, L.yz, L.zz + m}};
}
template <Scalar S> Force<S> operator*(const ArticulatedInertia<S>& I, const Motion<S>& V) {
  return {I.rotational * V.angular + I.coupling * V.linear,
          transpose_times(I.coupling, V.angular) + I.linear * V.linear};
}

// Shifted by p without rotation: C' = C + [p] L,  J' = J + [p] C^T - C' [p].
template <Scalar P, Scalar S>
ArticulatedInertia<S> shifted(const Vec3<P>& p, const ArticulatedInertia<S>& I) {
  const auto& [J, C, L] = I;
  const Mat3<S> D =
      C + Mat3<S>{cross(p, Vec3<S>{L.xx, L.xy, L.xz}), cross(p, Vec3<S>{L.xy, L.yy, L.yz}),
                  cross(p, Vec3<S>{L.xz, L.yz, L.zz})};
  return {{J.xx + (p.y * C.z.x - p.z * C.y.x) - (D.y.x * p.z - D.z.x * p.y),
           J.xy + (p.y * C.z.y - p.z * C.y.y) - (D.z.x * p.x - D.x.x * p.z),
           J.xz + (p.y * C.z.z - p.z * C.y.z) - (D.x.x * p.y - D.y.x * p.x),
           J.yy + (p.z * C.x.y - p.x * C.z.y) - (D.z.y * p.x - D.x.y * p.z),
           J.yz + (p.z * C.x.z - p.x * C.z.z) - (D.x.y * p.y - D.y.y * p.x),
           J.zz + (p.x * C.y.z - p.y * C.x.z) - (D.x.z * p.y - D.y.z * p.x)},
          D,
          L};
}
template <Scalar S, Scalar P>
ArticulatedInertia<S> to_parent(PoseView<S, P> X_AB, const ArticulatedInertia<S>& I) {
  const Mat3<S>& R = X_AB.R;
  const Mat3<S> T = R * I.coupling;  // R C R^T, column by column of R^T
  const Mat3<S> C{R.x.x * T.x + R.y.x * T.y + R.z.x * T.z, R.x.y * T.x + R.y.y * T.y + R.z.y * T.z,
                  R.x.z * T.x + R.y.z * T.y + R.z.z * T.z};
  return shifted(X_AB.p, ArticulatedInertia<S>{rotate(R, I.rotational), C, rotate(R, I.linear)});
}

}  // namespace trammel
