// Contact point of a wheel or a ball on a terrain. Internal to the constraint module.
//
// The terrain is S(x, y) = (x, y, h(x, y)) with the normal n(x, y). The roller touches it at the
// point c of its rim or surface that lies deepest along n; c - S is parallel to the normal at the
// foot S:
//
//   (c - S) . S_x = 0 ,   (c - S) . S_y = 0 ,   c = p - r z(n)
//
// with the center p; z = n for a ball, for a wheel n projected into its plane and normalized.
// Newton's method finds x and y; the time derivative of the two equations gives the velocity of the
// foot, which includes the curvature of the terrain.
#pragma once

#include "trammel/model/terrain.hpp"
#include "trammel/spatial/vec3.hpp"

namespace trammel {

// A roller in the terrain's axes: its center and its velocity, its axis and the derivative of the
// axis (no axis: a ball).
template <Scalar S> struct Roller {
  Vec3<S> center, velocity;
  const Vec3<S>* axis = nullptr;
  Vec3<S> axis_rate = {};
  double radius = 0;
};
template <Scalar S> struct TerrainContact {
  Vec3<S> foot;  // on the terrain
  Vec3<S> normal{S(0.0), S(0.0), S(1.0)}, normal_rate = {};
  bool is_found = true;
};
template <Scalar S>
TerrainContact<S> find_contact_point(const Terrain& terrain, const Roller<S>& roller);

// Unit vector opposite to the direction from the center to the contact point of the rim, on a floor
// with this normal, and its time derivative. `steep`: sine of the angle between axis and normal.
template <Scalar S> struct TowardsFloor {
  Vec3<S> z, z_rate;
  S steep;
};
template <Scalar S>
TowardsFloor<S> towards_floor(const Vec3<S>& axis, const Vec3<S>& axis_rate, const Vec3<S>& normal,
                              const Vec3<S>& normal_rate);

}  // namespace trammel
