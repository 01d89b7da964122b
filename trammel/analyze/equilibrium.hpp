#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Options of the search for an equilibrium: number of steps of each of its two methods, and the
// largest change of an independent position in one step.
struct EquilibriumOptions {
  int steps = 300;            // at most
  double longest_step = 0.3;  // [rad]; times the characteristic length if that is below 1 m
};

// Static equilibrium under the efforts inputs.tau, with loops, springs and weights, from any
// assembled state. Newton's method in the independent positions, with backtracking; if that does
// not converge, damped Newton steps (Levenberg) from the same state along which the potential
// energy falls, to a stable equilibrium. Leaves `state` there, at rest; if none is found, the
// failure has the remaining acceleration and the reason, and the state is unchanged. Unstable
// equilibria are found as well: linearize tells them apart.
[[nodiscard]] Status equilibrium(const Model& model, State& state, const Inputs& inputs,
                                 Workspace& workspace, const EquilibriumOptions& options = {});

}  // namespace trammel
