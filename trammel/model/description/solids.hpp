// Mass properties of simple solids of uniform density, by mass and size; inertia about their center
// of mass.
#pragma once

#include "trammel/model/description/description.hpp"

namespace trammel {

inline Solid point_mass(const Expr& mass, const Vec3<Expr>& at = {}) { return {mass, at, {}}; }

// size: edge lengths along x, y, z
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

// a solid ball, not a shell
inline Solid sphere(const Expr& mass, const Expr& radius, const Vec3<Expr>& com = {}) {
  const Expr moment = 0.4 * mass * radius * radius;
  return {mass, com, {moment, 0.0, 0.0, moment, 0.0, moment}};
}

// along z: a cylinder with a hemisphere at each end; length: of the cylinder alone
inline Solid capsule(const Expr& mass, const Expr& radius, const Expr& length,
                     const Vec3<Expr>& com = {}) {
  const Expr r = radius, l = length, volume = 3.0 * l + 4.0 * r;  // in units of pi r^2 / 3
  const Expr m_cylinder = mass * 3.0 * l / volume, m_ends = mass * 4.0 * r / volume;
  // the center of mass of a hemisphere lies 3/8 r from its flat side
  const Expr across = m_cylinder * (3.0 * r * r + l * l) / 12.0 +
                      m_ends * (0.4 * r * r + l * l / 4.0 + 3.0 / 8.0 * l * r);
  const Expr along = m_cylinder * r * r / 2.0 + m_ends * 0.4 * r * r;
  return {mass, com, {across, 0.0, 0.0, across, 0.0, along}};
}

}  // namespace trammel
