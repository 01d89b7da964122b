// Models of the sizes people have: a seven-axis arm, a humanoid-like tree, long chains. Seeded, so
// that everyone times the same robots.
#pragma once

#include <random>
#include <string>

#include "trammel/model/builder.hpp"

namespace trammel {

// n revolute joints with random axes; `branch` > 0 starts a new limb at the first body every so
// many.
inline Model generated_model(int n, int branch) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto random = [&](double size) { return size * unit(engine); };
  const auto vector = [&](double size) {
    return Vec3<Expr>{random(size), random(size), random(size)};
  };
  Description said(branch > 0 ? "tree of " + std::to_string(n) : "chain of " + std::to_string(n));
  for (int i = 1; i <= n; ++i) {
    const int parent = branch > 0 && i > 1 && (i - 1) % branch == 0 ? 1 : i - 1;
    const std::string name = "b" + std::to_string(i);
    said.body(name,
              {1 + random(0.5),
               vector(0.1),
               {0.02 + random(0.005), 0.0, 0.0, 0.02 + random(0.005), 0.0, 0.02 + random(0.005)}});
    said.joint("j" + std::to_string(i), JointKind::revolute,
               parent == 0 ? "ground" : "b" + std::to_string(parent), name,
               {.at = {vector(0.3), vector(3)}, .axis = vector(1)});
  }
  return build_model(said);
}

}  // namespace trammel
