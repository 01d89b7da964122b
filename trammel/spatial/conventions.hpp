// Conversions to and from other conventions. Inside, everything is angular first, in body axes,
// with spatial accelerations; theses and other engines differ in each of the three.
#pragma once

#include <array>

#include "trammel/spatial/pose.hpp"

namespace trammel {

// [v; omega] and [f; moment], as in [Gutenkunst 2012] and Pinocchio
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

// True acceleration [alpha; a] of the origin, as an observer measures it, from the spatial one, and
// back:
//   a_true = a_spatial + omega x v
template <Scalar S> Motion<S> true_acceleration(const Motion<S>& A, const Motion<S>& V) {
  return {A.angular, A.linear + cross(V.angular, V.linear)};
}
template <Scalar S> Motion<S> spatial_acceleration(const Motion<S>& A_true, const Motion<S>& V) {
  return {A_true.angular, A_true.linear - cross(V.angular, V.linear)};
}

// Homogeneous 4 x 4 matrix [R p; 0 0 0 1] of a pose, row after row, and back.
template <Scalar S> using Homogeneous = std::array<std::array<S, 4>, 4>;
template <Scalar S> Homogeneous<S> homogeneous(const Pose<S>& X) {
  const auto& [x, y, z] = X.R;
  return {{{x.x, y.x, z.x, X.p.x},
           {x.y, y.y, z.y, X.p.y},
           {x.z, y.z, z.z, X.p.z},
           {S(0.0), S(0.0), S(0.0), S(1.0)}}};
}
template <Scalar S> Pose<S> pose_from_homogeneous(const Homogeneous<S>& T) {
  return {{{T[0][0], T[1][0], T[2][0]}, {T[0][1], T[1][1], T[2][1]}, {T[0][2], T[1][2], T[2][2]}},
          {T[0][3], T[1][3], T[2][3]}};
}

}  // namespace trammel
