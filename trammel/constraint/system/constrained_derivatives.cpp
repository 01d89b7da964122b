#include "trammel/constraint/system/constrained_derivatives.hpp"

#include "trammel/constraint/solver/acceleration_derivatives.hpp"
#include "trammel/constraint/system/closed_form_derivatives.hpp"
#include "trammel/constraint/system/constrained_system.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Removes the part of velocities that changes u: at the independent joints, or along an orthonormal
// T.
Eigen::MatrixXd with_u_as_it_was(const OrthogonalComplement& complement, const Eigen::MatrixXd& v) {
  if (complement.independent.empty()) return v - complement.T * (complement.T.transpose() * v);
  Eigen::MatrixXd u(complement.T.cols(), v.cols());
  for (Eigen::Index k = 0; k < u.rows(); ++k)
    u.row(k) = v.row(complement.independent[std::size_t(k)]);
  return v - complement.T * u;
}

// In closed form where that applies. A failure is that of the arguments.
Status try_closed_form(const Model& model, const State& state, const Inputs& inputs,
                       const OrthogonalComplement* complement, Workspace& workspace,
                       ConstrainedDerivatives& out, bool& is_done) {
  const EvalContext context("constrained_derivatives", model, state, inputs, workspace,
                            Constraints::honored_unchecked, Forces::acting);
  if (!context.ok()) return context.status();
  is_done = derivatives_in_closed_form(context, workspace, complement, out);
  return {};
}

Status differentiate_by_duals(const Model& model, const State& state, const Inputs& inputs,
                              const OrthogonalComplement& complement, Workspace& workspace,
                              ConstrainedDerivatives& out) {
  const EvalContext context("constrained_derivatives", model, state, inputs, workspace,
                            Constraints::honored, Forces::acting);
  if (!context.ok()) return context.status();
  const AccelerationDerivatives derivatives(context, workspace, complement.basis, complement.T);
  if (!derivatives.status().ok()) return derivatives.status();

  // local coordinates: motions along T with u constant, then changes of u
  const Eigen::MatrixXd& T = complement.T;
  const Eigen::Index ways = T.cols();
  Eigen::MatrixXd dq = Eigen::MatrixXd::Zero(T.rows(), 2 * ways), dv = dq, a_dot;
  out.T = T;
  out.v_by_q = with_u_as_it_was(complement, derivatives.least_velocities(derivatives.rates(T)));
  dq.leftCols(ways) = T;
  dv.leftCols(ways) = out.v_by_q;
  dv.rightCols(ways) = T;
  if (Status status = derivatives.along(dq, dv, a_dot); !status) return status;
  out.dq = a_dot.leftCols(ways);
  out.dv = a_dot.rightCols(ways);
  out.dtau = derivatives.by_efforts();
  out.a = derivatives.a();
  return {};
}

}  // namespace

bool derivatives_in_closed_form(const EvalContext& context, Workspace& workspace,
                                const OrthogonalComplement* complement,
                                ConstrainedDerivatives& out) {
  return workspace->constrained && workspace->constrained->system().derivatives_by_components(
                                       context, workspace, complement, out);
}

bool has_closed_form_derivatives(const Model& model, Workspace& workspace) {
  return workspace->constrained &&
         workspace->constrained->system().is_differentiated_by_components(model);
}

Status constrained_derivatives(const Model& model, const State& state, const Inputs& inputs,
                               const OrthogonalComplement& complement, Workspace& workspace,
                               ConstrainedDerivatives& out) {
  if (Status status = without_element_states("constrained_derivatives", model); !status)
    return status;
  if (complement.T.rows() != model.nv())
    return Status::failure(
        "constrained_derivatives: the complement is of another model: compute it at this state");
  bool is_done = false;
  if (Status status = try_closed_form(model, state, inputs, &complement, workspace, out, is_done);
      !status || is_done)
    return status;
  return differentiate_by_duals(model, state, inputs, complement, workspace, out);
}

Status constrained_derivatives(const Model& model, const State& state, const Inputs& inputs,
                               Workspace& workspace, ConstrainedDerivatives& out) {
  if (Status status = without_element_states("constrained_derivatives", model); !status)
    return status;
  bool is_done = false;
  if (Status status = try_closed_form(model, state, inputs, nullptr, workspace, out, is_done);
      !status || is_done)
    return status;
  OrthogonalComplement complement;
  if (Status status =
          orthogonal_complement(model, state, inputs, workspace, complement, {.orthonormal = true});
      !status)
    return status;
  return differentiate_by_duals(model, state, inputs, complement, workspace, out);
}

}  // namespace trammel
