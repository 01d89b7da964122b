#include "trammel/dynamics/constrained.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/base/expects.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/constraint/forces/effort_sharing.hpp"
#include "trammel/constraint/forces/self_stress.hpp"
#include "trammel/constraint/forces/stress_length.hpp"
#include "trammel/constraint/rank/row_condition.hpp"
#include "trammel/constraint/solver/consistency.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/solver/dynamics_with_rows.hpp"
#include "trammel/constraint/solver/freeze_rank.hpp"
#include "trammel/constraint/solver/state_checks.hpp"
#include "trammel/constraint/system/manifold_dynamics.hpp"
#include "trammel/constraint/system/recursive_solver_selector.hpp"
#include "trammel/constraint/system/sparse_solver_selector.hpp"
#include "trammel/dynamics/eval_context.hpp"
#include "trammel/dynamics/given_accelerations.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/reactions.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

class ConstrainedSystem final : public Constrained {
 public:
  explicit ConstrainedSystem(const Model& model)
      : evaluation_(model), effort_(std::size_t(model.nv())) {}

  ConstrainedSystem& system() override { return *this; }

  Status check_closed(const char* context, const Model& model, const State& state,
                      Workspace& workspace) override {
    evaluation_.evaluate(model, state.q, state.v, workspace);
    return trammel::check_closed(context, model, state, rows_);
  }

  Status project_to_manifold(const Model& model, State& state, Workspace& workspace,
                             double violation, const PrescribedLoopMotion& loops) override {
    return selector_.project_to_manifold(model, state, workspace, evaluation_, violation, loops);
  }

  Status forward_dynamics(const EvalContext& context, Workspace& workspace,
                          std::span<double> a) override {
    if (Status status = check_prescribed_given(context); !status) return status;
    const auto solves = [&](const RecursiveSolverSelector::Choice& choice) {
      return choice.solver != nullptr &&
             choice.solver->answers(context, workspace, rows_, a, choice.skip);
    };
    const RecursiveSolverSelector::Choice choice =
        selector_.choose(context, workspace, evaluation_);
    if (!is_slower_than_sparse(context.model(), choice.solver) &&
        (solves(choice) || (choice.solver != nullptr &&
                            solves(selector_.choose_again(context, workspace, evaluation_)))))
      return {};
    RowBasis frozen;
    if (selector_.is_rank_frozen()) {  // the run projects the state, except for redundant rows
      evaluation_.evaluate_with_inertia(context.model(), context.state(), workspace);
      frozen = selector_.strongest(context.model(), workspace, evaluation_);
    }
    if (!selector_.is_rank_frozen() || !rows_.are_defined())
      if (Status status = check_closed(context.name(), context.model(), context.state(), workspace);
          !status)
        return status;
    if (!selector_.is_rank_frozen() &&
        solve_sparse_in_general(context, workspace, sparse_answer_)) {
      std::copy_n(sparse_answer_.a.data(), a.size(), a.begin());
      return {};
    }
    ConstrainedAnswer answer;
    if (Status status = solve(context, workspace, ConstraintSolver::automatic,
                              selector_.is_rank_frozen() ? &frozen : nullptr, answer);
        !status)
      return status;
    std::copy_n(answer.a.data(), a.size(), a.begin());
    return {};
  }

  // Forward dynamics at an integrator stage off the constraint manifold. Without loop joints and
  // rods, J a = gamma is as smooth near the manifold as on it; solved at the given state, it keeps
  // the violation that the state has.
  bool dynamics_off_manifold(const EvalContext& context, Workspace& workspace,
                             std::span<double> a) {
    const Model& model = context.model();
    if (model.has_loops()) return false;
    RecursiveSolver* const sweep = selector_.usual(model, workspace, evaluation_);
    SkipChecks skip = selector_.skip();
    skip.is_closed = true;
    return sweep != nullptr && check_prescribed_given(context).ok() &&
           sweep->answers(context, workspace, rows_, a, skip);
  }

