// Distribution of the efforts of a motion among the drives. Internal to the constraint module.
#pragma once

#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/eval_context.hpp"

namespace trammel {

// Per dof of the tree: whether it has a drive. Dofs of joints with a drive, including locked ones;
// of all joints if no joint has a drive.
std::vector<char> driven_dof_flags(const Model& model);

// First driven dof of a loop joint; -1 if there is none.
int driven_loop_dof(const Model& model);

// The equations A efforts = needed of the drives: `effort` are the efforts of the motion on the
// tree without loops, projected onto the motions the rows allow, needed = T^T effort. `rows` and
// the row basis exclude the rows of prescribed joints, which are drives here.
void demand_on_drives(const Model& model, const Kinematics& kinematics, const ConstraintRows& rows,
                      const RowBasis& basis, std::span<const double> effort, DriveDemand& out);

// Minimum-norm solution of these equations, and which efforts are unique. Fails if the drives
// cannot produce the motion, naming the joint that moves most in the missing one.
Status share_among_drives(const EvalContext& context, const Kinematics& kinematics,
                          const ConstraintRows& rows, const RowBasis& basis,
                          std::span<const double> effort, DriveEfforts& out);

// The same efforts where every dof of the tree has a drive and no loop joint has one: those of the
// motion without their part along the rows, which constraint forces balance. The motions that the
// rows allow are not computed. False: another mechanism, or its rows are too near to dependence.
[[nodiscard]] bool share_among_all_joints(const Model& model, const ConstraintRows& rows,
                                          const RowBasis& basis, std::span<const double> effort,
                                          std::span<double> tau);

// Given efforts plus those of prescribed and locked joints: the multipliers lambda + N z of their
// rows, with the self-stresses N (dependent_sets) and z by least squares.
void efforts_of_prescribed(const EvalContext& context, const ConstraintRows& rows,
                           const ConstrainedAnswer& answer, DriveEfforts& out);

}  // namespace trammel
