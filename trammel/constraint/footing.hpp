// Where a wheel or a ball stands on a floor that is not flat. For this room only.
//
// The floor is S(x, y) = (x, y, h(x, y)) with the normal n(x, y). What rolls touches it at the
// point c of its rim or surface that lies deepest along n; c stands straight above the foot S:
//
//   (c - S) . S_x = 0 ,   (c - S) . S_y = 0 ,   c = p - r z(n)
//
// p the centre, z = n for a ball, for a wheel n laid into its plane. Newton's method finds x and y;
// differentiated by time the same two equations tell how fast the foot moves, so that curvature
// enters as it should.
#pragma once

#include "trammel/model/terrain.hpp"
#include "trammel/spatial/vec3.hpp"

namespace trammel {

// What rolls, in the floor's axes: its centre and how fast that moves, its axis and how that turns
// (no axis: a ball).
template <Scalar S> struct Roller {
  Vec3<S> centre, velocity;
  const Vec3<S>* axis = nullptr;
  Vec3<S> axis_rate = {};
  double radius = 0;
};
template <Scalar S> struct Footing {
  Vec3<S> foot;  // on the floor
  Vec3<S> normal{S(0.0), S(0.0), S(1.0)}, normal_rate = {};
  bool is_found = true;
};
template <Scalar S> Footing<S> find_footing(const Terrain& terrain, const Roller<S>& roller);

// From the centre to where the rim touches a floor with this normal, as a part of the radius: a
// vector of length 1, and how it changes. `steep`: the sine of the angle between axis and normal.
template <Scalar S> struct TowardsFloor {
  Vec3<S> z, z_rate;
  S steep;
};
template <Scalar S>
TowardsFloor<S> towards_floor(const Vec3<S>& axis, const Vec3<S>& axis_rate, const Vec3<S>& normal,
                              const Vec3<S>& normal_rate);

}  // namespace trammel
