// Initial state of a run with prescribed motions.
#pragma once

#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/simulate/inputs/simulation_inputs.hpp"

namespace trammel {

// Moves an assembled initial state to the start of the prescribed motions: joints driven by motion
// are led there by continuation, the others follow. Joints of `given` stay: if a prescribed motion
// starts at another position than the given one, or with another velocity, the failure names the
// joint, both values and the input. Velocities are left unchanged.
[[nodiscard]] Status start_prescribed(const Model& model, const SimulationInputs& run_inputs,
                                      const AssemblyOptions& given, State& state,
                                      Workspace& workspace);

}  // namespace trammel
