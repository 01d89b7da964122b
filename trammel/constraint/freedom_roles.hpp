// Freedoms by what moves them, and the equations sorted by it [seed 000, section 3.11].
#pragma once

#include <Eigen/Core>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

enum class FreedomRole {
  base,      // of a body that floats: a free or a planar joint on ground, without a drive
  actuated,  // a torque, or a planned motion; or held where it is
  free,      // nobody
  flexible   // nobody but its own spring or damper
};
std::string to_string(FreedomRole role);

struct FreedomRoles {
  std::vector<FreedomRole> of;  // per freedom
  // Freedoms sorted: base, actuated, free, flexible, each in order of v. S x = x(order).
  std::vector<int> order;
  int rigid = 0;              // how many of `order` are not flexible
  Eigen::MatrixXd S() const;  // as a matrix: S S^T = 1
};
FreedomRoles freedom_roles(const Model& model);

// The flexible freedoms by themselves, the others eliminated:
//
//   inertia a + damping v + stiffness (q - rest) + bias = input (tau of the others) + tau
//                                                         + constraint^T lambda
//
// a, v, q, tau: of the flexible freedoms; lambda: of the rows of constraint_jacobian, as
// constrained_dynamics has them. And of first order in W = [q - rest; v]:
//
//   M_s W' + L_s W = T_s + J_s^T lambda
struct FlexibleForm {
  FreedomRoles roles;
  Eigen::MatrixXd inertia;     // M* = M_4 - M_3 M_1^-1 M_2
  Eigen::MatrixXd input;       // B = -M_3 M_1^-1
  Eigen::MatrixXd constraint;  // J* = J_l - J_baf M_1^-1 M_2
  Eigen::VectorXd bias;        // C* = C_l - M_3 M_1^-1 C_baf; wrenches from outside included
  Eigen::VectorXd stiffness, damping, deflection;  // per flexible freedom; q - rest
  Eigen::MatrixXd M_s, L_s, J_s;
  Eigen::VectorXd W, T_s;
};
// Fails where the others have a freedom without inertia. Dense.
[[nodiscard]] Status flexible_form(const Model& model, const State& state, const Inputs& inputs,
                                   Workspace& workspace, FlexibleForm& out);

// How would it accelerate with all loops cut, and what do the loops add to that?
//   free = M^-1 (tau - h),  correction = M^-1 J^T lambda;  their sum is forward_dynamics.
struct FreeAndCorrection {
  Eigen::VectorXd free, correction;  // nv
};
[[nodiscard]] Status free_and_correction(const Model& model, const State& state,
                                         const Inputs& inputs, Workspace& workspace,
                                         FreeAndCorrection& out);

}  // namespace trammel
