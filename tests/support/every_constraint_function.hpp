// List of every public function of trammel/constraint by its name, so that a test can call them
// all. Each result is returned as a list of numbers.
#pragma once

#include "tests/support/every_function.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/assembly/inverse_kinematics.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/constraint/forces/allocation.hpp"
#include "trammel/constraint/forces/locked_joints.hpp"
#include "trammel/constraint/forces/wheel_contacts.hpp"
#include "trammel/constraint/kinds/rollers.hpp"
#include "trammel/constraint/mobility/actuation.hpp"
#include "trammel/constraint/mobility/arms.hpp"
#include "trammel/constraint/mobility/blocking_constraints.hpp"
#include "trammel/constraint/mobility/constraint_nature.hpp"
#include "trammel/constraint/mobility/dof_roles.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/mobility/natural_complement.hpp"
#include "trammel/constraint/mobility/orthogonal_complement.hpp"
#include "trammel/constraint/mobility/reachability.hpp"
#include "trammel/constraint/rank/row_condition.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/solver/sliding_dynamics.hpp"
#include "trammel/constraint/system/constrained_derivatives.hpp"
#include "trammel/spatial/conventions.hpp"

namespace trammel {

class Numbered {
 public:
  void add(double x) { list_.push_back(x); }
  void add(const Eigen::MatrixXd& A) { list_.insert(list_.end(), A.data(), A.data() + A.size()); }
  void add(std::span<const double> x) { list_.insert(list_.end(), x.begin(), x.end()); }
  void add(const ConstrainedAnswer& answer) {
    add(Eigen::MatrixXd(answer.a));
    add(Eigen::MatrixXd(answer.lambda));
  }
  const std::vector<double>& list() const { return list_; }

