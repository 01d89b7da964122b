#pragma once

#include <Eigen/Core>

#include "trammel/dynamics/articulated_inertias.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Mass matrix M(q), nv x nv, symmetric and positive semidefinite, by the composite-rigid-body
// algorithm (CRBA) [RBDA, table 6.2]; equations in docs/theory/mass-matrix.md. Cost O(bodies *
// depth); allocates nothing.
[[nodiscard]] Status mass_matrix(const Model& model, const State& state, Workspace& workspace,
                                 Eigen::Ref<Eigen::MatrixXd> M);

// Articulated-body inertias of all bodies, the factors of which every product with M^-1 is made
// (ABA pass 2 without velocities). Cost O(bodies); allocates nothing. Fails if a degree of freedom
// moves no inertia and names it.
[[nodiscard]] Status articulated_inertias(const Model& model, const State& state,
                                          Workspace& workspace, ArticulatedInertias& out);

// M^-1, nv x nv, one solve a column. Cost O(nv * bodies).
[[nodiscard]] Status mass_matrix_inverse(const Model& model, const ArticulatedInertias& factors,
                                         Workspace& workspace,
                                         Eigen::Ref<Eigen::MatrixXd> M_inverse);

// Factors of M = L^T D L: L = 1 + K Phi H unit lower triangular in the order of v, D with one block
// a joint [Yesiloglu 2007, (3.34)].
[[nodiscard]] Status mass_matrix_factors(const Model& model, const ArticulatedInertias& factors,
                                         Eigen::Ref<Eigen::MatrixXd> L,
                                         Eigen::Ref<Eigen::MatrixXd> D);
// Factors of M^-1 = L^-1 D^-1 L^-T with L^-1 = 1 - K Psi H [Yesiloglu 2007, (3.38)].
[[nodiscard]] Status mass_matrix_inverse_factors(const Model& model,
                                                 const ArticulatedInertias& factors,
                                                 Eigen::Ref<Eigen::MatrixXd> L_inverse,
                                                 Eigen::Ref<Eigen::MatrixXd> D_inverse);

}  // namespace trammel
