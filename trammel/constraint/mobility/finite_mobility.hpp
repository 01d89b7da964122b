// Finite mobility at a pose with dependent rows: the local dimension of the constraint set.
// Internal to the constraint module.
//
// Near the pose the solution set is one manifold or several that meet; finite mobility is the
// largest of their dimensions. At the pose itself the tangent space is too large: tangents of all
// branches begin there, and some tangents belong to no branch (shaky). So steps are taken along
// random combinations of the tangents and projected back: almost surely such a step ends on one
// branch away from intersections. There the directions that can be followed are counted.
//
// Components of the constraint Jacobian share no joint, so the solution set is the product of
// theirs. Only components with redundant rows are tested, all in the same steps.
#pragma once

#include "trammel/constraint/rank/row_basis.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

struct FiniteMobility {
  int ways = 0;
  // In some component the directions that can be followed exceed any one branch.
  bool branches_meet = false;
};
// At a closed position; `basis`: row basis there.
FiniteMobility finite_mobility(const Model& model, const std::vector<double>& q,
                               const RowBasis& basis, Workspace& workspace);

}  // namespace trammel
