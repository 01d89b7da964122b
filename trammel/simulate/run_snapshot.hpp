#pragma once

#include <functional>

#include "trammel/dynamics/workspace.hpp"
#include "trammel/simulate/inputs/simulation_inputs.hpp"

namespace trammel {

// Snapshot of a run: a state, with the model that is valid at that time. Joints may have locked and
// grasp constraints may have been activated since the start of the run; q and v have the same
// layout in all these models.
struct RunSnapshot {
  const State& state;
  const Model& model;
  const SimulationInputs& run_inputs;
  Workspace& workspace;  // of that model
  operator const State&() const { return state; }
};

// Observer of a run, called at every sample: loops are closed, quaternions have length 1,
// prescribed joints are on their motion. A failure stops the run.
using Observer = std::function<Status(const RunSnapshot& snapshot)>;

}  // namespace trammel
