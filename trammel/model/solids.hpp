// Solids people know, by mass and size: of uniform density, inertia about their centre of mass.
#pragma once

#include "trammel/model/description.hpp"

namespace trammel {

inline Solid point_mass(const Expr& mass, const Vec3<Expr>& at = {}) { return {mass, at, {}}; }

// size: its edges along x, y, z
inline Solid box(const Expr& mass, const Vec3<Expr>& size, const Vec3<Expr>& com = {}) {
  const Expr k = mass / 12.0, xx = size.x * size.x, yy = size.y * size.y, zz = size.z * size.z;
  return {mass, com, {k * (yy + zz), 0.0, 0.0, k * (xx + zz), 0.0, k * (xx + yy)}};
}

// about z
inline Solid solid_cylinder(const Expr& mass, const Expr& radius, const Expr& length,
                            const Vec3<Expr>& com = {}) {
  const Expr rr = radius * radius;
  const Expr across = mass * (3.0 * rr + length * length) / 12.0;
  return {mass, com, {across, 0.0, 0.0, across, 0.0, mass * rr / 2.0}};
}

// along x
inline Solid thin_rod(const Expr& mass, const Expr& length, const Vec3<Expr>& com = {}) {
  const Expr across = mass * length * length / 12.0;
  return {mass, com, {0.0, 0.0, 0.0, across, 0.0, across}};
}

inline Solid sphere(const Expr& mass, const Expr& radius, const Vec3<Expr>& com = {}) {
  const Expr moment = 0.4 * mass * radius * radius;
  return {mass, com, {moment, 0.0, 0.0, moment, 0.0, moment}};
}

}  // namespace trammel
