// Finite mobility at a pose with dependent rows: the local dimension of the constraint set.
// Internal to the constraint module.
//
// Near the pose the solution set is one manifold or several that meet; finite mobility is the
// largest of their dimensions. At the pose itself the tangent space is too large: tangents of all
// branches begin there, and some tangents belong to no branch (shaky). So steps are taken along
// random combinations of the tangents and projected back: almost surely such a step ends on one
// branch away from intersections, even if the mechanism has further dofs outside the loop. There
// the directions that can be followed are counted.
#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

struct FiniteMobility {
  int ways = 0;
  bool branches_meet = false;  // the directions that can be followed exceed any one branch
};
// At a closed position with instantaneous mobility `instantaneous`.
FiniteMobility finite_mobility(const Model& model, const std::vector<double>& q, int instantaneous,
                               Workspace& workspace);

}  // namespace trammel
