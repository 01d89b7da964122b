#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

struct EquilibriumOptions {
  int steps = 100;            // at most
  double longest_step = 0.3;  // [rad], or of the mechanism's length
};

// Where does it rest, with its loops, springs and weights, under the efforts inputs.tau? From a
// state nearby, by Newton's method along the positions that can be chosen, the step shortened where
// it is long. Leaves `state` there, at rest; where none is found, says how fast it would still
// accelerate, and leaves the state alone. Also finds equilibria that do not hold by themselves:
// ask linearize.
[[nodiscard]] Status equilibrium(const Model& model, State& state, const Inputs& inputs,
                                 Workspace& workspace, const EquilibriumOptions& options = {});

}  // namespace trammel
