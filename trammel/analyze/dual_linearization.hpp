// Linearization by Dual numbers along the independent coordinates, all of the mechanism for every
// direction: O(bodies * states), and dense matrices of the accelerations' derivatives. For states
// where a derivative by a single coordinate does not exist, although those along motions with
// closed loops do. Internal to this module.
#pragma once

#include "trammel/analyze/linearize.hpp"

namespace trammel {

// All of `out` but its modes. `name` begins every message.
[[nodiscard]] Status linearize_with_duals(const char* name, const Model& model, const State& state,
                                          const Inputs& inputs, Workspace& workspace,
                                          Linearization& out);

}  // namespace trammel
