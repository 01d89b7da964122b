#pragma once

#include "trammel/dynamics/kernel/loops/closed_dynamics.hpp"
#include "trammel/dynamics/kernel/loops/row_components.hpp"

namespace trammel::kernel {

// Degrees of freedom with a drive, one flag each. Schedule, components and flags must outlive the
// workspace.
SealedWorkspace make_drive_workspace(const Model& model, const EliminationSchedule& schedule,
                                     const RowComponents& components,
                                     std::span<const char> is_driven);
SealedWorkspace make_drive_batch_workspace(const Model& model, const EliminationSchedule& schedule,
                                           const RowComponents& components,
                                           std::span<const char> is_driven);

// Residuals of a motion, and whether the result is valid: sums of squares of the violations of all
// rows in position, velocity and acceleration.
struct MotionResiduals {
  double position = 0, velocity = 0, acceleration = 0;
  bool is_sure = false;
};

// Inverse dynamics of mechanisms with loops: minimum-norm efforts u of the drives that produce the
// motion with accelerations a.
//
// `tau` holds on entry the efforts f of the motion on the tree without loops, by the
// recursive Newton-Euler algorithm. With T, an orthonormal basis of the motions that the rows allow
// (J T = 0), and E, the columns of the identity at the driven degrees of freedom, the drives
// satisfy
//
//   (T^T E) u = T^T f ,   |u| minimal,
//
// one system for each connected component of the rows; T is the last part of Q in J^T = Q R, and
// (E^T T) = Q' R' gives u = Q' R'^-T T^T f. On return `tau` holds u, zero where there is no drive.
// is_sure is false, and the column of no use, where the drives cannot produce the motion, or the
// rank of the rows is not beyond doubt that of the components. Rows of the kinds `given` and `dof`
// are not supported; each component has at least as many drives as degrees of freedom. Cost
// O(bodies) and, per component, O(degrees of freedom * rows^2). Allocates nothing.
MotionResiduals closed_inverse_dynamics(const KernelInput<double, double>& input, In<double> q,
                                        In<double> v, In<double> a, void* workspace,
                                        Out<double> tau);
// The same for many states in SIMD lanes.
void closed_inverse_dynamics_batch(const Batch& batch, const double* a, void* workspace,
                                   double* tau, MotionResiduals* residuals);

}  // namespace trammel::kernel
