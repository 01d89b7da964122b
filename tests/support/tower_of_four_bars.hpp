// A tower of parallelograms, each on the coupler of the one before, and its accelerations by an
// independent recursion.
//
// Links of 1 m and 1 kg. Couplers stay level, so that the angles theta_i of the cranks are the
// coordinates, and the left pins of the couplers move as those of a chain of links
// u_i = (cos theta_i, sin theta_i), t_i = (-sin theta_i, cos theta_i):
//
//   a_i = a_(i-1) + theta_i'' t_i - theta_i'^2 u_i ,     a_0 = -g
//
// The force on pin i that moves all that is outboard of it is A_i a_i + b_i. Inward, A starts with
// the coupler, and a link carries two cranks:
//
//   A = 1 + A',   w = t + A t,   D = 2/3 + t . A t,   s = t . (b - theta'^2 A u)
//   A' <- 2 + A - w w^T / D,   b <- b - theta'^2 (u + A u) - w s / D,   theta'' = -(w . a + s) / D
//
// Planar and without constraints: nothing of it is shared with the solvers.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "trammel/model/build/builder.hpp"

namespace trammel {

// At zero coordinates all cranks are at 60 degrees. `rpy`: rotation of the whole mechanism and of
// gravity; about no coordinate axis, none of its numbers is zero, though it moves in a plane.
inline Description tower_of_four_bars(int k, const Vec3<double>& rpy = {}) {
  Description description(fmt::format("tower of {} four-bars", k));
  const double cr = std::cos(rpy.x), sr = std::sin(rpy.x), cp = std::cos(rpy.y),
               sp = std::sin(rpy.y), cy = std::cos(rpy.z), sy = std::sin(rpy.z);
  const Vec3<double> x{cy * cp, sy * cp, -sp};
  const Vec3<double> y{cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr};
  description.gravity = {-9.81 * y.x, -9.81 * y.y, -9.81 * y.z};
  const Expr c = 0.5, s = std::sqrt(0.75);
  for (int i = 0; i < k; ++i) {
    const auto name = [&](const char* what, int of) { return fmt::format("{}{}", what, of); };
    const Solid link{.mass = 1.0,
                     .com = {0.5 * c, 0.5 * s, 0.0},
                     .inertia = {1.0 / 12, 0, 0, 1.0 / 12, 0, 1.0 / 12}};
    description.body(name("crank", i), link);
    description.body(name("rocker", i), link);
    description.body(
        name("coupler", i),
        {.mass = 1.0, .com = {0.5, 0.0, 0.0}, .inertia = {1.0 / 12, 0, 0, 1.0 / 12, 0, 1.0 / 12}});
    const std::string base = i == 0 ? "ground" : name("coupler", i - 1);
    const Vec3<Expr> turn = i == 0 ? Vec3<Expr>{rpy.x, rpy.y, rpy.z} : Vec3<Expr>{};
    const Vec3<Expr> right = i == 0 ? Vec3<Expr>{x.x, x.y, x.z} : Vec3<Expr>{1.0, 0.0, 0.0};
    description.joint(name("left", i), JointKind::revolute, base, name("crank", i),
                      {.at = {{}, turn}});
    description.joint(name("right", i), JointKind::revolute, base, name("rocker", i),
                      {.at = {right, turn}});
    description.joint(name("knee", i), JointKind::revolute, name("crank", i), name("coupler", i),
                      {.at = {{c, s, 0.0}, {}}});
    description.joint(name("elbow", i), JointKind::revolute, name("coupler", i), name("rocker", i),
                      {.at = {{1.0, 0.0, 0.0}, {}}, .child_at = {{c, s, 0.0}, {}}, .cut = true});
  }
  return description;
}

// Angles and rates of the cranks [rad, rad/s]; theta'' of each.
inline std::vector<long double> tower_accelerations(const std::vector<double>& angles,
                                                    const std::vector<double>& rates) {
  using Real = long double;
  struct Vec {
    Real x = 0, y = 0;
  };
  struct Link {
    Vec w, u, t;
    Real D = 0, s = 0;
  };
  const auto dot = [](const Vec& a, const Vec& b) { return a.x * b.x + a.y * b.y; };
  std::vector<Link> links(angles.size());
  Real xx = 0, xy = 0, yy = 0;  // A'
  Vec b;
  for (std::size_t i = angles.size(); i-- > 0;) {
    xx += 1, yy += 1;
    const auto times_A = [&](const Vec& a) {
      return Vec{xx * a.x + xy * a.y, xy * a.x + yy * a.y};
    };
    Link& link = links[i];
    link.u = {std::cos(Real(angles[i])), std::sin(Real(angles[i]))};
    link.t = {-link.u.y, link.u.x};
    const Real square = Real(rates[i]) * Real(rates[i]);
    const Vec Mt = times_A(link.t), Au = times_A(link.u);
    link.w = {link.t.x + Mt.x, link.t.y + Mt.y};
    link.D = Real(2) / 3 + dot(link.t, Mt);
    link.s = dot(link.t, {b.x - square * Au.x, b.y - square * Au.y});
    b = {b.x - square * (link.u.x + Au.x) - link.w.x * link.s / link.D,
         b.y - square * (link.u.y + Au.y) - link.w.y * link.s / link.D};
    xx += 2 - link.w.x * link.w.x / link.D;
    xy -= link.w.x * link.w.y / link.D;
    yy += 2 - link.w.y * link.w.y / link.D;
  }
  std::vector<Real> found(angles.size());
  Vec a{0, Real(9.81)};
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const Link& link = links[i];
    found[i] = -(dot(link.w, a) + link.s) / link.D;
    const Real square = Real(rates[i]) * Real(rates[i]);
    a = {a.x + found[i] * link.t.x - square * link.u.x,
         a.y + found[i] * link.t.y - square * link.u.y};
  }
  return found;
}

}  // namespace trammel
