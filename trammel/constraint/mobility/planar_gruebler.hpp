// Gruebler's count of a planar mechanism, in which all bodies move in parallel planes.
#pragma once

#include <optional>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// nv minus the number of constraint rows that restrict motions in the plane: of the wrenches of
// each constraint, without forces along the normal and moments across it, the rank, at most 3.
// None if the mechanism is not planar: rotation axes that are not parallel, or slides along them.
// None, too, where the positions are none that kinematics accepts. The state must satisfy the
// constraints. Cost: O(dofs + rows).
std::optional<int> planar_gruebler(const Model& model, const State& state, Workspace& workspace);

}  // namespace trammel