 private:
  std::vector<double> list_;
};

struct ConstraintFunction {
  const char* name;
  Status (*ask)(Interview& x, Numbered& answer);
};

// A pose a little away from the present one, as a target of inverse kinematics.
inline Target nearby(Interview& x) {
  Kinematics there(x.model);
  Workspace room(x.model);
  if (!kinematics(x.model, x.state, {}, room, there).ok()) return {x.place, Vec3<double>{}};
  const Pose<double> X = pose(x.model, there, x.place);
  return {x.place, X.p + Vec3<double>{1e-3, -2e-3, 1e-3}};
}
inline State pushed(const State& state, const Model& model, double step) {
  State there = state;
  std::vector<double> way(state.v.size());
  for (std::size_t k = 0; k < way.size(); ++k) way[k] = step * std::cos(1.0 + double(k));
  integrate(model, state.q, way, there.q);
  return there;
}
inline Status basis(Interview& x, OrthogonalComplement& out) {
  return orthogonal_complement(x.model, x.state, x.inputs(), x.workspace, out,
                               {.orthonormal = true});
}

inline const std::vector<ConstraintFunction>& every_constraint_function() {
  static const std::vector<ConstraintFunction> list = {
      {"constrained_dynamics",
       [](Interview& x, Numbered& out) {
         ConstrainedAnswer found;
         const Status status =
             constrained_dynamics(x.model, x.state, x.inputs(), x.workspace, found);
         out.add(found);
         return status;
       }},
      {"constrained_reactions",
       [](Interview& x, Numbered& out) {
         UniqueReactions found;
         const Status status =
             constrained_reactions(x.model, x.state, x.inputs(), x.workspace, found);
         for (const Force<double>& F : found.force) out.add(angular_first(F));
         return status;
       }},
      {"sliding_dynamics",
       [](Interview& x, Numbered& out) {
         ConstrainedAnswer found;
         const Status status =
             sliding_dynamics(x.model, x.state, x.inputs(), {}, x.workspace, found);
         out.add(found);
         return status;
       }},
      {"free_and_correction",
       [](Interview& x, Numbered& out) {
         FreeAndCorrection found;
         const Status status =
             free_and_correction(x.model, x.state, x.inputs(), x.workspace, found);
         out.add(Eigen::MatrixXd(found.free));
         out.add(Eigen::MatrixXd(found.correction));
         return status;
       }},
      {"drive_efforts",
       [](Interview& x, Numbered& out) {
         DriveEfforts found;
         const Status status = drive_efforts(x.model, x.state, x.inputs(), x.workspace, found);
         out.add(Eigen::MatrixXd(found.tau));
         return status;
       }},
      {"prescribed_efforts",
       [](Interview& x, Numbered& out) {
         DriveEfforts found;
         const Status status = prescribed_efforts(x.model, x.state, x.inputs(), x.workspace, found);
         out.add(Eigen::MatrixXd(found.tau));
         return status;
       }},
      {"drive_demand",
       [](Interview& x, Numbered& out) {
         DriveDemand found;
         const Status status = drive_demand(x.model, x.state, x.inputs(), x.workspace, found);
         out.add(double(found.dofs.size()));
         // the product does not depend on the basis T
         if (status.ok()) out.add(Eigen::MatrixXd(found.T * found.needed));
         return status;
       }},
      {"allocate_efforts",
       [](Interview& x, Numbered& out) {
         Allocation found;
         const Status status = allocate_efforts(x.model, x.state, x.inputs(), x.workspace, found);
         out.add(Eigen::MatrixXd(found.efforts.tau));
         return status;
       }},
      {"wheel_contacts",
       [](Interview& x, Numbered& out) {
         std::vector<WheelContact> found;
         const Status status = wheel_contacts(x.model, x.state, x.inputs(), x.workspace, found);
         for (const WheelContact& contact : found)
           for (const WheelContact::RowForce& push : contact.row_forces) out.add(push.force);
         return status;
       }},
      {"roller_rates",
       [](Interview& x, Numbered& out) {
         Eigen::VectorXd found;
         const Status status = roller_rates(x.model, x.state, x.workspace, found);
         out.add(Eigen::MatrixXd(found));
         return status;
       }},
      {"roller_accelerations",
       [](Interview& x, Numbered& out) {
         Eigen::VectorXd found;
         const Status status = roller_accelerations(x.model, x.state, {}, x.workspace, found);
         out.add(Eigen::MatrixXd(found));
         return status;
       }},
      {"reachability",
       [](Interview& x, Numbered& out) {
         Reachability found;
         const Status status = reachability(x.model, x.state, x.workspace, found);
         out.add(found.dofs);
         out.add(found.reachable);
         return status;
       }},
      {"row_natures",
       [](Interview& x, Numbered& out) {
         std::vector<RowNature> found;
         const Status status = row_natures(x.model, x.state, x.workspace, found);
         for (const RowNature& row : found) out.add(row.is_exact ? 1 : 0);
         return status;
       }},
      {"row_basis",
       [](Interview& x, Numbered& out) {
         RowBasis chosen;
         const Status status = row_basis(x.model, x.state, x.workspace, chosen);
         out.add(chosen.rank());
         return status;
       }},
      {"remaining_digits",
       [](Interview& x, Numbered& out) {
         double digits = 0;
         const Status status = remaining_digits(x.model, x.state, x.workspace, digits);
         out.add(digits);
         return status;
       }},
      {"constraint_jacobian",
       [](Interview& x, Numbered& out) {
         Eigen::MatrixXd J;
         const Status status = constraint_jacobian(x.model, x.state, x.workspace, J);
         out.add(double(J.rows()));
         out.add(J.colwise().norm().transpose());
         return status;
       }},
      {"mobility",
       [](Interview& x, Numbered& out) {
         Mobility found;
         const Status status = mobility(x.model, x.state, x.workspace, found);
         out.add(found.finite);
         return status;
       }},
      {"blocking_constraints",
       [](Interview& x, Numbered& out) {
         std::vector<std::string> found;
         const Status status = blocking_constraints(x.model, x.state, x.workspace, found);
         out.add(double(found.size()));
         return status;
       }},
      {"actuation",
       [](Interview& x, Numbered& out) {
         Actuation found;
         const Status status = actuation(x.model, x.state, x.workspace, found);
         out.add(found.mobility);
         out.add(double(found.driven.size()));
         return status;
       }},
      {"constraint_nature",
       [](Interview& x, Numbered& out) {
         ConstraintNature found;
         const Status status = constraint_nature(x.model, x.state, x.workspace, found);
         out.add(found.is_holonomic ? 1 : 0);
         out.add(found.is_rheonomic ? 1 : 0);
         return status;
       }},
      {"arms",
       [](Interview& x, Numbered& out) {
         std::vector<Arm> found;
         const Status status = arms(x.model, x.state, x.workspace, found);
         for (const Arm& arm : found) out.add(arm.rank);
         return status;
       }},
      {"loop_motion",
       [](Interview& x, Numbered& out) {
         LoopMotion found;
         const Status status = loop_motion(x.model, x.state, x.workspace, found);
         out.add(double(found.q.size()));
         return status;
       }},
      {"orthogonal_complement",
       [](Interview& x, Numbered& out) {
         OrthogonalComplement found;
         const Status status = basis(x, found);
         // the diagonal of T T^T does not depend on the basis T
         if (status.ok()) out.add(Eigen::MatrixXd((found.T * found.T.transpose()).diagonal()));
         return status;
       }},
      {"minimal_equations",
       [](Interview& x, Numbered& out) {
         OrthogonalComplement T;
         if (Status status = basis(x, T); !status) return status;
         MinimalEquations found;
         const Status status =
             minimal_equations(x.model, x.state, x.inputs(), T, x.workspace, found);
         if (!status) return status;
         out.add(Eigen::MatrixXd(
             T.T * found.inertia.ldlt().solve(Eigen::VectorXd(found.effort - found.bias)) +
             T.T_dot_u));
         return status;
       }},
      {"restricted_jacobian",
       [](Interview& x, Numbered& out) {
         OrthogonalComplement T;
         if (Status status = basis(x, T); !status) return status;
         RestrictedJacobian found;
         const Status status =
             restricted_jacobian(x.model, x.state, x.place, Axes::world, T, x.workspace, found);
         if (status.ok()) out.add(Eigen::MatrixXd((found.J * found.J.transpose()).diagonal()));
         return status;
       }},
      {"natural_complement",
       [](Interview& x, Numbered& out) {
         OrthogonalComplement T;
         if (Status status = orthogonal_complement(x.model, x.state, x.inputs(), x.workspace, T);
             !status)
           return status;
         NaturalComplement found;
         const Status status =
             natural_complement(x.model, x.state, x.inputs(), T, x.workspace, found);
         out.add(double(found.T.cols()));
         if (status.ok()) out.add(Eigen::MatrixXd(found.T.transpose() * found.working));
         return status;
       }},
      {"constrained_derivatives",
       [](Interview& x, Numbered& out) {
         OrthogonalComplement T;
         if (Status status = basis(x, T); !status) return status;
         ConstrainedDerivatives found;
         const Status status =
             constrained_derivatives(x.model, x.state, x.inputs(), T, x.workspace, found);
         out.add(found.dtau);
         if (status.ok()) out.add(Eigen::MatrixXd(found.dq * T.T.transpose()));
         if (status.ok()) out.add(Eigen::MatrixXd(found.dv * T.T.transpose()));
         return status;
       }},
      {"locked_joints",
       [](Interview& x, Numbered& out) {
         LockedJoints found;
         const Status status = locked_joints(x.model, x.state, x.inputs(), x.workspace, found);
         out.add(double(found.dofs.size()));
         out.add(Eigen::MatrixXd(found.effort));
         return status;
       }},
      {"dof_roles",
       [](Interview& x, Numbered& out) {
         const DofRoles roles = dof_roles(x.model);
         for (const DofRole role : roles.of) out.add(double(role));
         return Status();
       }},
      {"flexible_form",
       [](Interview& x, Numbered& out) {
         FlexibleForm found;
         const Status status = flexible_form(x.model, x.state, x.inputs(), x.workspace, found);
         out.add(double(found.inertia.rows()));
         out.add(found.inertia);
         out.add(double(found.constraint.rows()));
         return status;
       }},
      {"assemble",
       [](Interview& x, Numbered& out) {
         State there = pushed(x.state, x.model, 1e-3);
         const Status status = assemble(x.model, there, x.workspace);
         out.add(there.q);
         return status;
       }},
      {"assemble_position",
       [](Interview& x, Numbered& out) {
         State there = pushed(x.state, x.model, 1e-3);
         const Status status = assemble_position(x.model, there, x.workspace);
         out.add(there.q);
         return status;
       }},
      {"assemble_by_continuation",
       [](Interview& x, Numbered& out) {
         State there = x.state;
         const Status status =
             assemble_by_continuation(x.model, x.state, there, x.workspace, {.keep = {}});
         out.add(there.q);
         return status;
       }},
      {"close_rounded",
       [](Interview& x, Numbered& out) {
         State there = pushed(x.state, x.model, 1e-5);
         const Status status = close_rounded(x.model, there, x.workspace);
         out.add(there.q);
         return status;
       }},
      {"assembled_start",
       [](Interview& x, Numbered& out) {
         State there;
         const Status status = assembled_start(x.model, x.workspace, there);
         out.add(there.q);
         return status;
       }},
      {"assembly_branches",
       [](Interview& x, Numbered& out) {
         std::vector<Branch> found;
         const Status status = assembly_branches(x.model, x.state, x.workspace, {}, found);
         out.add(double(found.size()));
         return status;
       }},
      {"project_position",
       [](Interview& x, Numbered& out) {
         State there = pushed(x.state, x.model, 1e-3);
         const Status status = project_position(x.model, there, x.workspace);
         out.add(there.q);
         return status;
       }},
      {"project_velocity",
       [](Interview& x, Numbered& out) {
         State there = x.state;
         for (std::size_t k = 0; k < there.v.size(); ++k) there.v[k] += 0.1 + 0.02 * double(k);
         const Status status = project_velocity(x.model, there, x.workspace);
         out.add(there.v);
         return status;
       }},
      {"inverse_kinematics",
       [](Interview& x, Numbered& out) {
         const std::vector<Target> there = {nearby(x)};
         State state = x.state;
         const Status status =
             inverse_kinematics(x.model, state, there, x.workspace, {.starts = 1});
         out.add(state.q);
         return status;
       }},
      {"inverse_kinematics_velocity",
       [](Interview& x, Numbered& out) {
         const std::vector<MotionTarget> there = {{x.place, {}, Vec3<double>{0.1, 0.2, -0.1}}};
         const Status status =
             inverse_kinematics_velocity(x.model, x.state, there, x.workspace, x.a);
         out.add(x.a);
         return status;
       }},
      {"inverse_kinematics_acceleration",
       [](Interview& x, Numbered& out) {
         const std::vector<MotionTarget> there = {{x.place, {}, Vec3<double>{0.1, 0.2, -0.1}}};
         const Status status =
             inverse_kinematics_acceleration(x.model, x.state, there, x.inputs(), x.workspace, x.a);
         out.add(x.a);
         return status;
       }},
  };
  return list;
}

}  // namespace trammel
