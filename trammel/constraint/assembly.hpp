#pragma once

#include <span>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

struct AssemblyOptions {
  std::vector<JointId> keep = {};  // joints that stay where they are
  int steps = 200;                 // at most
};

// Closes all loops from a rough guess, then makes the velocities keep them closed.
//
// By Newton's method on the position, the smallest step first in every coordinate (slides measured
// in the mechanism's length), halved while the gap would grow. What cannot be closed is told: which
// loop, how wide the gap stays; `state` is then the nearest configuration found.
[[nodiscard]] Status assemble(const Model& model, State& state, Workspace& workspace,
                              const AssemblyOptions& options = {});

// Where the description says that motion starts, put together: what it says is kept. On a tree, its
// start_state.
[[nodiscard]] Status assembled_start(const Model& model, Workspace& workspace, State& out);

}  // namespace trammel
