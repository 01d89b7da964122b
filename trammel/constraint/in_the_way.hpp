// What is in the way of closing? For this room only.
#pragma once

#include "trammel/constraint/assembly.hpp"

namespace trammel {

// From a guess that does not close: what it would close without, of joints that are kept, locked
// or planned and of couplings, in a sentence that says what to do. Empty if none of them is in the
// way. By trying.
std::string in_the_way(const Model& model, Workspace& workspace, const AssemblyOptions& options,
                       const std::vector<double>& guess);

}  // namespace trammel
