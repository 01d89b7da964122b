#pragma once

#include "trammel/constraint/mobility/orthogonal_complement.hpp"

namespace trammel {

// Derivatives of constrained forward dynamics in minimal coordinates.
//
// A state that satisfies loops and wheels has neighboring states only along the null-space basis T
// (of the given orthogonal_complement). For dq, positions move along a column of T and velocities
// change so that the constraints stay satisfied and u stays the same; for dv, u changes. dtau is
// with respect to the efforts of all dofs.
struct ConstrainedDerivatives {
  Eigen::MatrixXd dq;    // nv x mobility: with respect to a motion along each column of T
  Eigen::MatrixXd dv;    // nv x mobility: with respect to u
  Eigen::MatrixXd dtau;  // nv x nv
};
// Implicit derivative of M a + h = tau + J^T lambda, J a = gamma by Dual numbers, exact to
// rounding, including everything forward_dynamics covers: forces between bodies, wrenches (those
// given in world axes stay constant there), wheels, prescribed and locked joints. `complement` is
// evaluated at the same state. Not differentiable where a contact begins. Fails for force elements
// with states of their own: accelerations would also depend on these.
[[nodiscard]] Status constrained_derivatives(const Model& model, const State& state,
                                             const Inputs& inputs,
                                             const OrthogonalComplement& complement,
                                             Workspace& workspace, ConstrainedDerivatives& out);

}  // namespace trammel
