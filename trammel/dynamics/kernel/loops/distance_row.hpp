// Constraint row of a distance between two points at a state, for every scalar. Used by the dense
// rows and by the recursive solver alike.
#pragma once

#include "trammel/scalar/scalar.hpp"
#include "trammel/spatial/vec3.hpp"

namespace trammel::kernel {

template <Scalar S> struct DistanceRow {
  Vec3<S> direction;  // unit vector u along d
  S error, rate, acceleration;
};

// d, v, a: position, velocity and acceleration of the second point relative to the first.
//
//   |d| - length ,   u . v ,   u . a + (v . v - (u . v)^2) / |d|
//
// Points that coincide have no direction: u is then z, and the last term, which grows without
// bound, is left out.
template <Scalar S>
DistanceRow<S> distance_row(const Vec3<S>& d, const Vec3<S>& v, const Vec3<S>& a, const S& length) {
  const S distance = norm(d);
  const auto has_direction = distance > S(0.0);
  const S inverse = select(has_direction, S(1.0) / distance, S(0.0));
  const Vec3<S> along = inverse * d;
  const Vec3<S> u{along.x, along.y, select(has_direction, along.z, S(1.0))};
  const S speed = dot(u, v);
  const S swing = select(has_direction, (dot(v, v) - speed * speed) / distance, S(0.0));
  return {u, distance - length, speed, dot(u, a) + swing};
}

}  // namespace trammel::kernel
