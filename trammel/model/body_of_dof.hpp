#pragma once

#include <algorithm>

#include "trammel/model/model.hpp"

namespace trammel {

// Index of the body whose joint has this dof: bodies are sorted by their dofs. O(log bodies).
inline int body_of_dof(const Model& model, int dof) {
  const std::span<const Body> bodies = model.bodies();
  const auto next = std::upper_bound(bodies.begin() + 1, bodies.end(), dof,
                                     [](int f, const Body& body) { return f < body.v_end; });
  return int(next - bodies.begin());
}

}  // namespace trammel
