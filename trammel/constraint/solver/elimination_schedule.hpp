// Elimination schedule of the constraint rows: the body at which each multiplier is solved for
// during the inward recursion of dynamics/kernel/closed_dynamics. The schedule determines the
// solver.
#pragma once

#include <optional>

#include "trammel/base/sparse_rows.hpp"
#include "trammel/constraint/solver/dense_solvers.hpp"
#include "trammel/dynamics/kernel/loops/elimination_schedule.hpp"
#include "trammel/model/model.hpp"

namespace trammel {

struct Elimination {
  kernel::EliminationSchedule schedule;
  ConstraintSolver solver = ConstraintSolver::schur;
  std::vector<int> rows;  // indices in ConstraintRows of the rows solved for, group by group
  // Rows that the recursion does not compute itself: those of the kind `given`.
  struct Given {
    int row, group, row_of_group;
  };
  std::vector<Given> given;
};

// Builds the schedule for the rows of the row basis, with J at the closed state of that basis.
//
// `schur`: all rows at ground, at the end. `star`: a loop one side of which has been eliminated
// down to ground is solved at the body on its other side: many arms on one object. `cluster`: at
// the body that carries the whole loop. Automatic: each constraint at the first body where it can
// be solved. None if the requested solver has no stage of its own on this model.
std::optional<Elimination> eliminate_rows(const Model& model, const RowBasis& basis,
                                          const SparseRows& J, ConstraintSolver solver);

}  // namespace trammel
