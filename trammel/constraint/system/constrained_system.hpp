// The constrained system of a model, behind dynamics/constrained.hpp: evaluation of the rows,
// choice of a solver, forward, inverse and hybrid dynamics, reactions. Internal to constraint/.
//
// constrained_system.cpp: forward dynamics and reactions; constrained_efforts.cpp: inverse and
// hybrid dynamics; constrained_components.cpp: inverse dynamics, reactions and derivatives by
// components of the rows; constrained_batches.cpp: many states; constrained_functions.cpp: the
// functions of this module that use it.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "trammel/constraint/forces/effort_sharing.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/solver/wheel_multipliers.hpp"
#include "trammel/constraint/system/constrained_derivatives.hpp"
#include "trammel/constraint/system/constraint_evaluation.hpp"
#include "trammel/constraint/system/recursive_solver_selector.hpp"
#include "trammel/constraint/system/sparse_solver_selector.hpp"
#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/eval_context.hpp"

namespace trammel {

class ConstrainedSystem final : public Constrained {
 public:
  explicit ConstrainedSystem(const Model& model)
      : evaluation_(model), effort_(std::size_t(model.nv())) {}

  ConstrainedSystem& system() override { return *this; }
  ConstraintEvaluation& evaluation() { return evaluation_; }
  RecursiveSolverSelector& solvers() { return selector_; }
  const ConstraintRows& rows() const { return rows_; }

  Status check_closed(const char* context, const Model& model, const State& state,
                      Workspace& workspace) override;
  Status project_to_manifold(const Model& model, State& state, Workspace& workspace,
                             double violation, const PrescribedLoopMotion& loops) override;
  Status forward_dynamics(const EvalContext& context, Workspace& workspace,
                          std::span<double> a) override;
  // As the function of the same name in manifold_dynamics.hpp.
  bool dynamics_off_manifold(const EvalContext& context, Workspace& workspace, std::span<double> a);
  void dynamics_off_manifold_batch(const kernel::Batch& batch, const double* tau,
                                   Workspace& workspace, double* a, std::span<char> is_sure);

  // Multipliers of the last forward dynamics, if a recursive solver computed them from the rows; J
  // if some rows are redundant. Directly after it.
  bool last_answer(const Model& model, const Workspace& workspace, ConstrainedAnswer& out);
  void last_wheel_multipliers(WheelMultipliers& out) const;

  // The batches use the solver of the generic rank, which checks that it applies to a state.
  void project_to_manifold_batch(const Model& model, int states, double* q, double* v,
                                 double violation, Workspace& workspace,
                                 std::span<char> is_sure) override;
  void forward_dynamics_batch(const kernel::Batch& batch, const double* tau, Workspace& workspace,
                              double* a, std::span<char> is_sure) override;
  void inverse_dynamics_batch(const kernel::Batch& batch, const double* a, Workspace& workspace,
                              double* tau, std::span<char> is_sure) override;
  void reactions_batch(const kernel::Batch& batch, const double* tau, Workspace& workspace,
                       double* forces, std::span<char> is_sure) override;

  Status inverse_dynamics(const EvalContext& context, Workspace& workspace,
                          std::span<double> tau) override;
  Status drive_efforts(const EvalContext& context, Workspace& workspace, DriveEfforts& out);
  Status drive_demand(const EvalContext& context, Workspace& workspace, DriveDemand& out);
  Status hybrid_dynamics(const EvalContext& context, Workspace& workspace, std::span<double> a,
                         std::span<double> tau, std::span<double> loop_tau) override;
  Status prescribed_efforts(const EvalContext& context, Workspace& workspace,
                            ConstrainedAnswer& answer, DriveEfforts& out);

  Status add_loop_forces(const char* context, const Model& model, const Kinematics& kinematics,
                         std::span<const double> loop_tau, std::vector<ElementForce>& out) override;
  double elastic_energy(const Model& model, const Kinematics& kinematics) override;

  Status reactions(const EvalContext& context, Workspace& workspace,
                   std::vector<Force<double>>& out) override;
  Status reactions(const EvalContext& context, Workspace& workspace, ConstraintSolver solver,
                   const StressWeights& weights, UniqueReactions& out);

