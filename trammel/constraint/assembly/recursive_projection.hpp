// Projection steps onto the constraint manifold by the recursive solver's passes, in O(bodies)
// where loops are eliminated on the way. Internal to constraint/.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "trammel/base/sparse_rows.hpp"
#include "trammel/constraint/rank/row_basis.hpp"
#include "trammel/constraint/solver/elimination_schedule.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/prescribed_loop_motion.hpp"
#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/model.hpp"

namespace trammel {

namespace internal {

// project_position and project_velocity by a given method, for comparison. `recursive` fails where
// the recursion does not apply; `automatic` then takes dense matrices.
enum class Projection { automatic, dense, recursive };
[[nodiscard]] Status project_position(const Model& model, State& state, Workspace& workspace,
                                      const RowBasis* basis, const PrescribedLoopMotion& loops,
                                      Projection method);
[[nodiscard]] Status project_velocity(const Model& model, State& state, Workspace& workspace,
                                      const RowBasis* basis, const PrescribedLoopMotion& loops,
                                      Projection method);

}  // namespace internal

class RecursiveProjection {
 public:
  // For the rows of a basis, with J at a state where it was decided. nullptr if the recursion does
  // not evaluate all rows itself (wheels, curves, joints whose rows depend on their coordinates).
  static std::unique_ptr<RecursiveProjection> make(const Model& model, const RowBasis& basis,
                                                   const SparseRows& J);

  // Step d of positions at q under generalized forces f: M d = f + J^T lambda, J d = -c. False
  // where a pivot is weak.
  [[nodiscard]] bool step_position(const Model& model, std::span<const double> q,
                                   std::span<const double> f, std::span<double> d);
  // Change d of the velocities v at q: M d = J^T lambda, J d = -J v.
  [[nodiscard]] bool step_velocity(const Model& model, std::span<const double> q,
                                   std::span<const double> v, std::span<double> d);

 private:
  RecursiveProjection(const Model& model, Elimination elimination);

  Elimination elimination_;
  std::vector<double> zero_, with_, without_, lambda_;
  kernel::SealedWorkspace sweep_;
};

}  // namespace trammel