  // The batches use the solver of the generic rank, which checks that it applies to a state.
  void project_to_manifold_batch(const Model& model, int states, double* q, double* v,
                                 double violation, Workspace& workspace,
                                 std::span<char> is_sure) override {
    if (RecursiveSolver* const sweep = batch_solver(model, workspace, is_sure))
      sweep->project_batch(model, states, q, v, violation, is_sure);
  }
  void forward_dynamics_batch(const kernel::Batch& batch, const double* tau, Workspace& workspace,
                              double* a, std::span<char> is_sure) override {
    if (RecursiveSolver* const sweep = batch_solver(batch.model, workspace, is_sure))
      sweep->answer_batch(batch, tau, a, is_sure);
  }
  void inverse_dynamics_batch(const kernel::Batch& batch, const double* a, Workspace& workspace,
                              double* tau, std::span<char> is_sure) override {
    if (is_driven_.empty()) {
      is_driven_ = driven_dof_flags(batch.model);
      has_driven_loops_ = driven_loop_dof(batch.model) >= 0;
    }
    RecursiveSolver* const sweep = batch_solver(batch.model, workspace, is_sure);
    if (sweep != nullptr && !has_driven_loops_)
      sweep->inverse_dynamics_batch(batch, is_driven_, a, tau, is_sure);
  }
  void reactions_batch(const kernel::Batch& batch, const double* tau, Workspace& workspace,
                       double* forces, std::span<char> is_sure) override {
    if (stress_length_ == 0) stress_length_ = stress_length(batch.model);
    if (RecursiveSolver* const sweep = batch_solver(batch.model, workspace, is_sure))
      sweep->reactions_batch(batch, stress_length_, tau, forces, is_sure);
  }

  Status inverse_dynamics(const EvalContext& context, Workspace& workspace,
                          std::span<double> tau) override {
    if (const int dof = driven_loop_dof(context.model()); dof >= 0)
      return Status::failure(
          fmt::format("{}: loop joint '{}' is driven, and tau has no entry for its effort: call "
                      "drive_efforts",
                      context.name(), context.model().closure_dof_name(dof)));
    RowBasis basis;
    if (Status status = effort_of_tree(context, workspace, basis); !status) return status;
    if (basis.rank() == 0) {  // all rows are redundant: the coordinates are those of a tree
      std::ranges::copy(effort_, tau.begin());
      return {};
    }
    DriveEfforts efforts;
    if (Status status =
            share_among_drives(context, workspace->kinematics, rows_, basis, effort_, efforts);
        !status)
      return status;
    std::copy_n(efforts.tau.data(), tau.size(), tau.begin());
    return {};
  }

  Status drive_efforts(const EvalContext& context, Workspace& workspace, DriveEfforts& out) {
    RowBasis basis;
    if (Status status = effort_of_tree(context, workspace, basis); !status) return status;
    return share_among_drives(context, workspace->kinematics, rows_, basis, effort_, out);
  }
  Status drive_demand(const EvalContext& context, Workspace& workspace, DriveDemand& out) {
    RowBasis basis;
    if (Status status = effort_of_tree(context, workspace, basis); !status) return status;
    demand_on_drives(context.model(), workspace->kinematics, rows_, basis, effort_, out);
    return {};
  }
  // Writes the efforts of the motion on the tree without loops to effort_, evaluates the rows and
  // determines the row basis.
  Status effort_of_tree(const EvalContext& context, Workspace& workspace, RowBasis& basis) {
    const Model& model = context.model();
    if (!context.inputs().loop_tau.empty())
      return Status::failure(
          fmt::format("{}: efforts are the result: leave inputs.loop_tau out", context.name()));
    if (Status status = check_prescribed_only(context); !status) return status;
    // prescribed joints are drives here: their efforts are computed
    if (Status status = evaluation_.decide(
            model, context.state(), workspace,
            {.count = rows_.prescribed_start(), .frozen_rank = selector_.frozen_rank()}, basis);
        !status)
      return status;
    kernel::kernels().inverse_dynamics(context.input(), context.q(), context.v(), context.a(),
                                       *workspace, effort_);
    kernel::kernels().kinematics(context.unloaded_input(), context.q(), context.v(), context.a(),
                                 *workspace, workspace->kinematics);
    rows_.evaluate(model, workspace->kinematics, context.q(), context.v(), context.a(), context.a(),
                   context.inputs().loop_a);
    return check_kept_closed(context, rows_);
  }

