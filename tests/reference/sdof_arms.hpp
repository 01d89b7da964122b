// The mechanisms of [van der Merwe 1995] in their own notation.
#pragma once

#include <array>
#include <vector>

#include "trammel/generate/sdof.hpp"

namespace trammel {

// Diagonal inertia about the center of mass.
inline Solid solid(double mass, const Vec3<Expr>& com, double xx, double yy, double zz) {
  return {mass, com, {xx, 0.0, 0.0, yy, 0.0, zz}};
}

// ME-2: the Stanford arm with five degrees of freedom, y up: Ry1, Rz2, Dx2, Rz3, Rx4. MX-1 adds
// Rx3.
inline SdofChain stanford_chain(std::vector<Sdof> third = {Sdof::rz}) {
  SdofChain chain;
  chain.links = {{.gamma = {0.0, 0.0, 0.0, 0.0, 0.5, -0.15},
                  .free = {Sdof::ry},
                  .solid = solid(2, {0.0, 0.3, -0.07}, 0.1, 0.02, 0.1)},
                 {.gamma = {0.0, 0.0, 0.0, 0.8, 0.0, 0.0},
                  .free = {Sdof::rz, Sdof::dx},
                  .solid = solid(2, {0.3, 0.0, 0.0}, 0.002, 0.25, 0.25)},
                 {.gamma = {0.0, 0.0, 0.0, 0.2, 0.0, 0.0},
                  .free = std::move(third),
                  .solid = solid(0.8, {0.12, 0.0, 0.0}, 0.002, 0.008, 0.008)},
                 {.gamma = {0.0, 0.0, 0.0, 0.05, 0.0, 0.0},
                  .free = {Sdof::rx},
                  .solid = solid(0.5, {0.05, 0.0, 0.0}, 0.001, 0.004, 0.004)}};
  return chain;
}
inline Description described(const SdofChain& chain, const Vec3<Expr>& gravity) {
  Description description;
  description.gravity = gravity;
  add_sdof_chain(description, chain);
  return description;
}
inline Description stanford5() { return described(stanford_chain(), {0.0, -9.81, 0.0}); }
inline Description stanford6() {
  return described(stanford_chain({Sdof::rx, Sdof::rz}), {0.0, -9.81, 0.0});
}

// MX-1: a state in which every term counts.
inline const std::vector<double> mx1_q = {0.3, -0.4, 0.9, 0.5, 0.7, -0.6};
inline const std::vector<double> mx1_v = {1.5, 0.6, 0.4, -0.8, 1, 3};
inline const std::vector<double> mx1_a = {0.5, -1, 0.8, 1.2, -0.7, 2};

// ME-3: four links in the x-z plane, z up, all joints Ry; the first `count` of them.
inline Description planar_chain(std::size_t count = 4) {
  SdofChain chain;
  const auto link = [](const Vec3<Expr>& D, double mass, const Vec3<Expr>& com, double xx,
                       double yy, double zz) {
    return SdofLink{.gamma = {0.0, 0.0, 0.0, D.x, D.y, D.z},
                    .free = {Sdof::ry},
                    .solid = solid(mass, com, xx, yy, zz)};
  };
  chain.links = {link({0.0, 0.0, 2.0}, 2, {0.0, 0.0, 1.0}, 1, 1, 0.1),
                 link({1.0, 0.0, 0.0}, 1, {0.5, 0.0, 0.0}, 0.02, 0.2, 0.2),
                 link({0.0, 0.0, 1.0}, 1, {0.0, 0.0, 0.5}, 0.2, 0.2, 0.02),
                 link({1.0, 0.0, 0.0}, 1, {0.5, 0.0, 0.0}, 0.02, 0.2, 0.2)};
  chain.links.resize(count);
  return described(chain, {0.0, 0.0, -10.0});
}

// ME-4: one of the two links that carry the load; it points down at 45 degrees when q is pi/4.
inline Description carrying_link() {
  SdofChain chain;
  chain.links = {{.gamma = {0.0, 0.78539816339744831, 0.0, 1.5, 0.0, 0.0},
                  .free = {Sdof::ry},
                  .solid = solid(1, {0.75, 0.0, 0.0}, 0.025, 0.25, 0.25)}};
  return described(chain, {0.0, 0.0, -10.0});
}

}  // namespace trammel