  // Derivatives of forward dynamics by a factorization of each component of the rows, along T;
  // false where its checks do not hold: see constrained_derivatives(). `T`: a complement at this
  // state, or null for an orthonormal one.
  bool derivatives_by_components(const EvalContext& context, Workspace& workspace,
                                 const OrthogonalComplement* T, ConstrainedDerivatives& out);
  // Whether the sizes of the model and of its components allow it, at any state.
  bool is_differentiated_by_components(const Model& model) const;

  // Forward dynamics with multipliers. `basis`: the row basis, decided at the state if null.
  Status solve(const EvalContext& context, Workspace& workspace, ConstraintSolver solver,
               const RowBasis* basis, ConstrainedAnswer& out, Singular values = Singular::left_out);
  // The same by a recursive solver if one applies: its rows are independent, so that no rank has to
  // be determined.
  Status solve_quickly(const EvalContext& context, Workspace& workspace, ConstrainedAnswer& out);

 private:
  // Writes the efforts of the motion on the tree without loops to effort_, evaluates the rows and
  // determines the row basis.
  Status effort_of_tree(const EvalContext& context, Workspace& workspace, RowBasis& basis);
  // Inverse dynamics and reactions by a factorization of each component of the rows of the generic
  // solver; false where its checks do not hold, or a component is large: the general path decides
  // the rank at the state.
  bool inverse_dynamics_by_components(const EvalContext& context, Workspace& workspace,
                                      std::span<double> tau);
  bool reactions_by_components(const EvalContext& context, Workspace& workspace,
                               std::vector<Force<double>>& out);
  bool is_solved_by_components(const Model& model) const;
  void find_drives(const Model& model);
  double length_of_stress(const Model& model);
  // Rows at the context's state with zero accelerations, except the prescribed ones; efforts minus
  // bias.
  void evaluate_rows_and_effort(const EvalContext& context, Workspace& workspace);
  Status check_left_out(const EvalContext& context, const ConstrainedAnswer& answer) const;

  // Recursive solver to try first; none where the sparse solver takes fewer operations.
  RecursiveSolverSelector::Choice choose_recursive(const EvalContext& context,
                                                   Workspace& workspace);
  bool is_recursion_replaced(const Model& model, Workspace& workspace);
  bool is_slower_than_sparse(const Model& model, const RecursiveSolver* recursive);
  // Whether the sparse solver projects on the generic row basis: not with prescribed motions,
  // wheels or a frozen rank.
  bool projects_sparse(const Model& model, Workspace& workspace, const PrescribedLoopMotion& loops);
  // With out.basis, after evaluate_rows_and_effort.
  Status solve_sparse(const EvalContext& context, Workspace& workspace, ConstrainedAnswer& out);
  // Sparse solver on the generic row basis, which it may use if no row of it is weak and the rows
  // left out are satisfied as by the recursive solvers; else the rank is decided at the state.
  bool solve_sparse_in_general(const EvalContext& context, Workspace& workspace,
                               ConstrainedAnswer& out);
  enum class Jacobian { always, of_spare_rows };  // of_spare_rows: only if there are redundant rows
  bool solve_recursively(const EvalContext& context, Workspace& workspace,
                         const RecursiveSolverSelector::Choice& choice, ConstrainedAnswer& out,
                         Jacobian wanted = Jacobian::always);
  // Multipliers of the last result of a solver.
  void write_multipliers(const RecursiveSolver& solver, const Model& model,
                         const Workspace& workspace, ConstrainedAnswer& out, Jacobian wanted);
  // Forward dynamics by a recursive solver, remembered for last_answer().
  bool solves_by(RecursiveSolver& solver, const SkipChecks& skip, const EvalContext& context,
                 Workspace& workspace, std::span<double> a);
  RecursiveSolver* batch_solver(const Model& model, Workspace& workspace, std::span<char> is_sure);

  ConstraintEvaluation evaluation_;
  ConstraintRows& rows_ = evaluation_.rows;
  RecursiveSolverSelector selector_;
  SparseSolverSelector sparse_;
  const RecursiveSolver* last_solver_ = nullptr;  // of the last forward dynamics
  ConstrainedAnswer sparse_answer_;
  State projected_;
  std::vector<double> effort_;
  std::vector<double> accelerations_;
  std::vector<Force<double>> forces_;
  // drives and length of the factorizations by components
  std::vector<char> is_driven_;
  bool has_driven_loops_ = false;
  double stress_length_ = 0;
  Eigen::VectorXd force_, gamma_;  // efforts minus bias; right-hand side of the rows
};

}  // namespace trammel
