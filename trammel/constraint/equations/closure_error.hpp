#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Largest constraint violation of a state over its rows, without those of prescribed and locked
// joints; angles times the model's characteristic length. Zero for a tree.
struct ClosureError {
  double position = 0;  // [m]
  double velocity = 0;  // [m/s]
};
ClosureError closure_error(const Model& model, const State& state, Workspace& workspace);

}  // namespace trammel
