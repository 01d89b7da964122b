// What kind of mechanism is it, in a few words?
#pragma once

#include <string>

#include "trammel/model/model.hpp"

namespace trammel {

// "serial chain", "tree", "floating tree", "mechanism with 1 loop", ... A chain has no body that
// carries two others; it floats if no joint but free ones holds it to ground. With loops, whether
// what is left is a chain or a tree depends on the cut, and is not told.
std::string topology_class(const Model& model);

}  // namespace trammel
