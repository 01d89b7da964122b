// Poses and rotations from roll, pitch, yaw and from axes of a description, in any scalar P.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "trammel/model/description/description.hpp"
#include "trammel/scalar/expr_evaluate.hpp"
#include "trammel/spatial/rotation.hpp"

namespace trammel {

inline bool is_constant(const Vec3<Expr>& a) {
  return a.x.is_constant() && a.y.is_constant() && a.z.is_constant();
}
template <Scalar P> Vec3<P> value_of(const Vec3<Expr>& a, const Values<P>& values) {
  return {values(a.x), values(a.y), values(a.z)};
}
template <Scalar P>
std::vector<P> values_of(const std::vector<Expr>& list, const Values<P>& values) {
  std::vector<P> found;
  for (const Expr& number : list) found.push_back(values(number));
  return found;
}

// Sine and cosine with exact zeros and ones at multiples of a right angle, so that "90 deg", which
// no double represents exactly, means 90 degrees.
inline SinCos<double> clean_sin_cos(double angle) {
  constexpr double right_angle = std::numbers::pi / 2;
  const double quarters = std::nearbyint(angle / right_angle);
  if (!(std::abs(angle - quarters * right_angle) <= 1e-14 * std::abs(angle))) return sin_cos(angle);
  switch (int(std::remainder(quarters, 4.0))) {
    case 0: return {0, 1};
    case 1: return {1, 0};
    case -1: return {-1, 0};
    default: return {0, -1};
  }
}
template <Scalar P> SinCos<P> turn_of(const Expr& angle, const Values<P>& values) {
  if constexpr (std::same_as<P, double>) {
    return clean_sin_cos(values(angle));
  } else {
    if (!angle.is_constant()) return sin_cos(values(angle));
    const auto [s, c] = clean_sin_cos(angle.constant());
    return {P(s), P(c)};
  }
}

template <Scalar P> Pose<P> pose_of(const Placement& at, const Values<P>& values) {
  const auto& [roll, pitch, yaw] = at.rpy;
  return {rotation_rpy(turn_of(roll, values), turn_of(pitch, values), turn_of(yaw, values)),
          value_of(at.xyz, values)};
}

template <Scalar P> Vec3<P> normalized(const Vec3<P>& a) {
  const P length = norm(a);
  return {a.x / length, a.y / length, a.z / length};
}

// Reference direction for the x axis of a frame whose z axis is `axis`: the coordinate axis after
// its largest component.
inline Vec3<double> start_for(const Vec3<double>& axis) {
  const double x = std::abs(axis.x), y = std::abs(axis.y), z = std::abs(axis.z);
  if (z >= x && z >= y) return {1, 0, 0};
  return x >= y ? Vec3<double>{0, 1, 0} : Vec3<double>{0, 0, 1};
}

// The rotation T whose z is along `axis` and whose x is as close to `start` as possible. For
// coordinate axes all arithmetic is exact, and T is a signed permutation.
template <Scalar P> Mat3<P> turn_to(const Vec3<P>& axis, const Vec3<P>& start) {
  const Vec3<P> z = normalized(axis), x = normalized(start - dot(start, z) * z);
  return {x, cross(z, x), z};
}

}  // namespace trammel
