// Spatial inertia of a rigid body.
#pragma once

#include "trammel/spatial/pose.hpp"

namespace trammel {

// Inertia of a rigid body about its origin: ten parameters.
template <Scalar P> struct Inertia {
  P mass{};
  Vec3<P> first_moment;   // mass times the center of mass [kg m]
  SymMat3<P> rotational;  // about the origin [kg m^2]
};

// From mass, center of mass, and the rotational inertia about the center of mass.
template <Scalar P>
Inertia<P> inertia_about_com(const P& mass, const Vec3<P>& com, const SymMat3<P>& central) {
  const Vec3<P> h = mass * com;
  const P x = h.x * com.x, y = h.y * com.y, z = h.z * com.z;
  return {mass,
          h,
          {central.xx + y + z, central.xy - h.x * com.y, central.xz - h.x * com.z,
           central.yy + x + z, central.yz - h.y * com.z, central.zz + x + y}};
}

template <Scalar P, Scalar S> Force<S> operator*(const Inertia<P>& I, const Motion<S>& V) {
  return {I.rotational * V.angular + cross(I.first_moment, V.linear),
          I.mass * V.linear - cross(I.first_moment, V.angular)};
}
template <Scalar S, Scalar P> Inertia<S> operator+(const Inertia<S>& a, const Inertia<P>& b) {
  return {a.mass + b.mass, a.first_moment + b.first_moment,
          a.rotational + SymMat3<S>(b.rotational)};
}
// The same body about another origin, from which its own is at p, without rotation:
//   I' = I - [p][h] - [h + m p][p].
template <Scalar P, Scalar S>
Inertia<Product<S, P>> shifted(const Vec3<P>& p, const Inertia<S>& I) {
  using R = Product<S, P>;
  const Vec3<S>& h = I.first_moment;
  const SymMat3<S>& J = I.rotational;
  const Vec3<R> g = h + I.mass * p;
  const R x = p.x * h.x + g.x * p.x, y = p.y * h.y + g.y * p.y, z = p.z * h.z + g.z * p.z;
  return {R(I.mass),
          g,
          {J.xx + y + z, J.xy - h.x * p.y - p.x * g.y, J.xz - h.x * p.z - p.x * g.z, J.yy + x + z,
           J.yz - h.y * p.z - p.y * g.z, J.zz + x + y}};
}
// In A's axes, about the same origin.
template <Scalar S, Scalar T>
Inertia<Product<S, T>> turned(const Mat3<S>& R_AB, const Inertia<T>& I) {
  return {Product<S, T>(I.mass), R_AB * I.first_moment, rotate(R_AB, I.rotational)};
}
// The same body, about A's origin in A's axes.
template <Scalar S, Scalar P, Scalar T>
Inertia<Product<S, T>> to_parent(const Pose<S, P>& X_AB, const Inertia<T>& I) {
  return shifted(X_AB.p, turned(X_AB.R, I));
}

}  // namespace trammel
