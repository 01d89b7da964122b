// Paths in the tree of bodies: lowest common ancestor, and the dofs between two bodies.
#pragma once

#include <algorithm>
#include <vector>

#include "trammel/model/model.hpp"

namespace trammel {

// Lowest common ancestor of two tree bodies: a wrench between them does no work on the joints
// inboard of it. Bodies are numbered outward.
inline int common_ancestor(const Model& model, int a, int b) {
  while (a != b) (a > b ? a : b) = model.bodies()[std::size_t(std::max(a, b))].parent;
  return a;
}

// Dofs of the joints between two tree bodies, ascending: those on which their relative pose
// depends. O(length of the path).
inline std::vector<int> dofs_between(const Model& model, int a, int b) {
  std::vector<int> dofs;
  while (a != b) {
    int& outer = a > b ? a : b;
    const Body& body = model.bodies()[std::size_t(outer)];
    for (int f = body.v_start; f < body.v_end; ++f) dofs.push_back(f);
    outer = body.parent;
  }
  std::ranges::sort(dofs);
  return dofs;
}

}  // namespace trammel
