// Derivatives of constrained forward dynamics along motions that satisfy all constraint rows, by
// implicit differentiation. With a and lambda fixed, the residuals
//
//   r = (M a + h - J^T lambda - tau)(q, v) ,   s = (J a - gamma)(q, v)
//
// are differentiated by Dual numbers along given directions, native_lanes of them at a time, and
//
//   M a' - J^T lambda' = -r' ,   J a' = -s'
//
// is solved with the independent rows by the null-space method (T with J T = 0). All forces that
// forward dynamics takes into account are in r and s. Internal to the constraint module and the
// modules built on it.
#pragma once

#include <Eigen/Core>

#include "trammel/base/component_least_squares.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/rank/row_basis.hpp"
#include "trammel/dynamics/eval_context.hpp"

namespace trammel {

class AccelerationDerivatives {
 public:
  // The context honors constraints and has forces acting; it, and the objects it refers to, must
  // outlive this object. `T`: null-space basis of the independent rows, J T = 0, nv x mobility.
  AccelerationDerivatives(const EvalContext& context, Workspace& workspace, const RowBasis& basis,
                          Eigen::MatrixXd T);

  // Failure of the constructor: no accelerations at this state, or T^T M T is singular.
  const Status& status() const { return status_; }
  const Eigen::VectorXd& a() const { return a_; }       // accelerations at the state
  const ConstraintRows& rows() const { return rows_; }  // constraint rows at the state

  // Derivative of the row velocities J v, one column per direction, when positions move along dq
  // (nv x directions, as velocities) and v stays. For joints driven by motion the current velocity
  // is the prescribed one.
  Eigen::MatrixXd rates(const Eigen::MatrixXd& dq) const;
  // Minimum-norm velocities that cancel given row velocities (rows x directions).
  Eigen::MatrixXd least_velocities(const Eigen::MatrixXd& rates) const;

  // Derivative of the accelerations when positions move along dq and velocities by dv, directions
  // along which all rows stay satisfied. Fails if the result is not finite.
  [[nodiscard]] Status along(const Eigen::MatrixXd& dq, const Eigen::MatrixXd& dv,
                             Eigen::MatrixXd& out) const;
  // Derivative of the accelerations with respect to efforts, T (T^T M T)^-1 T^T, nv x nv.
  Eigen::MatrixXd by_efforts() const;

 private:
  Eigen::MatrixXd in_basis(const Eigen::MatrixXd& all_rows) const;

  const EvalContext& context_;
  const RowBasis basis_;
  const Eigen::MatrixXd T_;
  ConstraintRows rows_;
  Eigen::MatrixXd M_;
  Eigen::VectorXd a_, lambda_;
  ComponentLeastSquares rows_solver_;
  Llt inertia_;  // T^T M T
  Status status_;
};

}  // namespace trammel
