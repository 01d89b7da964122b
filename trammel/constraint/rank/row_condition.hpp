// Condition of the independent constraint rows: how many digits it leaves in accelerations, efforts
// and reactions. Near a singular pose these rows are nearly dependent.
#pragma once

#include "trammel/constraint/rank/row_basis.hpp"
#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

// First-order bound of the relative error of accelerations due to errors of the basis rows
// [Golub, Van Loan, 5.3]: norm of the rows' error bounds (rounding, constraint violation) divided
// by the smallest singular value of these rows in the mass metric. Relative to the accelerations
// with and without loops, whichever is larger. 0 without rows.
double relative_error(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M, const RowScales& scales,
                      const RowBasis& basis);

// Lower bound of the decimal digits that this error leaves at a state: 0 to the 15 of a double; 0
// where rows are undecided, because these may change the whole result. Cost: a QR decomposition and
// the singular values of the rows.
[[nodiscard]] Status remaining_digits(const Model& model, const State& state, Workspace& workspace,
                                      double& out);
// Results with fewer digits are reported.
constexpr double few_digits = 6;

}  // namespace trammel