  Status hybrid_dynamics(const EvalContext& context, Workspace& workspace, std::span<double> a,
                         std::span<double> tau, std::span<double> loop_tau) override {
    const Model& model = context.model();
    for (int f = 0; f < model.loop_nv() && loop_tau.empty(); ++f)
      if (model.closure_drive(f) == Drive::motion)
        return Status::failure(fmt::format(
            "{}: loop joint '{}' is driven by motion, and tau has no entry for its effort: give "
            "loop_tau, of {} entries",
            context.name(), model.closure_dof_name(f), model.loop_nv()));
    ConstrainedAnswer answer;
    DriveEfforts efforts;
    if (Status status = prescribed_efforts(context, workspace, answer, efforts); !status)
      return status;
    std::copy_n(answer.a.data(), a.size(), a.begin());
    std::copy_n(efforts.tau.data(), tau.size(), tau.begin());
    std::copy_n(efforts.loop_tau.data(), loop_tau.size(), loop_tau.begin());
    return {};
  }
  Status prescribed_efforts(const EvalContext& context, Workspace& workspace,
                            ConstrainedAnswer& answer, DriveEfforts& out) {
    if (Status status = solve(context, workspace, ConstraintSolver::automatic, nullptr, answer);
        !status)
      return status;
    efforts_of_prescribed(context, rows_, answer, out);
    return {};
  }

  Status add_loop_forces(const char* context, const Model& model, const Kinematics& kinematics,
                         std::span<const double> loop_tau,
                         std::vector<ElementForce>& out) override {
    return trammel::add_loop_forces(context, model, kinematics, loop_tau, out);
  }
  double elastic_energy(const Model& model, const Kinematics& kinematics) override {
    return loop_energy(model, kinematics);
  }

  Status reactions(const EvalContext& context, Workspace& workspace,
                   std::vector<Force<double>>& out) override {
    UniqueReactions answer;
    if (Status status = reactions(context, workspace, ConstraintSolver::automatic, {}, answer);
        !status)
      return status;
    out = std::move(answer.force);
    return {};
  }

  // Forward dynamics by a recursive solver if one applies: its rows are independent, so that no
  // rank has to be determined.
  Status solve_quickly(const EvalContext& context, Workspace& workspace, ConstrainedAnswer& out) {
    if (Status status = check_prescribed_given(context); !status) return status;
    out.basis = {};
    out.basis.count = rows_.count();
    const RecursiveSolverSelector::Choice choice =
        selector_.choose(context, workspace, evaluation_);
    if (!is_slower_than_sparse(context.model(), choice.solver) &&
        by_sweep(context, workspace, choice, out, Jacobian::of_spare_rows))
      return {};
    if (!selector_.is_rank_frozen()) {
      if (Status status = check_closed(context.name(), context.model(), context.state(), workspace);
          !status)
        return status;
      if (solve_sparse_in_general(context, workspace, out)) return {};
    }
    return solve(context, workspace, ConstraintSolver::automatic, nullptr, out);
  }

  Status solve(const EvalContext& context, Workspace& workspace, ConstraintSolver solver,
               const RowBasis* basis, ConstrainedAnswer& out,
               Singular values = Singular::left_out) {
    const Model& model = context.model();
    if (Status status = check_prescribed_given(context); !status) return status;
    if (basis == nullptr) {
      // the first call estimates the generic rank and overwrites the rows, so it comes first
      if (RecursiveSolverSelector::is_one(solver))
        selector_.in_general(model, workspace, evaluation_, solver);
      if (Status status = evaluation_.decide(
              model, context.state(), workspace,
              {.frozen_rank = selector_.frozen_rank(), .values = values}, out.basis);
          !status)
        return status;
      if (RecursiveSolverSelector::is_one(solver)) {
        RecursiveSolver* const recursive = selector_.usual(model, workspace, evaluation_, solver);
        const bool is_slow =
            solver == ConstraintSolver::automatic && is_slower_than_sparse(model, recursive);
        if (!is_slow && by_sweep(context, workspace, {recursive, selector_.skip()}, out)) return {};
      }
      if (solver == ConstraintSolver::star || solver == ConstraintSolver::cluster)
        return no_sweep(context, solver);
    } else {
      out.basis = *basis;
    }
    evaluate_rows_and_effort(context, workspace);
    const bool is_large =
        solver == ConstraintSolver::automatic && sparse_.is_faster_than_dense(model, out.basis);
    if (solver == ConstraintSolver::sparse || is_large) {
      const Status status = solve_sparse(context, workspace, out);
      if (!status && !is_large)
        return Status::failure(fmt::format("{}: {}", context.name(), status.message()));
      if (status.ok()) return check_left_out(context, out);
    }
    evaluation_.evaluate_inertia(model, context.q(), workspace);
    ConstrainedSolution answer;
    if (Status status = solve_constrained_dense(solver, evaluation_.M, rows_.jacobian(), force_,
                                                -rows_.acceleration(), out.basis, answer);
        !status)
      return Status::failure(
          fmt::format("{}: {}{}", context.name(), status.message(),
                      undetermined_motion(model, evaluation_.M, rows_.jacobian(), out.basis)));
    out.a = std::move(answer.a);
    out.lambda = std::move(answer.lambda);
    out.solver = answer.taken;
    return check_left_out(context, out);
  }

