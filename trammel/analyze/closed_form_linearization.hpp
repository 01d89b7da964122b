// Linearization of mechanisms of everyday size by the derivatives of constrained accelerations in
// closed form (docs/theory/derivatives.md, (11) to (16)). Internal to this module.
#pragma once

#include "trammel/analyze/linearize.hpp"

namespace trammel {

// All of `out` but its modes. False where the closed form does not apply: trees, wheels, loop
// joints with forces of their own, large components, states that violate the constraints.
bool linearize_in_closed_form(const char* name, const Model& model, const State& state,
                              const Inputs& inputs, Workspace& workspace, Linearization& out);

}  // namespace trammel
