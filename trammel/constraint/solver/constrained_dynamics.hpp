#pragma once

#include <array>

#include "trammel/constraint/solver/dense_solvers.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Constrained forward dynamics of a model with loops under inputs.tau: accelerations and Lagrange
// multipliers of M a + h = tau + J^T lambda, J a = gamma.
struct ConstrainedAnswer {
  Eigen::VectorXd a;       // nv
  Eigen::VectorXd lambda;  // Lagrange multipliers, one per row; zero for redundant rows
  RowBasis basis;
  ConstraintSolver solver = ConstraintSolver::automatic;  // the solver that was used
};
// Names of the rows, in the order of lambda.
std::vector<std::string> row_names(const Model& model);

// Joints driven by motion have the accelerations inputs.a (loop joints: inputs.loop_a), locked
// joints zero. The row basis is determined at the state if none is given; a state with a small
// constraint violation is projected for that purpose only.
[[nodiscard]] Status constrained_dynamics(const Model& model, const State& state,
                                          const Inputs& inputs, Workspace& workspace,
                                          ConstrainedAnswer& out,
                                          ConstraintSolver solver = ConstraintSolver::automatic,
                                          const RowBasis* basis = nullptr);
[[nodiscard]] Status row_basis(const Model& model, const State& state, Workspace& workspace,
                               RowBasis& out);
// Constraint Jacobian J at a state, rows x nv.
[[nodiscard]] Status constraint_jacobian(const Model& model, const State& state,
                                         Workspace& workspace, Eigen::MatrixXd& out);

// Inverse dynamics: efforts of the drives for the motion inputs.a. As inverse_dynamics, but also
// for driven loop joints, which have no entry in tau.
struct DriveEfforts {
  Eigen::VectorXd tau;       // nv
  Eigen::VectorXd loop_tau;  // loop_nv
  // Per entry: whether the motion determines it. With redundant drives the efforts are not unique;
  // those of least sum of squares are returned.
  std::vector<bool> is_unique = {}, loop_is_unique = {};
};
[[nodiscard]] Status drive_efforts(const Model& model, const State& state, const Inputs& inputs,
                                   Workspace& workspace, DriveEfforts& out);

// Efforts of joints driven by motion and of locked joints; the other joints have inputs.tau and
// inputs.loop_tau. As hybrid_dynamics, but also for loop joints. Joints that prescribe the same
// motion share its effort: their efforts are not unique and have the least sum of squares. A share
// that loop reactions could carry as well is assigned to the loops.
[[nodiscard]] Status prescribed_efforts(const Model& model, const State& state,
                                        const Inputs& inputs, Workspace& workspace,
                                        DriveEfforts& out);

// Equations of the drive efforts for the motion inputs.a: efforts with A efforts = needed produce
// it. drive_efforts takes the solution of least norm, allocate_efforts the least one within limits.
struct DriveDemand {
  Eigen::MatrixXd A;           // mobility x drives
  Eigen::VectorXd needed;      // generalized forces T^T tau of the motion, mobility
  std::vector<int> dofs;       // drives: dofs of the tree,
  std::vector<int> loop_dofs;  // then dofs of loop joints
  Eigen::MatrixXd T;           // null-space basis, nv x mobility
};
[[nodiscard]] Status drive_demand(const Model& model, const State& state, const Inputs& inputs,
                                  Workspace& workspace, DriveDemand& out);
DriveEfforts efforts_of(const Model& model, const DriveDemand& demand,
                        const Eigen::VectorXd& efforts);

// Joint reactions under inputs.tau, loop joints included: as reactions(), with a flag per component
// whether it is unique. Components that are not unique (statically indeterminate) are fixed by the
// minimum of sum w (|force|^2 + |moment|^2 / l^2) over all joints and wheels; the result does not
// depend on where loops are cut.
struct StressWeights {
  double length = 0;                // l [m]; 0: stress_length of the model
  std::vector<double> joints = {};  // w per joint of Model::joints(), above 0; none: 1 each
};
struct UniqueReactions {
  std::vector<Force<double>> force;                       // per joint of Model::joints()
  std::vector<std::array<bool, 6>> is_unique;             // moment x y z, force x y z
  ConstraintSolver solver = ConstraintSolver::automatic;  // the solver used for the accelerations
  double length = 0;                                      // l [m]; 0 if all reactions are unique
};
[[nodiscard]] Status constrained_reactions(const Model& model, const State& state,
                                           const Inputs& inputs, Workspace& workspace,
                                           UniqueReactions& out,
                                           ConstraintSolver solver = ConstraintSolver::automatic,
                                           const StressWeights& weights = {});

}  // namespace trammel
