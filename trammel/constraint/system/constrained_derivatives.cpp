#include "trammel/constraint/system/constrained_derivatives.hpp"

#include "trammel/constraint/solver/acceleration_derivatives.hpp"

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

}  // namespace

Status constrained_derivatives(const Model& model, const State& state, const Inputs& inputs,
                               const OrthogonalComplement& complement, Workspace& workspace,
                               ConstrainedDerivatives& out) {
  const EvalContext context("constrained_derivatives", model, state, inputs, workspace,
                            Constraints::honored, Forces::acting);
  if (!context.ok()) return context.status();
  if (Status status = without_element_states("constrained_derivatives", model); !status)
    return status;
  if (complement.T.rows() != model.nv())
    return Status::failure(
        "constrained_derivatives: the complement is of another model: compute it at this state");
  const AccelerationDerivatives derivatives(context, workspace, complement.basis, complement.T);
  if (!derivatives.status().ok()) return derivatives.status();

  // local coordinates: motions along T with u constant, then changes of u
  const Eigen::MatrixXd& T = complement.T;
  const Eigen::Index ways = T.cols();
  Eigen::MatrixXd dq = Eigen::MatrixXd::Zero(T.rows(), 2 * ways), dv = dq, a_dot;
  dq.leftCols(ways) = T;
  dv.leftCols(ways) =
      with_u_as_it_was(complement, derivatives.least_velocities(derivatives.rates(T)));
  dv.rightCols(ways) = T;
  if (Status status = derivatives.along(dq, dv, a_dot); !status) return status;
  out.dq = a_dot.leftCols(ways);
  out.dv = a_dot.rightCols(ways);
  out.dtau = derivatives.by_efforts();
  return {};
}

}  // namespace trammel
