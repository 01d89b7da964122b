#pragma once

#include "trammel/simulate/kinematic.hpp"

namespace trammel {

// Static analysis along prescribed motions: positions as in simulate_kinematic, with zero velocity
// at every sample and accelerations taken as zero (set_static). Efforts and reactions recorded
// there balance gravity, springs, wrenches and the efforts of other joints. Throws
// std::invalid_argument if set_static() was not called for the inputs.
[[nodiscard]] Status simulate_static(const Model& model, State& state,
                                     const SimulationInputs& run_inputs, const RunOptions& options,
                                     Workspace& workspace, const Observer& observer,
                                     RunStatistics& statistics,
                                     const Checkpoints& checkpoints = {});

}  // namespace trammel
