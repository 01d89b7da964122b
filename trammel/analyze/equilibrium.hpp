#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

struct EquilibriumOptions {
  int steps = 300;            // at most
  double longest_step = 0.3;  // [rad], or of the mechanism's length
};

// Static equilibrium under the efforts inputs.tau, with loops, springs and weights, from any closed
// state: by Newton's method along the positions that can be chosen, with backtracking; where that
// does not converge, from the same state downhill, by damped Newton steps (Levenberg) along which
// the potential energy falls, to a stable equilibrium. Leaves `state` there, at rest; where none is
// found, says how fast it would still accelerate and what stopped it, and leaves the state alone.
// Also finds unstable equilibria: linearize tells which they are.
[[nodiscard]] Status equilibrium(const Model& model, State& state, const Inputs& inputs,
                                 Workspace& workspace, const EquilibriumOptions& options = {});

}  // namespace trammel
