// Coriolis inertia of a body: the velocity-dependent part of the change of its force when its
// velocity changes, 2 [B d; d x l] (docs/theory/derivatives.md, (4) and (5)).
#pragma once

#include "trammel/spatial/inertia.hpp"

namespace trammel::kernel {

template <Scalar S> struct CoriolisInertia {
  Mat3<S> B;
  Vec3<S> l;  // linear momentum
};

template <Scalar S>
CoriolisInertia<S> operator+(const CoriolisInertia<S>& a, const CoriolisInertia<S>& b) {
  return {a.B + b.B, a.l + b.l};
}
// B of a body that moves with V, equation (5); l is its linear momentum.
template <Scalar S>
CoriolisInertia<S> coriolis_inertia(const Inertia<S>& I, const Motion<S>& V, const Vec3<S>& l) {
  const auto& [w, v] = V;
  const Vec3<S>& h = I.first_moment;
  const SymMat3<S>& J = I.rotational;
  const S half = S(0.5) * trace(J), power = dot(h, v);
  Mat3<S> B{cross(w, Vec3<S>{J.xx - half, J.xy, J.xz}) - h.x * v,
            cross(w, Vec3<S>{J.xy, J.yy - half, J.yz}) - h.y * v,
            cross(w, Vec3<S>{J.xz, J.yz, J.zz - half}) - h.z * v};
  B.x.x += power;
  B.y.y += power;
  B.z.z += power;
  return {B, l};
}
// Shifted to a point from which its origin is at r: B' d = B d + r x (d x l).
template <Scalar S> CoriolisInertia<S> shifted(const Vec3<S>& r, const CoriolisInertia<S>& C) {
  const S power = dot(r, C.l);
  Mat3<S> B{C.B.x - r.x * C.l, C.B.y - r.y * C.l, C.B.z - r.z * C.l};
  B.x.x += power;
  B.y.y += power;
  B.z.z += power;
  return {B, C.l};
}
// 2 [B d; d x l]
template <Scalar P, Scalar S> Force<S> operator*(const CoriolisInertia<P>& C, const Vec3<S>& d) {
  const Vec3<S> twice = S(2.0) * d;
  return {C.B * twice, cross(twice, C.l)};
}

}  // namespace trammel::kernel
