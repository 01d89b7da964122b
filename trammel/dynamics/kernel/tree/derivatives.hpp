#pragma once

#include "trammel/dynamics/kernel/batch.hpp"
#include "trammel/dynamics/kernel/pivot.hpp"

namespace trammel::kernel {

SealedWorkspace make_derivative_workspace(const Model& model);

// Derivatives of inverse and forward dynamics by positions, velocities and the third argument (a or
// tau), in closed form (effort_derivatives.hpp, inverse_factor.hpp; docs/theory/derivatives.md).
// Positions change in the tangent space: direction k is the motion of degree of freedom k alone.
// Each matrix is nv x nv, column k for direction k. Cost O(sum of depths) for inverse dynamics, nv
// times that for forward dynamics (O(nv^2) for long chains); allocates nothing.
struct DerivativeMatrices {
  MatrixSpan<double> dq, dv, dx;
};
void inverse_dynamics_derivatives(const KernelInput<double, double>& input, In<double> q,
                                  In<double> v, In<double> a, void* workspace,
                                  const DerivativeMatrices& tau);
Pivots forward_dynamics_derivatives(const KernelInput<double, double>& input, In<double> q,
                                    In<double> v, In<double> tau, void* workspace,
                                    const DerivativeMatrices& a);

}  // namespace trammel::kernel
