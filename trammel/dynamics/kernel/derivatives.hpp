#pragma once

#include "trammel/dynamics/kernel/batch.hpp"
#include "trammel/dynamics/kernel/pivot.hpp"

namespace trammel::kernel {

SealedWorkspace make_derivative_workspace(const Model& model);

// How does the answer change with every position, velocity and third argument? Positions change in
// the tangent space: direction k is the motion of freedom k alone. Each matrix is nv x nv, column k
// for direction k. Efforts cost O(sum of depths), accelerations nv times that; nothing is
// allocated.
struct DerivativeMatrices {
  MatrixSpan<double> dq, dv, dx;
};
void inverse_dynamics_derivatives(const Scene<double, double>& scene, In<double> q, In<double> v,
                                  In<double> a, void* workspace, const DerivativeMatrices& tau);
Pivots forward_dynamics_derivatives(const Scene<double, double>& scene, In<double> q, In<double> v,
                                    In<double> tau, void* workspace, const DerivativeMatrices& a);

}  // namespace trammel::kernel
