// Consistency of redundant constraint rows with the independent ones. Internal to the constraint
// module.
#pragma once

#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/rank/row_basis.hpp"
#include "trammel/dynamics/eval_context.hpp"

namespace trammel {

// Fails if a redundant row, one outside the row basis, requires another acceleration than the rows
// it depends on: prescribed motions that contradict each other, or velocities at a singular pose
// that are tangent to none of its branches. `rows` are evaluated at zero acceleration. The message
// names every joint whose prescribed motion takes part, its value, the consistent value, and what
// to change.
[[nodiscard]] Status check_left_out_rows(const EvalContext& context, const ConstraintRows& rows,
                                         const RowBasis& basis, const Eigen::VectorXd& a);

// Whether all rows outside the basis (its rows ascending) are satisfied to rounding, as where they
// are dependent.
bool are_left_out_rows_satisfied(const ConstraintRows& rows, std::span<const int> basis,
                                 const Eigen::VectorXd& a);

// The check of check_left_out_rows for velocities, J v: used where a run has frozen the rank and
// the rows outside the basis may have become inconsistent.
[[nodiscard]] Status check_left_out_rates(const Model& model, const ConstraintRows& rows,
                                          const RowBasis& basis, std::span<const double> v);

// Name of the motion that the rows allow and that has the smallest inertia T^T M T, for messages:
// ", in which joint 'elbow' moves". Empty if the rows allow no motion.
std::string undetermined_motion(const Model& model, const Eigen::MatrixXd& M,
                                const Eigen::MatrixXd& J, const RowBasis& basis);

}  // namespace trammel
