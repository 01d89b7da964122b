// Class of a mechanism in a few words.
#pragma once

#include <string>

#include "trammel/model/model.hpp"

namespace trammel {

// "serial chain", "tree", "floating tree", "mechanism with 1 loop", ... A chain has no body that
// carries two others; it floats if only free joints connect it to ground. With loops, whether the
// spanning tree is a chain depends on the cuts, and is left out.
std::string topology_class(const Model& model);

}  // namespace trammel
