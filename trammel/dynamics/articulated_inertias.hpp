// The mass matrix in factors, body by body: what the spatial-operator theses call P, D, G (here W)
// and Psi, and what every inverse of M is made of.
#pragma once

#include <array>
#include <vector>

#include "trammel/dynamics/kernel/pivot.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// A stage: how each body feels through its joints at one position.
template <Scalar S> struct BasicArticulatedInertias {
  explicit BasicArticulatedInertias(const Model& model)
      : X_PB(model.bodies().size(), Pose<S>::identity()),
        I_A(model.bodies().size()),
        freedoms(model.bodies().size()),
        axes(std::size_t(model.nv())),
        W(std::size_t(model.nv())),
        D(std::size_t(model.nv())),
        D_inverse(std::size_t(model.nv())) {}

  std::vector<Pose<S>> X_PB;                // each body in its parent
  std::vector<ArticulatedInertia<S>> I_A;   // P: the articulated inertia of each body
  std::vector<int> freedoms;                // of each body's joint
  std::vector<Motion<S>> axes;              // per freedom: S_k in its body's axes
  std::vector<Force<S>> W;                  // per freedom: column k of G = P H D^-1
  std::vector<std::array<S, 6>> D;          // per freedom: its row of D = H^T P H within the joint
  std::vector<std::array<S, 6>> D_inverse;  // per freedom: its row of D^-1 within the joint
};
using ArticulatedInertias = BasicArticulatedInertias<double>;

namespace kernel {

// P_k = M_k + sum over children of Psi^T P Psi, by one outward and one inward sweep
// [seed 000 (3.1)-(3.3), corrected for mobile bases and joints of several freedoms].
// Cost O(bodies); allocates nothing.
template <Scalar P, Scalar S>
Pivots articulated_inertias(const Scene<P, S>& scene, In<S> q, BasicWorkspace<S>& ws,
                            BasicArticulatedInertias<S>& out);

// M^-1 tau, by two sweeps that reuse the factors. Cost O(bodies); allocates nothing.
template <Scalar S>
void solve_mass_matrix(const Model& model, const BasicArticulatedInertias<S>& factors, In<S> tau,
                       BasicWorkspace<S>& ws, Out<S> a);

// M = L^T D L with L = 1 + K Phi H, unit lower triangular in the order of v [seed 000 (3.34)], and
// M^-1 = L^-1 D^-1 L^-T with L^-1 = 1 - K Psi H [seed 000 (3.38)]. Cost O(nv * depth).
template <Scalar S>
void mass_matrix_factor(const Model& model, const BasicArticulatedInertias<S>& factors,
                        MatrixSpan<S> L, MatrixSpan<S> D);
template <Scalar S>
void mass_matrix_inverse_factor(const Model& model, const BasicArticulatedInertias<S>& factors,
                                MatrixSpan<S> L_inverse, MatrixSpan<S> D_inverse);

// How a place A on body b, given by X_BA, accelerates under a unit wrench there:
//   Lambda^-1 = J M^-1 J^T = K^T K with K = D^-1/2 H Psi B   [seed 002 (8.8), R-41],
// told at A in A's axes, carried inward along the path to ground only. Cost O(depth).
template <Scalar S>
void operational_inertia_inverse(const Model& model, const BasicArticulatedInertias<S>& factors,
                                 int body, const Pose<S>& X_BA, MatrixSpan<S> out);

}  // namespace kernel

}  // namespace trammel
