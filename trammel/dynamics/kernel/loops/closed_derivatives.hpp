#pragma once

#include "trammel/dynamics/kernel/loops/closed_dynamics.hpp"
#include "trammel/dynamics/kernel/loops/row_components.hpp"

namespace trammel::kernel {

// Schedule and components must outlive the workspace.
SealedWorkspace make_closed_derivative_workspace(const Model& model,
                                                 const EliminationSchedule& schedule,
                                                 const RowComponents& components);

// Null-space basis of the rows and derivatives of the accelerations along it.
struct ClosedDerivativeMatrices {
  MatrixSpan<double> T;       // nv x mobility: null-space basis, J T = 0
  MatrixSpan<double> v_by_q;  // nv x mobility: change of velocities for a motion along T
  MatrixSpan<double> dq, dv;  // nv x mobility
  MatrixSpan<double> dtau;    // nv x nv
};
// Basis of the independent velocities u, v = T u. none: computed here, orthonormal. Else T is
// given: with an identity in the rows `independent`, or orthonormal if there are none.
struct GivenBasis {
  bool is_given = false;
  std::span<const int> independent = {};
};

// Derivatives of constrained forward dynamics along the motions that the rows allow, for positions
// (velocities follow so that J v = 0 holds and u stays) and velocities, and with respect to all
// efforts (docs/theory/derivatives.md, (10) to (16)). `closed`: workspace of closed_dynamics(),
// whose last call had the same input, q and v, and gave a and lambda. False, and results of no use,
// where the rank of the rows is not beyond doubt that of the components, a motion along T moves
// nearly no inertia, or a derivative is not finite. Rows of the kinds `given` and `dof` are not
// supported. Cost O(bodies) per register of directions and, per component of n degrees of freedom,
// O(n rows^2); for the rest O(nv mobility^2). Allocates nothing.
bool closed_derivatives(const KernelInput<double, double>& input, In<double> q, In<double> v,
                        In<double> a, In<double> lambda, void* closed, const GivenBasis& basis,
                        void* workspace, const ClosedDerivativeMatrices& out);

}  // namespace trammel::kernel
