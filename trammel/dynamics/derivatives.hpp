#pragma once

#include <Eigen/Core>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// First derivatives of a vector of length nv, each nv x nv. Derivatives by positions are taken in
// the tangent space: column k of dq belongs to the motion of coordinate k alone, so quaternions
// need no chain rule.
struct Derivatives {
  Eigen::MatrixXd dq, dv;
  Eigen::MatrixXd dx;  // by the accelerations, or by the efforts
};

// Derivatives of inverse dynamics by position, velocity and acceleration (dx = M), in closed form
// after [Singh, Russell, Wensing 2022], extended to joints whose axes depend on q
// (docs/theory/derivatives.md). Cost O(bodies * depth); allocates nothing once `out` has its size.
[[nodiscard]] Status inverse_dynamics_derivatives(const Model& model, const State& state,
                                                  const Inputs& inputs, Workspace& workspace,
                                                  DerivativeWorkspace& derivative_workspace,
                                                  Derivatives& out);
// Derivatives of forward dynamics by position, velocity and effort (dx = M^-1):
//   da/dq = -M^-1 dtau/dq,   da/dv = -M^-1 dtau/dv
// at the acceleration of the state, through the factors of M^-1; M is not formed. External wrenches
// stay constant in the axes of their bodies while positions change. Cost O(nv * sum of depths), or
// O(nv^2) for long chains.
[[nodiscard]] Status forward_dynamics_derivatives(const Model& model, const State& state,
                                                  const Inputs& inputs, Workspace& workspace,
                                                  DerivativeWorkspace& derivative_workspace,
                                                  Derivatives& out);

}  // namespace trammel
