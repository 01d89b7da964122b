// The motions that loops leave, as a basis: Saha's orthogonal complement in the tree's velocities.
#pragma once

#include "trammel/constraint/rank_plan.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

struct ComplementOptions {
  // Joints whose velocities are the independent ones; none: a well-conditioned choice is made.
  std::vector<JointId> independent = {};
  // No joint's velocities but sums of all: T^T T = 1, which exists at every state.
  bool orthonormal = false;
};

//   v = T u + planned,  a = T u' + T_dot_u,  J T = 0,  J a = gamma
//
// With independent joints T has an identity in their rows, so that u is their velocities, T is
// smooth as long as they stay independent, and the other rows tell how the dependent joints follow
// [seed 001, 3.4; seed 000, (5.39)-(5.44)]. An orthonormal basis is carried along without turning
// in itself: T^T T_dot_u = 0, so u' = T^T a.
struct Complement {
  Eigen::MatrixXd T;             // nv x ways to move
  Eigen::VectorXd T_dot_u;       // nv; accelerations of joints driven by motion are in it
  Eigen::VectorXd u;             // of the state's velocities
  Eigen::VectorXd planned;       // nv: what joints driven by motion contribute to v; zero without
  std::vector<int> independent;  // freedoms whose velocities are u; none if orthonormal
  // Smallest singular value of the chosen rows of an orthonormal T to the largest: 0 where the
  // choice fails. 1 if orthonormal.
  double least = 1;
  RankPlan plan;
};

// Fails where the joints named cannot move by themselves, and says which. Takes accelerations of
// joints driven by motion from inputs.a. Also of a tree, where T is the identity. Dense.
[[nodiscard]] Status complement(const Model& model, const State& state, const Inputs& inputs,
                                Workspace& workspace, Complement& out,
                                const ComplementOptions& options = {});

// inertia u' + bias = effort: the equations of motion in the independent velocities, without
// multipliers [seed 001, (3.26)-(3.28)].
//
//   inertia = T^T M T,  bias = T^T (inverse dynamics of T_dot_u),  effort = T^T tau
//
// Springs, dampers, gravity and wrenches from outside are in the bias.
struct MinimalEquations {
  Eigen::MatrixXd inertia;
  Eigen::VectorXd bias, effort;
};
// `complement` of the same state and inputs.
[[nodiscard]] Status minimal_equations(const Model& model, const State& state, const Inputs& inputs,
                                       const Complement& complement, Workspace& workspace,
                                       MinimalEquations& out);

// How does a place move when the independent velocities do? The Jacobian restricted to the motions
// that keep all loops closed: [omega; v] = J u, and the acceleration people measure = J u' + rate.
struct RestrictedJacobian {
  Eigen::MatrixXd J;    // 6 x ways to move
  Motion<double> rate;  // what planned joints contribute included
};
[[nodiscard]] Status restricted_jacobian(const Model& model, const State& state, const At& place,
                                         Axes axes, const Complement& complement,
                                         Workspace& workspace, RestrictedJacobian& out);

}  // namespace trammel
