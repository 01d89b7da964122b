#pragma once

#include "trammel/constraint/complement.hpp"

namespace trammel {

// How do the accelerations of a mechanism with loops change, as far as it can go?
//
// A state with closed loops and wheels has neighbours only along T
// (trammel/constraint/complement.hpp, as it is given): positions move by T, velocities along, so
// that the loops stay closed and u stays what it was; or u changes. What efforts do is told for all
// freedoms.
struct ConstrainedDerivatives {
  Eigen::MatrixXd dq;    // nv x ways to move: by a motion along each column of T
  Eigen::MatrixXd dv;    // nv x ways to move: by each of u
  Eigen::MatrixXd dtau;  // nv x nv
};
// `complement` of the same state. The implicit derivative of M a + h = tau + J^T lambda, J a =
// gamma by Dual numbers, exact to rounding, of all that forward_dynamics answers for: forces
// between bodies, wrenches (those told in world axes stay so), wheels, planned and locked joints.
// Where a contact sets in there is no slope.
[[nodiscard]] Status constrained_derivatives(const Model& model, const State& state,
                                             const Inputs& inputs, const Complement& complement,
                                             Workspace& workspace, ConstrainedDerivatives& out);

}  // namespace trammel
