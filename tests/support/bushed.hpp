// Bushings for tests: matrices with couplings, and two free bodies with a bushing between them.
#pragma once

#include <cmath>
#include <vector>

#include "trammel/model/build/builder.hpp"
#include "trammel/model/description/solids.hpp"

namespace trammel {

// K = diag + couplings, positive.
inline std::vector<Expr> coupled(double along, double about) {
  std::vector<Expr> K(36, 0.0);
  for (std::size_t i = 0; i < 6; ++i) K[7 * i] = (i < 3 ? along : about) * (1.0 + 0.2 * double(i));
  const auto couple = [&](std::size_t i, std::size_t j, double part) {
    const double value = part * std::sqrt(K[7 * i].constant() * K[7 * j].constant());
    K[6 * i + j] = K[6 * j + i] = value;
  };
  couple(0, 1, 0.2), couple(0, 4, -0.3), couple(2, 3, 0.25), couple(4, 5, 0.1);
  return K;
}
// Two free bodies, no gravity, with a bushing between frames away from their centers of mass.
inline Description free_pair(double damping, bool has_tables) {
  Description pair("pair");
  pair.gravity = {0.0, 0.0, 0.0};
  pair.body("a", box(2.0, {0.4, 0.2, 0.3}));
  pair.body("b", box(1.0, {0.1, 0.5, 0.2}));
  pair.joint("fly a", JointKind::free, "ground", "a");
  pair.joint("fly b", JointKind::free, "ground", "b");
  pair.frame("on a", "a", {.xyz = {0.2, 0.1, 0.0}, .rpy = {0.1, -0.2, 0.3}});
  pair.frame("on b", "b", {.xyz = {-0.2, 0.0, 0.1}, .rpy = {-0.3, 0.2, 0.1}});
  BushingDescription bushing{.name = "mount", .frame = "on a", .other_frame = "on b"};
  bushing.stiffness = coupled(60, 4);
  if (damping > 0) bushing.damping = coupled(damping, 0.1 * damping);
  bushing.preload = {0.3, 0.0, -0.2, 0.05, 0.0, 0.02};
  if (has_tables) bushing.tables[2] = {{-0.2, -0.05, 0.05, 0.2}, {-9.0, -1.0, 1.0, 9.0}};
  pair.bushings.push_back(bushing);
  pair.start_positions.push_back({"fly b", {1.0, 0.0, 0.0, 0.0, 0.45, 0.15, -0.05}});
  pair.start_velocities.push_back({"fly a", {0.3, -0.2, 0.5, 0.1, 0.0, -0.2}});
  pair.start_velocities.push_back({"fly b", {-1.0, 0.4, 0.2, 0.0, 0.3, 0.1}});
  return pair;
}

}  // namespace trammel
