// Condition of the independent constraint rows: how many digits it leaves in accelerations, efforts
// and reactions. Near a singular pose these rows are nearly dependent.
#pragma once

#include "trammel/constraint/rank_plan.hpp"
#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

// Relative error of accelerations that errors of the plan's rows may cause, to first order
// [Golub, Van Loan, 5.3]: the norm of their bounds (rounding, and loops that do not quite close) to
// the smallest singular value of these rows in the metric of inertia. Relative to the accelerations
// with and without loops, whichever is larger. 0 without rows.
double relative_error(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M, const RowScales& scales,
                      const RankPlan& plan);

// Decimal digits that this error leaves at least at a state: from 0 to the 15 of a double; 0 where
// rows are undecided, for these may change the whole answer. Cost: a QR decomposition and singular
// values of the rows.
[[nodiscard]] Status remaining_digits(const Model& model, const State& state, Workspace& workspace,
                                      double& out);
// Fewer than these are reported.
constexpr double few_digits = 6;

}  // namespace trammel
