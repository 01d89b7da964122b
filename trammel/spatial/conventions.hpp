// Other people's conventions, converted at the boundary. Inside, all is angular first, in body
// axes, with spatial accelerations; theses and other engines differ in each of the three.
#pragma once

#include <array>

#include "trammel/spatial/pose.hpp"

namespace trammel {

// [v; omega] and [f; moment], as Gutenkunst's seed and Pinocchio write them
template <Scalar S> std::array<S, 6> linear_first(const Motion<S>& V) {
  return {V.linear.x, V.linear.y, V.linear.z, V.angular.x, V.angular.y, V.angular.z};
}
template <Scalar S> std::array<S, 6> linear_first(const Force<S>& F) {
  return {F.force.x, F.force.y, F.force.z, F.moment.x, F.moment.y, F.moment.z};
}
template <Scalar S> Motion<S> motion_from_linear_first(const std::array<S, 6>& v) {
  return {{v[3], v[4], v[5]}, {v[0], v[1], v[2]}};
}
template <Scalar S> Force<S> force_from_linear_first(const std::array<S, 6>& f) {
  return {{f[3], f[4], f[5]}, {f[0], f[1], f[2]}};
}

// [omega; v] as six numbers
template <Scalar S> std::array<S, 6> angular_first(const Motion<S>& V) {
  return {V.angular.x, V.angular.y, V.angular.z, V.linear.x, V.linear.y, V.linear.z};
}
template <Scalar S> std::array<S, 6> angular_first(const Force<S>& F) {
  return {F.moment.x, F.moment.y, F.moment.z, F.force.x, F.force.y, F.force.z};
}

// The acceleration people measure at the origin, [alpha; a], from a spatial one, and back:
//   a_true = a_spatial + omega x v
template <Scalar S> Motion<S> true_acceleration(const Motion<S>& A, const Motion<S>& V) {
  return {A.angular, A.linear + cross(V.angular, V.linear)};
}
template <Scalar S> Motion<S> spatial_acceleration(const Motion<S>& A_true, const Motion<S>& V) {
  return {A_true.angular, A_true.linear - cross(V.angular, V.linear)};
}

}  // namespace trammel
