// The start of a run and the prescribed motions of its joints.
#pragma once

#include "trammel/constraint/assembly.hpp"
#include "trammel/simulate/drives.hpp"

namespace trammel {

// Brings a closed start to where prescribed motions begin: joints driven by motion are led there by
// continuation, the others follow. Joints of `given` stay: where a prescribed motion begins
// elsewhere than the given position, or with another velocity than the given one, the failure names
// the joint, both values and the input. Velocities are left as they are.
[[nodiscard]] Status start_prescribed(const Model& model, const Drives& drives,
                                      const AssemblyOptions& given, State& state,
                                      Workspace& workspace);

}  // namespace trammel