  ConstraintEvaluation& evaluation() { return evaluation_; }
  RecursiveSolverSelector& solvers() { return selector_; }

  Status reactions(const EvalContext& context, Workspace& workspace, ConstraintSolver solver,
                   const StressWeights& weights, UniqueReactions& out) {
    if (Status status = refuse_accelerations(context); !status) return status;
    ConstrainedAnswer answer;
    if (Status status = solve(context, workspace, solver, nullptr, answer); !status) return status;
    out.solver = answer.solver;
    kernel::kernels().kinematics(context.unloaded_input(), context.q(), context.v(),
                                 {answer.a.data(), std::size_t(answer.a.size())}, *workspace,
                                 workspace->kinematics);
    least_reactions(context, workspace, rows_, answer, weights, out);
    return {};
  }

  const Eigen::MatrixXd& jacobian() const { return rows_.jacobian(); }
  const ConstraintRows& rows() const { return rows_; }

 private:
  // Rows at the context's state with zero accelerations, except the prescribed ones; efforts minus
  // bias.
  void evaluate_rows_and_effort(const EvalContext& context, Workspace& workspace) {
    kernel::kernels().inverse_dynamics(context.input(), context.q(), context.v(), context.zero(),
                                       *workspace, effort_);
    kernel::kernels().kinematics(context.unloaded_input(), context.q(), context.v(), context.zero(),
                                 *workspace, workspace->kinematics);
    rows_.evaluate(context.model(), workspace->kinematics, context.q(), context.v(), context.zero(),
                   context.inputs().a, context.inputs().loop_a);
    force_ = as_vector(context.tau()) - as_vector(effort_);
  }
  Status check_left_out(const EvalContext& context, const ConstrainedAnswer& answer) const {
    if (selector_.is_rank_frozen())
      return {};  // redundant rows are inactive while the rank is frozen
    return check_left_out_rows(context, rows_, answer.basis, answer.a);
  }

  bool is_slower_than_sparse(const Model& model, const RecursiveSolver* recursive) {
    return recursive != nullptr && !selector_.is_rank_frozen() &&
           sparse_.is_faster_than(*recursive, model, selector_.generic_basis());
  }
  // With out.basis, after evaluate_rows_and_effort.
  Status solve_sparse(const EvalContext& context, Workspace& workspace, ConstrainedAnswer& out) {
    SparseSolver& solver = sparse_.of(context.model(), out.basis);
    gamma_ = -rows_.acceleration();
    out.solver = ConstraintSolver::sparse;
    return solver.solve(context.model(), workspace->kinematics, rows_, as_span(force_), gamma_,
                        out.a, out.lambda);
  }
  // Sparse solver on the generic row basis, which it may use if no row of it is weak and the rows
  // left out are satisfied as by the recursive solvers; else the rank is decided at the state.
  bool solve_sparse_in_general(const EvalContext& context, Workspace& workspace,
                               ConstrainedAnswer& out) {
    const Model& model = context.model();
    const RowBasis& basis = selector_.generic_basis();
    if (basis.rank() == 0 || basis.count != rows_.count() ||
        !sparse_.is_faster_than_dense(model, basis) || !rows_.are_defined())
      return false;
    evaluate_rows_and_effort(context, workspace);
    out.basis.rows = basis.rows;
    out.basis.count = basis.count;
    constexpr double weak = 1e-9;
    if (!solve_sparse(context, workspace, out).ok() ||
        !(sparse_.of(model, basis).weakest_pivot() > weak))
      return false;
    return are_left_out_rows_satisfied(rows_, sparse_.of(model, basis).rows(), out.a);
  }

