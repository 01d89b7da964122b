// Subsystems of a model: sets of bodies that move without effect on each other.
#pragma once

#include <vector>

#include "trammel/model/model.hpp"

namespace trammel {

// Subsystem of each degree of freedom, numbered from 0. Bodies belong to one subsystem if they hang
// from ground by the same joint, or if a constraint or a force element connects them; ground
// connects none. Accelerations of one subsystem depend on the state and the inputs of no other.
// O(bodies + constraints).
std::vector<int> subsystems_of_dofs(const Model& model);

}  // namespace trammel
