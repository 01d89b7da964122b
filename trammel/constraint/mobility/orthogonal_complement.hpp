// Null-space basis of the constraint Jacobian: the orthogonal complement of [Saha 1991] in the
// velocities of the tree.
#pragma once

#include "trammel/constraint/rank/row_basis.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

struct OrthogonalComplementOptions {
  // Joints whose velocities are the independent ones; none: a well-conditioned set is chosen.
  std::vector<JointId> independent = {};
  // Orthonormal basis instead, T^T T = 1, which exists at every state; u are then no joint
  // velocities.
  bool orthonormal = false;
};

//   v = T u + prescribed,  a = T u' + T_dot_u,  J T = 0,  J a = gamma
//
// With independent joints T has an identity in their rows: u are their velocities, T is smooth as
// long as they stay independent, and the other rows give the dependent joint velocities [Saha 1991,
// section 3.4; Yesiloglu 2007, (5.39)-(5.44)]. The derivative of an orthonormal basis is chosen
// without rotation within its span: T^T T_dot_u = 0, so u' = T^T a.
struct OrthogonalComplement {
  Eigen::MatrixXd T;             // nv x mobility
  Eigen::VectorXd T_dot_u;       // nv; includes accelerations of joints driven by motion
  Eigen::VectorXd u;             // independent velocities of the state
  Eigen::VectorXd prescribed;    // nv: part of v due to joints driven by motion; zero without
  std::vector<int> independent;  // dofs whose velocities are u; none if orthonormal
  // Ratio of the smallest to the largest singular value of the chosen rows of an orthonormal T: 0
  // where the choice is dependent. 1 if orthonormal.
  double least = 1;
  RowBasis basis;
};

// Fails if the named joints are not independent or their dofs differ in number from the mobility,
// and says which. Accelerations of joints driven by motion come from inputs.a. For a tree, T is the
// identity. Dense.
[[nodiscard]] Status orthogonal_complement(const Model& model, const State& state,
                                           const Inputs& inputs, Workspace& workspace,
                                           OrthogonalComplement& out,
                                           const OrthogonalComplementOptions& options = {});

// Equations of motion in the independent velocities, without multipliers, inertia u' + bias =
// effort [Saha 1991, (3.26)-(3.28)]:
//
//   inertia = T^T M T,  bias = T^T (inverse dynamics of T_dot_u),  effort = T^T tau
//
// Springs, dampers, gravity and external wrenches are in the bias.
struct MinimalEquations {
  Eigen::MatrixXd inertia;
  Eigen::VectorXd bias, effort;
};
// `complement` is evaluated at the same state and inputs.
[[nodiscard]] Status minimal_equations(const Model& model, const State& state, const Inputs& inputs,
                                       const OrthogonalComplement& complement, Workspace& workspace,
                                       MinimalEquations& out);

// Jacobian of a frame restricted to motions that satisfy the constraints: [omega; v] = J u, and the
// classical acceleration is J u' + rate.
struct RestrictedJacobian {
  Eigen::MatrixXd J;    // 6 x mobility
  Motion<double> rate;  // includes the contribution of prescribed joints
};
[[nodiscard]] Status restricted_jacobian(const Model& model, const State& state,
                                         const FrameRef& place, Axes axes,
                                         const OrthogonalComplement& complement,
                                         Workspace& workspace, RestrictedJacobian& out);

}  // namespace trammel