  enum class Jacobian { always, of_spare_rows };  // of_spare_rows: only if there are redundant rows
  bool by_sweep(const EvalContext& context, Workspace& workspace,
                const RecursiveSolverSelector::Choice& choice, ConstrainedAnswer& out,
                Jacobian wanted = Jacobian::always) {
    const auto& [sweep, skip] = choice;
    out.a.resize(context.model().nv());
    if (sweep == nullptr ||
        !sweep->answers(context, workspace, rows_, {out.a.data(), std::size_t(out.a.size())}, skip))
      return false;
    const bool has_spare = int(sweep->rows().size()) < out.basis.count;
    if (sweep->has_given() && (has_spare || wanted == Jacobian::always))
      rows_.write_jacobian(context.model(), workspace->kinematics);
    out.lambda = Eigen::VectorXd::Zero(out.basis.count);
    for (std::size_t k = 0; k < sweep->rows().size(); ++k)
      out.lambda[sweep->rows()[k]] = sweep->multipliers()[k];
    out.basis.rows = sweep->rows();
    out.solver = sweep->solver();
    return true;
  }
  RecursiveSolver* batch_solver(const Model& model, Workspace& workspace, std::span<char> is_sure) {
    std::ranges::fill(is_sure, false);
    return selector_.usual(model, workspace, evaluation_);
  }
  static Status no_sweep(const EvalContext& context, ConstraintSolver solver) {
    return Status::failure(fmt::format(
        "{}: solver '{}' is not applicable to model '{}' at this state: {}; choose another one, or "
        "none for an automatic choice",
        context.name(), to_string(solver), context.model().name(),
        solver == ConstraintSolver::star
            ? "it needs arms that all support one body, away from singular poses"
            : "it needs loops carried by a body that moves, away from singular "
              "poses"));
  }

  ConstraintEvaluation evaluation_;
  ConstraintRows& rows_ = evaluation_.rows;
  RecursiveSolverSelector selector_;
  SparseSolverSelector sparse_;
  ConstrainedAnswer sparse_answer_;
  std::vector<double> effort_;
  // of batches: flags of inverse_dynamics_batch, and the length of reactions_batch
  std::vector<char> is_driven_;
  bool has_driven_loops_ = false;
  double stress_length_ = 0;
  Eigen::VectorXd force_, gamma_;  // efforts minus bias; right-hand side of the rows
};

namespace {

// Runs a function of the constrained system in an EvalContext. A tree gets a temporary one without
// rows.
template <class Function>
Status with_system(const char* name, const Model& model, const State& state, const Inputs& inputs,
                   Workspace& workspace, Forces forces, const Function& answer) {
  const EvalContext context(name, model, state, inputs, workspace, Constraints::honored, forces);
  if (!context.ok()) return context.status();
  ConstrainedSystem tree(model);
  return answer(context, workspace->constrained ? workspace->constrained->system() : tree);
}

}  // namespace

std::unique_ptr<Constrained> make_constrained(const Model& model) {
  if (!model.has_constraints()) return nullptr;
  return std::make_unique<ConstrainedSystem>(model);
}

std::vector<std::string> row_names(const Model& model) {
  const ConstraintRows rows(model);
  std::vector<std::string> names;
  for (int k = 0; k < rows.count(); ++k) names.push_back(rows.name(k));
  return names;
}

