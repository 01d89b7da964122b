// Diagnosis of a failed assembly. Internal to the constraint module.
#pragma once

#include "trammel/constraint/assembly/assembly.hpp"

namespace trammel {

// Retries a failed assembly without the fixed joints, and without each lock, prescribed motion or
// coupling alone, and returns a message that names those whose removal lets it succeed, and the
// next step. Empty if there are none, or if it fails without all of them.
std::string assembly_blockers(const Model& model, Workspace& workspace,
                              const AssemblyOptions& options, const std::vector<double>& guess);

}  // namespace trammel
