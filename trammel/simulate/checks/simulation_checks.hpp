// Checks before a simulation. Internal to this module.
#pragma once

#include "trammel/simulate/simulate.hpp"

namespace trammel {

// Fails if options, inputs, method, checkpoint or start state do not fit the model or each other.
// Throws std::invalid_argument if the state is not of the size of the model.
[[nodiscard]] Status check_simulation(const Model& model, const State& state,
                                      const SimulationInputs& run_inputs, const RunOptions& options,
                                      Workspace& workspace, const Checkpoints& checkpoints);

}  // namespace trammel
