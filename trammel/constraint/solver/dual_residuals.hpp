// Residuals of the constrained equations of motion in Dual numbers: with a and lambda fixed,
//
//   r = (M a + h - J^T lambda - tau)(q, v) ,   s = (J a - gamma)(q, v) ,   J v
//
// and their derivatives along given directions of q and v, native_lanes of them at a time. One
// evaluation costs O(bodies). Internal to the constraint module.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"

namespace trammel {

class DualResiduals {
 public:
  // Both must outlive this object. `rows`: the rows at the state.
  DualResiduals(const EvalContext& context, const ConstraintRows& rows);

  // Seeds the derivatives of q and v with columns first, first + 1, ... of q_dot and v_dot.
  void seed(const Eigen::MatrixXd& q_dot, const Eigen::MatrixXd& v_dot, Eigen::Index first);
  // Kinematics and constraint rows at constant accelerations.
  void evaluate(const Eigen::VectorXd& a);
  // r at the multipliers lambda, without terms that act on a dof of the tree directly (couplings,
  // prescribed joints), whose Jacobian is constant. Fails where a force is not defined.
  [[nodiscard]] Status evaluate_efforts(const Eigen::VectorXd& lambda);
  // Forces of force elements and of loop joints along their own dofs.
  [[nodiscard]] Status evaluate_elements();

  const ConstraintRowsAt<Duals>& rows() const { return rows_; }
  const std::vector<Duals>& efforts() const { return effort_; }
  const std::vector<BasicElementForce<Duals>>& elements() const { return elements_; }
  // Wrench at p on a tree body, in world axes, moved to its origin and turned to its axes.
  Force<Duals> on_body(int tree_body, const Force<Duals>& F, const Vec3<Duals>& p) const;

  // Writes the derivatives of x, one column per direction, from column `first` on.
  static void write_derivatives(const std::vector<Duals>& x, Eigen::Index first,
                                Eigen::MatrixXd& out);

 private:
  KernelInput<double, Duals> unloaded_input() const;
  void add_load(BodyId body, const Force<Duals>& F, const Vec3<Duals>& p);
  void add_between(BodyId parent, BodyId child, const Force<Duals>& F, const Vec3<Duals>& p);
  void add_wrenches();

  const EvalContext& context_;
  BasicWorkspace<Duals> workspace_;
  BasicKinematics<Duals> kinematics_;
  ConstraintRowsAt<Duals> rows_;
  std::vector<Duals> q_, v_, a_, effort_, z_;
  std::vector<ExternalForce<Duals>> loads_;
  std::vector<BasicElementForce<Duals>> elements_;
  // zero accelerations of loop joints driven by motion, used if inputs.loop_a is not given
  std::vector<double> steady_;
};

// Time derivatives of q (nq: a quaternion has four) for velocities dq (nv), column by column.
Eigen::MatrixXd rates_of_positions(const EvalContext& context, const Eigen::MatrixXd& dq);

}  // namespace trammel
