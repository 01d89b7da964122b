#pragma once

#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Joint reactions of the motion with accelerations inputs.a.
//
// A reaction is the wrench of the parent on the child at the joint's moving frame M (its frame on
// the child), in M's axes: all six components, those along the degrees of freedom included (they
// are the total effort: actuator and passive). One per joint of Model::joints(), fixed joints too.
// By the Newton-Euler equations of every named body [van der Merwe 1995, eq. 4.29-4.32]. Cost
// O(bodies); allocates nothing once `out` has its size.
[[nodiscard]] Status reactions(const Model& model, const State& state, const Inputs& inputs,
                               Workspace& workspace, std::vector<Force<double>>& out);

}  // namespace trammel
