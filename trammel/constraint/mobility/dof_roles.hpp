// Degrees of freedom by their actuation, and the equations of motion partitioned accordingly
// [Yesiloglu 2007, section 3.11].
#pragma once

#include <Eigen/Core>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

enum class DofRole {
  base,      // floating base: a free or planar joint on ground, without a drive
  actuated,  // driven by torque or by motion, or locked
  free,      // passive, without spring or damper
  flexible   // passive, with its own spring or damper
};
std::string to_string(DofRole role);

// Roles of all nv degrees of freedom of the tree, and the permutation that sorts them by role.
struct DofRoles {
  std::vector<DofRole> of;  // per dof
  // Dofs sorted: base, actuated, free, flexible, each in order of v. S x = x(order).
  std::vector<int> order;
  int rigid = 0;              // number of dofs that are not flexible
  Eigen::MatrixXd S() const;  // permutation matrix: S S^T = 1
};
// Roles of the dofs, from the drives, springs and dampers of their joints; the same in all states.
DofRoles dof_roles(const Model& model);

// Equations of the flexible dofs, the others eliminated:
//
//   inertia a + damping v + stiffness (q - rest) + bias = input (tau of the others) + tau
//                                                         + constraint^T lambda
//
// a, v, q, tau: of the flexible dofs; lambda: multipliers of the rows of constraint_jacobian, as in
// constrained_dynamics. In first-order form with W = [q - rest; v]:
//
//   M_s W' + L_s W = T_s + J_s^T lambda
struct FlexibleForm {
  DofRoles roles;
  Eigen::MatrixXd inertia;     // M* = M_4 - M_3 M_1^-1 M_2
  Eigen::MatrixXd input;       // B = -M_3 M_1^-1
  Eigen::MatrixXd constraint;  // J* = J_l - J_baf M_1^-1 M_2
  Eigen::VectorXd bias;        // C* = C_l - M_3 M_1^-1 C_baf; external wrenches included
  Eigen::VectorXd stiffness, damping, deflection;  // per flexible dof; deflection = q - rest
  Eigen::MatrixXd M_s, L_s, J_s;
  Eigen::VectorXd W, T_s;
};
// Fails if the mass matrix of the other dofs is singular. Dense.
[[nodiscard]] Status flexible_form(const Model& model, const State& state, const Inputs& inputs,
                                   Workspace& workspace, FlexibleForm& out);

// Accelerations of the tree with all loops cut, and their correction by the constraint forces:
//   free = M^-1 (tau - h),  correction = M^-1 J^T lambda;  their sum is forward_dynamics.
struct FreeAndCorrection {
  Eigen::VectorXd free, correction;  // nv
};
[[nodiscard]] Status free_and_correction(const Model& model, const State& state,
                                         const Inputs& inputs, Workspace& workspace,
                                         FreeAndCorrection& out);

}  // namespace trammel
