#pragma once

#include <Eigen/Core>

#include "trammel/dynamics/articulated_inertias.hpp"
#include "trammel/dynamics/inputs.hpp"

namespace trammel {

// How heavy is the mechanism for its own freedoms?  M(q), nv x nv, symmetric and positive
// semidefinite, by composite rigid bodies [RBDA, table 6.2]. Cost O(bodies * depth); allocates
// nothing.
[[nodiscard]] Status mass_matrix(const Model& model, const State& state, Workspace& workspace,
                                 Eigen::Ref<Eigen::MatrixXd> M);

// How does every body feel through its joints? The stage that every inverse of M is made of.
// Cost O(bodies); allocates nothing. Fails where a freedom meets no inertia, naming it.
[[nodiscard]] Status articulated_inertias(const Model& model, const State& state,
                                          Workspace& workspace, ArticulatedInertias& out);

// M^-1, nv x nv. Cost O(nv * bodies).
[[nodiscard]] Status mass_matrix_inverse(const Model& model, const ArticulatedInertias& factors,
                                         Workspace& workspace,
                                         Eigen::Ref<Eigen::MatrixXd> M_inverse);

// M = L^T D L, with L unit lower triangular in the order of v and D of one block a joint:
// L = 1 + K Phi H of the spatial-operator theses [seed 000 (3.34)].
[[nodiscard]] Status mass_matrix_factors(const Model& model, const ArticulatedInertias& factors,
                                         Eigen::Ref<Eigen::MatrixXd> L,
                                         Eigen::Ref<Eigen::MatrixXd> D);
// M^-1 = L^-1 D^-1 L^-T with L^-1 = 1 - K Psi H [seed 000 (3.38)].
[[nodiscard]] Status mass_matrix_inverse_factors(const Model& model,
                                                 const ArticulatedInertias& factors,
                                                 Eigen::Ref<Eigen::MatrixXd> L_inverse,
                                                 Eigen::Ref<Eigen::MatrixXd> D_inverse);

}  // namespace trammel
