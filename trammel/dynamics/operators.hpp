// Spatial operators of a tree as explicit matrices: those of [Yesiloglu 2007, chapters 2 and 3],
// corrected for mobile bases and joints of several degrees of freedom, and of [Rodriguez 1988]. For
// study and tests: the recursive algorithms of this module evaluate products of these operators
// without forming them.
#pragma once

#include <Eigen/Core>

#include "trammel/dynamics/articulated_inertias.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Stacked over the n bodies of the tree (without ground), six rows each, angular part first, at the
// body's joint, in world axes. Columns of H are in the order of v. A floating base is simply the
// first body: its block of P is its articulated inertia.
struct SpatialOperators {
  Eigen::MatrixXd H;      // 6n x nv: joint axes (motion subspaces); block diagonal
  Eigen::MatrixXd E_phi;  // 6n x 6n: shift from each body's parent to the body; nilpotent
  Eigen::MatrixXd Phi;    // (1 - E_phi)^-1: from every body to all bodies outboard of it
  Eigen::MatrixXd M;      // 6n x 6n: spatial inertias of the single bodies
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

// Velocity-dependent terms in the same order, with ordinary time derivatives in world axes:
//   dV/dt = Phi (H a + bias_acceleration),   F = Phi^T (M dV/dt + bias_force)
// and tau = H^T F; bias_acceleration contains no gravity [Yesiloglu 2007, sections 3.2 and 3.3].
struct SpatialBias {
  Eigen::VectorXd acceleration;  // 6n
  Eigen::VectorXd force;         // 6n
};
[[nodiscard]] Status spatial_bias(const Model& model, const State& state, Workspace& workspace,
                                  SpatialBias& out);

// Shift operator from a body to a frame on it: [omega; v] of the frame = this 6 x 6n matrix times
// V.
[[nodiscard]] Status place_operator(const Model& model, const State& state, const FrameRef& place,
                                    Workspace& workspace, Eigen::Ref<Eigen::MatrixXd> out);

// Transmission form of [Gutenkunst 2012, section 3.6], corrected: stacked over the named bodies
// (without ground) in their own frames, six rows each, linear part FIRST, in the order of
// Model::named_bodies().
struct TransmissionForm {
  Eigen::MatrixXd G;    // 6n x 6n: block (j, i) maps the twist of i to j if i is inboard of j
  Eigen::MatrixXd G_0;  // 6n x 6: from ground to every body
  Eigen::MatrixXd S;    // 6n x nv: joint twists, each in the frame of the body it moves
  Eigen::MatrixXd M;    // 6n x 6n: generalized mass matrices of the bodies
  Eigen::MatrixXd A_1;  // 6n x 6n: -ad of the joint's own twist
  Eigen::MatrixXd A_2;  // 6n x 6n: -ad^T of the body's twist
  Eigen::VectorXd V;    // 6n: twists

  // M(q) = S^T G^T M G S,   C(q, v) = S^T G^T (M G A_1 + A_2 M) G S, N(q) = S^T G^T M G_0 [-g; 0].
  // Only the product C v is unique; C itself is one of many choices.
  Eigen::MatrixXd mass_matrix() const;
  Eigen::MatrixXd coriolis_matrix() const;
  Eigen::VectorXd gravity_load(const Vec3<double>& gravity) const;
};
// For trees of joints with constant axes (S constant); fails naming a joint whose axes change.
[[nodiscard]] Status transmission_form(const Model& model, const State& state, Workspace& workspace,
                                       TransmissionForm& out);

}  // namespace trammel