Status constrained_dynamics(const Model& model, const State& state, const Inputs& inputs,
                            Workspace& workspace, ConstrainedAnswer& out, ConstraintSolver solver,
                            const RowBasis* basis) {
  return with_system("constrained_dynamics", model, state, inputs, workspace, Forces::acting,
                     [&](const EvalContext& context, ConstrainedSystem& system) {
                       return system.solve(context, workspace, solver, basis, out,
                                           Singular::computed);
                     });
}
Status dynamics_with_rows(const char* context, const Model& model, const State& state,
                          const Inputs& inputs, Workspace& workspace, ConstrainedAnswer& out,
                          const ConstraintRows*& rows) {
  const EvalContext eval_context(context, model, state, inputs, workspace,
                                 Constraints::honored_unchecked, Forces::acting);
  if (!eval_context.ok()) return eval_context.status();
  TRAMMEL_EXPECTS(workspace->constrained);
  ConstrainedSystem& system = workspace->constrained->system();
  if (Status status = system.solve_quickly(eval_context, workspace, out); !status) return status;
  rows = &system.rows();
  return {};
}
Status dynamics_on_manifold(const Model& model, const State& state, const Inputs& inputs,
                            Workspace& workspace, std::span<double> a) {
  TRAMMEL_EXPECTS(workspace->constrained);
  const EvalContext context("forward_dynamics", model, state, inputs, workspace,
                            Constraints::honored_unchecked, Forces::acting);
  context.expects_vector("a", a.size(), model.nv());
  if (!context.ok()) return context.status();
  if (Status status = check_given_accelerations(context); !status) return status;
  return workspace->constrained->system().forward_dynamics(context, workspace, a);
}
bool dynamics_off_manifold(const Model& model, const State& state, const Inputs& inputs,
                           Workspace& workspace, std::span<double> a) {
  if (!workspace->constrained) return false;
  const EvalContext context("forward_dynamics", model, state, inputs, workspace,
                            Constraints::honored_unchecked, Forces::acting);
  context.expects_vector("a", a.size(), model.nv());
  return context.ok() &&
         workspace->constrained->system().dynamics_off_manifold(context, workspace, a);
}
Status row_basis(const Model& model, const State& state, Workspace& workspace, RowBasis& out) {
  return with_system(
      "row_basis", model, state, {}, workspace, Forces::apart,
      [&](const EvalContext&, ConstrainedSystem& system) {
        return system.evaluation().decide(
            model, state, workspace,
            {.frozen_rank = system.solvers().frozen_rank(), .values = Singular::computed}, out);
      });
}
Status remaining_digits(const Model& model, const State& state, Workspace& workspace, double& out) {
  return with_system("remaining_digits", model, state, {}, workspace, Forces::apart,
                     [&](const EvalContext&, ConstrainedSystem& system) {
                       RowBasis basis;
                       double error = 0;
                       const Status status = system.evaluation().decide(
                           model, state, workspace,
                           {.frozen_rank = system.solvers().frozen_rank(), .error = &error}, basis);
                       constexpr int most = std::numeric_limits<double>::digits10;
                       out = !basis.undecided.empty() ? 0
                             : error > 0 ? std::clamp(-std::log10(error), 0.0, double(most))
                                         : most;
                       return status;
                     });
}
Status freeze_rank(const Model& model, const State& state, Workspace& workspace, int rank) {
  if (!workspace->constrained) return {};
  ConstrainedSystem& system = workspace->constrained->system();
  return system.solvers().freeze(model, state, workspace, system.evaluation(), rank);
}
void unfreeze_rank(Workspace& workspace) {
  if (workspace->constrained) workspace->constrained->system().solvers().unfreeze();
}
int generic_rank(const Model& model, Workspace& workspace) {
  if (!workspace->constrained) return 0;
  ConstrainedSystem& system = workspace->constrained->system();
  return system.solvers().generic_rank(model, workspace, system.evaluation());
}
std::vector<int> generic_rows(const Model& model, Workspace& workspace) {
  if (!workspace->constrained) return {};
  ConstrainedSystem& system = workspace->constrained->system();
  return system.solvers().generic_rows(model, workspace, system.evaluation());
}
Status constraint_jacobian(const Model& model, const State& state, Workspace& workspace,
                           Eigen::MatrixXd& out) {
  return with_system("constraint_jacobian", model, state, {}, workspace, Forces::apart,
                     [&](const EvalContext&, ConstrainedSystem& system) {
                       out = system.jacobian();  // evaluated by the check of the state
                       return Status();
                     });
}
Status drive_efforts(const Model& model, const State& state, const Inputs& inputs,
                     Workspace& workspace, DriveEfforts& out) {
  return with_system("drive_efforts", model, state, inputs, workspace, Forces::acting,
                     [&](const EvalContext& context, ConstrainedSystem& system) {
                       return system.drive_efforts(context, workspace, out);
                     });
}
Status prescribed_efforts(const Model& model, const State& state, const Inputs& inputs,
                          Workspace& workspace, DriveEfforts& out) {
  return with_system("prescribed_efforts", model, state, inputs, workspace, Forces::acting,
                     [&](const EvalContext& context, ConstrainedSystem& system) {
                       ConstrainedAnswer answer;
                       return system.prescribed_efforts(context, workspace, answer, out);
                     });
}
Status drive_demand(const Model& model, const State& state, const Inputs& inputs,
                    Workspace& workspace, DriveDemand& out) {
  return with_system("drive_demand", model, state, inputs, workspace, Forces::acting,
                     [&](const EvalContext& context, ConstrainedSystem& system) {
                       return system.drive_demand(context, workspace, out);
                     });
}
Status constrained_reactions(const Model& model, const State& state, const Inputs& inputs,
                             Workspace& workspace, UniqueReactions& out, ConstraintSolver solver,
                             const StressWeights& weights) {
  check_weights(model, weights);
  return with_system("constrained_reactions", model, state, inputs, workspace, Forces::acting,
                     [&](const EvalContext& context, ConstrainedSystem& system) {
                       return system.reactions(context, workspace, solver, weights, out);
                     });
}

}  // namespace trammel
