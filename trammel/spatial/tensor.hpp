// Cartesian tensors of rigid-body motion [van der Merwe 1995, chapter 3, corrected]: every vector
// product as a 3x3 matrix.
#pragma once

#include "trammel/spatial/vec3.hpp"

namespace trammel {

// W = [omega]: the velocity of a point r of the body is W r.
template <Scalar S> Mat3<S> angular_velocity_tensor(const Vec3<S>& omega) { return skew(omega); }
// [omega_dot] + [omega]^2: the acceleration of a point r of the body is this times r.
template <Scalar S>
Mat3<S> angular_acceleration_tensor(const Vec3<S>& omega, const Vec3<S>& omega_dot) {
  const auto& [x, y, z] = omega;
  const S xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z;
  return {{-(yy + zz), xy + omega_dot.z, xz - omega_dot.y},
          {xy - omega_dot.z, -(xx + zz), yz + omega_dot.x},
          {xz + omega_dot.y, yz - omega_dot.x, -(xx + yy)}};
}
// J = integral of r r^T dm from the inertia, and back: J = tr(I)/2 - I, I = tr(J) - J.
template <Scalar S> SymMat3<S> euler_tensor(const SymMat3<S>& inertia) {
  const S half = S(0.5) * trace(inertia);
  return {half - inertia.xx, -inertia.xy, -inertia.xz,
          half - inertia.yy, -inertia.yz, half - inertia.zz};
}
template <Scalar S> SymMat3<S> inertia_from_euler_tensor(const SymMat3<S>& J) {
  const S t = trace(J);
  return {t - J.xx, -J.xy, -J.xz, t - J.yy, -J.yz, t - J.zz};
}
// dI/dt of a body rotating with omega, in fixed axes: [omega] I - I [omega].
template <Scalar S> Mat3<S> inertia_rate(const SymMat3<S>& inertia, const Vec3<S>& omega) {
  const Mat3<S> w = skew(omega), I = full(inertia);
  return w * I - I * w;
}
// [L] of L = I omega: J [omega] + [omega] J.
template <Scalar S> Mat3<S> angular_momentum_tensor(const SymMat3<S>& euler, const Vec3<S>& omega) {
  const Mat3<S> w = skew(omega), J = full(euler);
  return J * w + w * J;
}
// [M] of M = I omega_dot + omega x I omega: A J - (A J)^T with the angular acceleration tensor A.
template <Scalar S> Mat3<S> torque_tensor(const SymMat3<S>& euler, const Mat3<S>& acceleration) {
  const Mat3<S> AJ = acceleration * full(euler);
  return AJ - transpose(AJ);
}
// M itself, without the entries that cancel: 15 products.
template <Scalar S, Scalar P> Vec3<S> torque(const SymMat3<P>& euler, const Mat3<S>& acceleration) {
  const auto& [x, y, z] = acceleration;
  const SymMat3<P>& J = euler;
  return {J.xy * x.z - J.xz * x.y + J.yy * y.z - J.zz * z.y + J.yz * (z.z - y.y),
          J.yz * y.x - J.xy * y.z + J.zz * z.x - J.xx * x.z + J.xz * (x.x - z.z),
          J.xz * z.y - J.yz * z.x + J.xx * x.y - J.yy * y.x + J.xy * (y.y - x.x)};
}
// Axial vector of a skew-symmetric matrix.
template <Scalar S> Vec3<S> unskew(const Mat3<S>& W) { return {W.y.z, W.z.x, W.x.y}; }

}  // namespace trammel
