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
  Eigen::MatrixXd dq;      // nv x mobility: with respect to a motion along each column of T
  Eigen::MatrixXd dv;      // nv x mobility: with respect to u
  Eigen::MatrixXd dtau;    // nv x nv
  Eigen::MatrixXd T;       // nv x mobility: the null-space basis
  Eigen::MatrixXd v_by_q;  // nv x mobility: change of the velocities for a motion along T
  Eigen::VectorXd a;       // nv: the accelerations themselves
};
// Implicit derivative of M a + h = tau + J^T lambda, J a = gamma, exact to rounding, including
// everything forward_dynamics covers: forces between bodies, wrenches (those given in world axes
// stay constant there), wheels, prescribed and locked joints. `complement` is evaluated at the same
// state. Not differentiable where a contact begins. Fails for force elements with states of their
// own: accelerations would also depend on these.
//
// Loop joints without springs, distances and couplings on the tree, up to 512 degrees of freedom:
// in closed form, directions in SIMD lanes (docs/theory/derivatives.md, (10) to (16)), O(bodies
// mobility) and a QR decomposition of the rows of each component; allocates nothing once `out` has
// its size. Everything else: Dual numbers, dense.
[[nodiscard]] Status constrained_derivatives(const Model& model, const State& state,
                                             const Inputs& inputs,
                                             const OrthogonalComplement& complement,
                                             Workspace& workspace, ConstrainedDerivatives& out);

// The same along an orthonormal null-space basis, which is computed here: out.T.
[[nodiscard]] Status constrained_derivatives(const Model& model, const State& state,
                                             const Inputs& inputs, Workspace& workspace,
                                             ConstrainedDerivatives& out);

}  // namespace trammel
