// Kernels of the functions of this folder for any scalar: double, Dual, Expr. They are compiled
// once, not for each instruction set; those of kernel/ are the fast ones.
#pragma once

#include "trammel/dynamics/articulated_inertias.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/kernel/pivot.hpp"
#include "trammel/dynamics/momentum.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel::kernel {

// Spatial velocity and acceleration of a frame A; X_BA is the pose of frame A on body `body` of the
// tree.
template <Scalar S>
Motion<S> velocity(const BasicKinematics<S>& kinematics, int body, const Pose<S>& X_BA, Axes axes);
template <Scalar S>
Motion<S> acceleration(const BasicKinematics<S>& kinematics, int body, const Pose<S>& X_BA,
                       Axes axes);

// Jacobian of a frame A; X_BA is the pose of frame A on body `body` of the tree; J holds one
// Motion per column.
template <Scalar S>
void jacobian(const Model& model, const BasicPositions<S>& positions, int body, const Pose<S>& X_BA,
              Axes axes, std::span<Motion<S>> J);

// Kinetic and potential energy, without springs of loop joints, whose coordinates the constraint
// module has. z: states of force elements; empty if the model has none.
template <Scalar P, Scalar S>
BasicEnergy<S> energy(const KernelInput<P, S>& input, In<S> q, const BasicKinematics<S>& kinematics,
                      In<S> z = {});

// Momentum, and motion of the center of mass.
template <Scalar P, Scalar S>
BasicMomentum<S> momentum(const KernelInput<P, S>& input, const BasicKinematics<S>& kinematics);
template <Scalar P, Scalar S>
BasicCenterOfMass<S> center_of_mass(const KernelInput<P, S>& input,
                                    const BasicKinematics<S>& kinematics);

// Joint reactions for any scalar. `on_body`: in, the external force on each named body, at its
// origin in its axes; out, the force through its inboard joint.
template <Scalar P, Scalar S>
void reactions(const KernelInput<P, S>& input, const BasicKinematics<S>& kinematics,
               std::span<Force<S>> on_body, std::span<Force<S>> out);

// Hybrid dynamics: the articulated-body algorithm in which a prescribed joint passes its body's
// inertia to the parent undiminished [RBDA, table 9.1].
// In: a of the prescribed joints, tau of the others. Out: the unknown half of both vectors.
template <Scalar P, Scalar S>
Pivots hybrid_dynamics(const KernelInput<P, S>& input, In<S> q, In<S> v, BasicWorkspace<S>& ws,
                       Out<S> a, Out<S> tau);

// P_k = M_k + sum over children of Psi^T P Psi, by one outward and one inward pass [Yesiloglu 2007,
// (3.1)-(3.3), corrected for mobile bases and joints of several degrees of freedom]. Cost
// O(bodies); allocates nothing.
template <Scalar P, Scalar S>
Pivots articulated_inertias(const KernelInput<P, S>& input, In<S> q, BasicWorkspace<S>& ws,
                            BasicArticulatedInertias<S>& out);

// M^-1 tau by one inward and one outward pass with the given factors. Cost O(bodies); allocates
// nothing.
template <Scalar S>
void solve_mass_matrix(const Model& model, const BasicArticulatedInertias<S>& factors, In<S> tau,
                       BasicWorkspace<S>& ws, Out<S> a);

// M = L^T D L with L = 1 + K Phi H, unit lower triangular in the order of v [Yesiloglu 2007,
// (3.34)], and M^-1 = L^-1 D^-1 L^-T with L^-1 = 1 - K Psi H [Yesiloglu 2007, (3.38)]. Cost O(nv *
// depth).
template <Scalar S>
void mass_matrix_factor(const Model& model, const BasicArticulatedInertias<S>& factors,
                        MatrixSpan<S> L, MatrixSpan<S> D);
template <Scalar S>
void mass_matrix_inverse_factor(const Model& model, const BasicArticulatedInertias<S>& factors,
                                MatrixSpan<S> L_inverse, MatrixSpan<S> D_inverse);

// Inverse operational-space inertia of a frame A on body b, given by X_BA: its acceleration per
// unit wrench,
//   Lambda^-1 = J M^-1 J^T = K^T K with K = D^-1/2 H Psi B   [Rodriguez 1988, (8.8)], R-41,
// at A's origin in A's axes, by an inward pass along the path to ground only. Cost O(depth).
template <Scalar S>
void operational_space_inertia_inverse(const Model& model,
                                       const BasicArticulatedInertias<S>& factors, int body,
                                       const Pose<S>& X_BA, MatrixSpan<S> out);

}  // namespace trammel::kernel
