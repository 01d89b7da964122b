#include "trammel/constraint/solver/acceleration_derivatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/solver/dual_residuals.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

AccelerationDerivatives::AccelerationDerivatives(const EvalContext& context, Workspace& workspace,
                                                 const RowBasis& basis, Eigen::MatrixXd T)
    : context_(context),
      basis_(basis),
      T_(std::move(T)),
      rows_(context.model()),
      M_(context.model().nv(), context.model().nv()) {
  const Model& model = context.model();
  ConstrainedAnswer answer;
  status_ = constrained_dynamics(model, context.state(), context.inputs(), workspace, answer);
  if (!status_.ok()) {
    status_ =
        Status::failure(context.name() + status_.message().substr(status_.message().find(':')));
    return;
  }
  a_ = std::move(answer.a);
  lambda_ = std::move(answer.lambda);
  evaluate_rows(context, workspace, rows_);
  kernel::kernels().mass_matrix(context.input(), context.q(), *workspace, span_of(M_));
  if (basis_.rank() > 0) {
    std::vector<int> dofs(std::size_t(model.nv()));
    std::iota(dofs.begin(), dofs.end(), 0);
    rows_solver_ = ComponentLeastSquares(rows_.sparse_jacobian(), basis_.rows, dofs);
  }
  if (T_.cols() > 0) inertia_.compute(T_.transpose() * M_ * T_);
  if (T_.cols() > 0 && !inertia_.is_positive_definite())
    status_ = Status::failure(
        fmt::format("{}: the mass matrix is singular along a motion that the constraints allow: "
                    "give its bodies mass",
                    context.name()));
}

Eigen::MatrixXd AccelerationDerivatives::in_basis(const Eigen::MatrixXd& all_rows) const {
  return independent_rows(all_rows, basis_);
}

Eigen::MatrixXd AccelerationDerivatives::rates(const Eigen::MatrixXd& dq) const {
  Eigen::MatrixXd out(rows_.count(), dq.cols());
  if (rows_.count() == 0) return out;
  DualResiduals residuals(context_, rows_);
  const Eigen::MatrixXd q_dot = rates_of_positions(context_, dq);
  const Eigen::MatrixXd v_dot = Eigen::MatrixXd::Zero(context_.model().nv(), dq.cols());
  for (Eigen::Index first = 0; first < dq.cols(); first += native_lanes) {
    residuals.seed(q_dot, v_dot, first);
    residuals.evaluate(a_);
    DualResiduals::write_derivatives(residuals.rows().evaluated().rate, first, out);
  }
  return out;
}

Eigen::MatrixXd AccelerationDerivatives::least_velocities(const Eigen::MatrixXd& rates) const {
  if (basis_.rank() == 0) return Eigen::MatrixXd::Zero(context_.model().nv(), rates.cols());
  return rows_solver_.solve(-in_basis(rates));
}

Status AccelerationDerivatives::along(const Eigen::MatrixXd& dq, const Eigen::MatrixXd& dv,
                                      Eigen::MatrixXd& out) const {
  Eigen::MatrixXd r(context_.model().nv(), dq.cols()), s(rows_.count(), dq.cols());
  const Eigen::MatrixXd q_dot = rates_of_positions(context_, dq);
  DualResiduals residuals(context_, rows_);
  for (Eigen::Index first = 0; first < dq.cols(); first += native_lanes) {
    residuals.seed(q_dot, dv, first);
    residuals.evaluate(a_);
    if (Status status = residuals.evaluate_efforts(lambda_); !status) return status;
    DualResiduals::write_derivatives(residuals.efforts(), first, r);
    DualResiduals::write_derivatives(residuals.rows().evaluated().acceleration, first, s);
  }
  // particular solution of J a' = -s', corrected along the null space T by the force residual
  out = least_velocities(s);
  if (T_.cols() > 0) out -= T_ * inertia_.solve(T_.transpose() * (r + M_ * out));
  if (out.allFinite()) return {};
  return Status::failure(
      fmt::format("{}: accelerations are not differentiable here: the pose is singular, or a force "
                  "sets in at this state; move away from it",
                  context_.name()));
}

Eigen::MatrixXd AccelerationDerivatives::by_efforts() const {
  if (T_.cols() == 0) return Eigen::MatrixXd::Zero(T_.rows(), T_.rows());
  return T_ * inertia_.solve(T_.transpose());
}

}  // namespace trammel
