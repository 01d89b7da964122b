// The spatial operators of a tree as matrices one can look at: Yesiloglu's (seed 000, chapters 2
// and 3, corrected for mobile bases and joints of several freedoms) and Rodriguez's (seed 002). For
// study and for tests: every algorithm of this room is one of their products, never formed.
#pragma once

#include <Eigen/Core>

#include "trammel/dynamics/articulated_inertias.hpp"
#include "trammel/dynamics/inputs.hpp"

namespace trammel {

// Stacked over the n bodies of the tree (without ground), six rows each, angular first, at the
// body's joint, in the world's axes. Freedoms are in the order of v. A floating base is simply the
// first body: its block of P is its articulated inertia.
struct SpatialOperators {
  Eigen::MatrixXd H;      // 6n x nv: the ways the joints move; block diagonal
  Eigen::MatrixXd E_phi;  // 6n x 6n: the shift from each body's parent to it; nilpotent
  Eigen::MatrixXd Phi;    // (1 - E_phi)^-1: from every body to all that hang from it
  Eigen::MatrixXd M;      // 6n x 6n: spatial inertias of the bodies alone
  Eigen::MatrixXd P;      // 6n x 6n: articulated inertias, P = M + E_psi^T P E_psi
  Eigen::MatrixXd D;      // nv x nv: H^T P H
  Eigen::MatrixXd G;      // 6n x nv: P H D^-1, the Kalman gain of the filter
  Eigen::MatrixXd K;      // nv x 6n: G^T E_phi
  Eigen::MatrixXd E_psi;  // 6n x 6n: (1 - H G^T) E_phi; nilpotent
  Eigen::MatrixXd Psi;    // (1 - E_psi)^-1

  // V = Phi H v;  mass matrix H^T Phi^T M Phi H = (1 + K Phi H)^T D (1 + K Phi H);
  // its inverse (1 - K Psi H) D^-1 (1 - K Psi H)^T.
  Eigen::MatrixXd mass_matrix() const;
  Eigen::MatrixXd mass_matrix_inverse() const;
};
[[nodiscard]] Status spatial_operators(const Model& model, const State& state, Workspace& workspace,
                                       SpatialOperators& out);

// Velocity-dependent terms of the same stack, with ordinary derivatives in the world's axes:
//   dV/dt = Phi (H a + bias_acceleration),   F = Phi^T (M dV/dt + bias_force)
// so that tau = H^T F; bias_acceleration holds no gravity (seed 000, sections 3.2 and 3.3).
struct SpatialBias {
  Eigen::VectorXd acceleration;  // 6n
  Eigen::VectorXd force;         // 6n
};
[[nodiscard]] Status spatial_bias(const Model& model, const State& state, Workspace& workspace,
                                  SpatialBias& out);

// From body k to a place on it: [omega; v] of the place = this times the body's rows of V.
[[nodiscard]] Status place_operator(const Model& model, const State& state, const At& place,
                                    Workspace& workspace, Eigen::Ref<Eigen::MatrixXd> out);

// Gutenkunst's transmission form (seed 003, section 3.6, corrected): stacked over the named bodies
// (without ground) in their own frames, six rows each, linear part FIRST, in the order of
// Model::named_bodies().
struct TransmissionForm {
  Eigen::MatrixXd G;    // 6n x 6n: block (j, i) takes the twist of i to j if i is inboard of j
  Eigen::MatrixXd G_0;  // 6n x 6: from ground to every body
  Eigen::MatrixXd S;    // 6n x nv: the joint twists, each in the frame of the body it moves
  Eigen::MatrixXd M;    // 6n x 6n: generalised mass matrices
  Eigen::MatrixXd A_1;  // 6n x 6n: -ad of the joint's own twist
  Eigen::MatrixXd A_2;  // 6n x 6n: -ad^T of the body's twist
  Eigen::VectorXd V;    // 6n: twists

  // M(q) = S^T G^T M G S,   C(q, v) = S^T G^T (M G A_1 + A_2 M) G S,
  // N(q) = S^T G^T M G_0 [-g; 0]. Only C v is a fact: C itself is one choice among many.
  Eigen::MatrixXd mass_matrix() const;
  Eigen::MatrixXd coriolis_matrix() const;
  Eigen::VectorXd gravity_load(const Vec3<double>& gravity) const;
};
// For trees of joints with fixed axes (their S does not change); fails naming a joint that has not.
[[nodiscard]] Status transmission_form(const Model& model, const State& state, Workspace& workspace,
                                       TransmissionForm& out);

}  // namespace trammel
