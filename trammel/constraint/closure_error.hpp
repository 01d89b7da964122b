#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// How far is a state from closed? The largest row, turns measured by the model's characteristic
// length. Zero of a tree.
struct ClosureError {
  double position = 0;  // [m]
  double velocity = 0;  // [m/s]
};
ClosureError closure_error(const Model& model, const State& state, Workspace& workspace);

}  // namespace trammel
