#pragma once

#include <algorithm>

#include "trammel/model/model.hpp"

namespace trammel {

// Lowest common ancestor of two tree bodies: a wrench between them does no work on the joints
// inboard of it. Bodies are numbered outward. O(joints between them).
inline int common_ancestor(const Model& model, int a, int b) {
  while (a != b) (a > b ? a : b) = model.bodies()[std::size_t(std::max(a, b))].parent;
  return a;
}

}  // namespace trammel
