// Recursive solvers of a model, and the selection among them at a state. Internal to constraint/.
//
// At nearly all states the same number of rows is independent (generic rank), and one recursive
// solver on these rows serves all of them. Redundant wheel layouts (axles parallel or concurrent)
// have fewer independent rows: each such set of rows has a solver of its own, made when first
// needed. A solver is a function of its rows and the model, and the selection a function of the
// state (or of the frozen rank), so results do not depend on earlier calls.
#pragma once

#include <array>
#include <map>
#include <memory>

#include "trammel/constraint/rank/incremental_row_selector.hpp"
#include "trammel/constraint/solver/recursive_solver.hpp"
#include "trammel/constraint/system/constraint_evaluation.hpp"

namespace trammel {

class RecursiveSolverSelector {
 public:
  static bool is_one(ConstraintSolver solver) {
    return solver != ConstraintSolver::null_space && solver != ConstraintSolver::kkt &&
           solver != ConstraintSolver::sparse;
  }

  // Solver on the generic row basis; nullptr if the model has no such solver.
  RecursiveSolver* in_general(const Model& model, Workspace& workspace,
                              ConstraintEvaluation& evaluation, ConstraintSolver solver);
  // The row basis of these solvers, estimated by the first call; then without a call of its own.
  const RowBasis& generic_basis(const Model& model, Workspace& workspace,
                                ConstraintEvaluation& evaluation);
  const RowBasis& generic_basis() const { return generic_basis_; }
  const SparseRows& generic_jacobian() const { return generic_J_; }

  // Freezes the rank: at most `rank` rows, the strongest at this state, count as independent until
  // unfreeze(). Fails if the velocities violate the rows left out.
  [[nodiscard]] Status freeze(const Model& model, const State& state, Workspace& workspace,
                              ConstraintEvaluation& evaluation, int rank);
  // Whether the rank is frozen at this one and the velocities satisfy the rows left out, for a
  // state with the same rows.
  [[nodiscard]] bool keeps_frozen(const Model& model, const State& state, Workspace& workspace,
                                  ConstraintEvaluation& evaluation, int rank) const;
  void unfreeze();
  bool is_rank_frozen() const { return frozen_rank_ >= 0; }
  int frozen_rank() const { return frozen_rank_; }  // frozen rank; -1: not frozen
  // Row basis at the evaluated state, cut to the frozen rank.
  RowBasis strongest(const Model& model, const Workspace& workspace,
                     ConstraintEvaluation& evaluation) const;

  // Solver for the accelerations at a state, or nullptr, and the checks that it may skip. `choose`:
  // the solver to try first; `choose_again`: another one, where the first gave no result.
  struct Choice {
    RecursiveSolver* solver = nullptr;
    SkipChecks skip;
  };
  Choice choose(const EvalContext& context, Workspace& workspace, ConstraintEvaluation& evaluation);
  Choice choose_again(const EvalContext& context, Workspace& workspace,
                      ConstraintEvaluation& evaluation);
  // As Constrained::project_to_manifold.
  [[nodiscard]] Status project_to_manifold(const Model& model, State& state, Workspace& workspace,
                                           ConstraintEvaluation& evaluation, double violation,
                                           const PrescribedLoopMotion& loops);
  // The solver of the frozen rank; without one, the generic solver.
  RecursiveSolver* usual(const Model& model, Workspace& workspace, ConstraintEvaluation& evaluation,
                         ConstraintSolver solver = ConstraintSolver::automatic);
  SkipChecks skip() const { return {.are_left_out = is_rank_frozen()}; }

 private:
  [[nodiscard]] Status close_positions(const Model& model, State& state, Workspace& workspace,
                                       ConstraintEvaluation& evaluation, double violation,
                                       const PrescribedLoopMotion& loops);
  [[nodiscard]] Status close_velocities(const Model& model, State& state, Workspace& workspace,
                                        ConstraintEvaluation& evaluation,
                                        const PrescribedLoopMotion& loops);
  void estimate_generic_rank(const Model& model, Workspace& workspace,
                             ConstraintEvaluation& evaluation);
  void set_order(const RowBasis& basis, const ConstraintEvaluation& evaluation);
  Choice choose_here(const EvalContext& context, Workspace& workspace,
                     ConstraintEvaluation& evaluation);
  RecursiveSolver* of_rows(const Model& model, const std::vector<int>& rows);

  RowBasis generic_basis_;
  SparseRows generic_J_;
  bool has_generic_J_ = false;
  bool has_generic_rank_ = false;
  bool starts_rank_deficient_ = false;  // fewer rows are independent at the start than generically
  bool all_holonomic_ = true;           // all rows are holonomic
  struct Sweep {
    std::unique_ptr<RecursiveSolver> solver;
    bool is_made = false;
  };
  std::array<Sweep, 4> general_;  // automatic, schur, star, cluster

  IncrementalRowSelector choice_;
  std::map<std::vector<int>, std::unique_ptr<RecursiveSolver>>
      of_rows_;  // key: row indices, sorted
  RecursiveSolver* last_here_ = nullptr;
  int frozen_rank_ = -1;
  RecursiveSolver* frozen_solver_ = nullptr;
  RowBasis frozen_basis_;
  std::vector<double> before_;  // positions or velocities before projection
};

}  // namespace trammel
