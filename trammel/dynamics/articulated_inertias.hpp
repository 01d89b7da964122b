// Articulated-body inertias and the factors of the mass matrix, body by body: P, D, G (here W) and
// Psi of [Yesiloglu 2007] and [Rodriguez 1988]. Every product with M^-1 is made of them.
#pragma once

#include <array>
#include <vector>

#include "trammel/dynamics/kernel/pivot.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Articulated-body inertias and joint factors at one position.
template <Scalar S> struct BasicArticulatedInertias {
  explicit BasicArticulatedInertias(const Model& model)
      : X_PB(model.bodies().size(), Pose<S>::identity()),
        I_A(model.bodies().size()),
        dofs(model.bodies().size()),
        axes(std::size_t(model.nv())),
        W(std::size_t(model.nv())),
        D(std::size_t(model.nv())),
        D_inverse(std::size_t(model.nv())) {}

  std::vector<Pose<S>> X_PB;                // pose of each body in its parent
  std::vector<ArticulatedInertia<S>> I_A;   // P: articulated inertia of each body
  std::vector<int> dofs;                    // degrees of freedom of each body's joint
  std::vector<Motion<S>> axes;              // per dof: S_k in its body's axes
  std::vector<Force<S>> W;                  // per dof: column k of G = P H D^-1
  std::vector<std::array<S, 6>> D;          // per dof: its row of D = H^T P H within the joint
  std::vector<std::array<S, 6>> D_inverse;  // per dof: its row of D^-1 within the joint
};
using ArticulatedInertias = BasicArticulatedInertias<double>;

namespace kernel {

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

}  // namespace kernel

}  // namespace trammel
