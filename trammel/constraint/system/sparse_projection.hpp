// Projection onto the constraint manifold by the sparse solver, for mechanisms that it solves
// faster than the recursive and dense ones. Internal to constraint/.
#pragma once

#include "trammel/constraint/solver/sparse_solver.hpp"
#include "trammel/constraint/system/constraint_evaluation.hpp"

namespace trammel {

// As RecursiveSolver::closes() and keeps_closed(): Newton steps of positions to a violation below
// `violation`, then one step of velocities, each the least change in the mass metric,
//
//   M d = J^T lambda ,   J d = -c  or  -J v
//
// on the rows of the solver. For models without prescribed motions. False, and the state is of no
// use, if the steps do not converge or a row is weak: at a pose near a singular one, or with more
// independent rows than the solver has. Allocates nothing after the first call.
[[nodiscard]] bool project_sparse(const Model& model, State& state, Workspace& workspace,
                                  ConstraintEvaluation& evaluation, SparseSolver& solver,
                                  double violation);

}  // namespace trammel
