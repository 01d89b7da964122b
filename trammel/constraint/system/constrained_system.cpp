#include "trammel/constraint/system/constrained_system.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/constraint/forces/self_stress.hpp"
#include "trammel/constraint/solver/consistency.hpp"
#include "trammel/constraint/solver/dense_solvers.hpp"
#include "trammel/constraint/solver/state_checks.hpp"
#include "trammel/constraint/system/sparse_projection.hpp"
#include "trammel/dynamics/given_accelerations.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

Status not_applicable(const EvalContext& context, ConstraintSolver solver) {
  return Status::failure(fmt::format(
      "{}: solver '{}' is not applicable to model '{}' at this state: {}; choose another one, or "
      "none for an automatic choice",
      context.name(), to_string(solver), context.model().name(),
      solver == ConstraintSolver::star
          ? "it needs arms that all support one body, away from singular poses"
          : "it needs loops carried by a body that moves, away from singular "
            "poses"));
}

}  // namespace

Status ConstrainedSystem::check_closed(const char* context, const Model& model, const State& state,
                                       Workspace& workspace) {
  evaluation_.evaluate(model, state.q, state.v, workspace);
  return trammel::check_closed(context, model, state, rows_);
}

Status ConstrainedSystem::project_to_manifold(const Model& model, State& state,
                                              Workspace& workspace, double violation,
                                              const PrescribedLoopMotion& loops) {
  if (projects_sparse(model, workspace, loops)) {
    projected_ = state;
    if (project_sparse(model, projected_, workspace, evaluation_,
                       sparse_.of(model, selector_.generic_basis()), violation)) {
      state.q.swap(projected_.q);
      state.v.swap(projected_.v);
      return {};
    }
  }
  return selector_.project_to_manifold(model, state, workspace, evaluation_, violation, loops);
}

Status ConstrainedSystem::forward_dynamics(const EvalContext& context, Workspace& workspace,
                                           std::span<double> a) {
  last_solver_ = nullptr;
  if (Status status = check_prescribed_given(context); !status) return status;
  const auto solves = [&](const RecursiveSolverSelector::Choice& choice) {
    return choice.solver != nullptr &&
           solves_by(*choice.solver, choice.skip, context, workspace, a);
  };
  const RecursiveSolverSelector::Choice choice = choose_recursive(context, workspace);
  if (choice.solver != nullptr &&
      (solves(choice) || solves(selector_.choose_again(context, workspace, evaluation_))))
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
  if (!selector_.is_rank_frozen() && solve_sparse_in_general(context, workspace, sparse_answer_)) {
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

// Forward dynamics at an integrator stage off the constraint manifold. With a fixed basis of
// independent rows, J a = gamma is as smooth near the manifold as on it; solved at the given state,
// it keeps the violation that the state has. Not where rows follow a prescribed motion of a loop
// joint.
bool ConstrainedSystem::dynamics_off_manifold(const EvalContext& context, Workspace& workspace,
                                              std::span<double> a) {
  last_solver_ = nullptr;
  const Model& model = context.model();
  for (int f = 0; f < model.loop_nv(); ++f)
    if (model.closure_drive(f) == Drive::motion) return false;
  if (model.has_loops() && is_recursion_replaced(model, workspace)) return false;
  RecursiveSolver* const sweep = selector_.usual(model, workspace, evaluation_);
  SkipChecks skip = selector_.skip();
  skip.is_closed = true;
  return sweep != nullptr && check_prescribed_given(context).ok() &&
         solves_by(*sweep, skip, context, workspace, a);
}

bool ConstrainedSystem::last_answer(const Model& model, const Workspace& workspace,
                                    ConstrainedAnswer& out) {
  if (last_solver_ == nullptr || !last_solver_->has_given()) return false;
  out.basis = {};
  out.basis.count = rows_.count();
  write_multipliers(*last_solver_, model, workspace, out, Jacobian::of_spare_rows);
  return true;
}

void ConstrainedSystem::last_wheel_multipliers(WheelMultipliers& out) const {
  const auto [first, end] = rows_.wheel_rows();
  out.of_rows.assign(std::size_t(end - first), 0.0);
  out.are_known = last_solver_ != nullptr && last_solver_->has_given();
  if (!out.are_known) return;
  const std::vector<int>& rows = last_solver_->rows();
  out.are_unique = int(rows.size()) == rows_.count();
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k] >= first && rows[k] < end)
      out.of_rows[std::size_t(rows[k] - first)] = last_solver_->multipliers()[k];
}

void ConstrainedSystem::write_multipliers(const RecursiveSolver& solver, const Model& model,
                                          const Workspace& workspace, ConstrainedAnswer& out,
                                          Jacobian wanted) {
  const bool has_spare = int(solver.rows().size()) < out.basis.count;
  if (solver.has_given() && (has_spare || wanted == Jacobian::always))
    rows_.write_jacobian(model, workspace->kinematics);
  out.lambda = Eigen::VectorXd::Zero(out.basis.count);
  for (std::size_t k = 0; k < solver.rows().size(); ++k)
    out.lambda[solver.rows()[k]] = solver.multipliers()[k];
  out.basis.rows = solver.rows();
  out.solver = solver.solver();
}

bool ConstrainedSystem::solves_by(RecursiveSolver& solver, const SkipChecks& skip,
                                  const EvalContext& context, Workspace& workspace,
                                  std::span<double> a) {
  const bool is_solved = solver.answers(context, workspace, rows_, a, skip);
  last_solver_ = is_solved ? &solver : nullptr;
  return is_solved;
}

Status ConstrainedSystem::add_loop_forces(const char* context, const Model& model,
                                          const Kinematics& kinematics,
                                          std::span<const double> loop_tau,
                                          std::vector<ElementForce>& out) {
  return trammel::add_loop_forces(context, model, kinematics, loop_tau, out);
}

double ConstrainedSystem::elastic_energy(const Model& model, const Kinematics& kinematics) {
  return loop_energy(model, kinematics);
}

Status ConstrainedSystem::reactions(const EvalContext& context, Workspace& workspace,
                                    std::vector<Force<double>>& out) {
  if (reactions_by_components(context, workspace, out)) return {};
  if (Status status = check_closed(context.name(), context.model(), context.state(), workspace);
      !status)
    return status;
  UniqueReactions answer;
  if (Status status = reactions(context, workspace, ConstraintSolver::automatic, {}, answer);
      !status)
    return status;
  out = std::move(answer.force);
  return {};
}

Status ConstrainedSystem::solve_quickly(const EvalContext& context, Workspace& workspace,
                                        ConstrainedAnswer& out) {
  if (Status status = check_prescribed_given(context); !status) return status;
  out.basis = {};
  out.basis.count = rows_.count();
  if (solve_recursively(context, workspace, choose_recursive(context, workspace), out,
                        Jacobian::of_spare_rows))
    return {};
  if (!selector_.is_rank_frozen()) {
    if (Status status = check_closed(context.name(), context.model(), context.state(), workspace);
        !status)
      return status;
    if (solve_sparse_in_general(context, workspace, out)) return {};
  }
  return solve(context, workspace, ConstraintSolver::automatic, nullptr, out);
}

Status ConstrainedSystem::solve(const EvalContext& context, Workspace& workspace,
                                ConstraintSolver solver, const RowBasis* basis,
                                ConstrainedAnswer& out, Singular values) {
  const Model& model = context.model();
  if (Status status = check_prescribed_given(context); !status) return status;
  if (basis == nullptr) {
    // the first call estimates the generic rank and overwrites the rows, so it comes first
    const bool is_recursive =
        RecursiveSolverSelector::is_one(solver) &&
        !(solver == ConstraintSolver::automatic && is_recursion_replaced(model, workspace));
    if (is_recursive) selector_.in_general(model, workspace, evaluation_, solver);
    if (Status status = evaluation_.decide(
            model, context.state(), workspace,
            {.frozen_rank = selector_.frozen_rank(), .values = values}, out.basis);
        !status)
      return status;
    if (is_recursive) {
      RecursiveSolver* const recursive = selector_.usual(model, workspace, evaluation_, solver);
      const bool is_slow =
          solver == ConstraintSolver::automatic && is_slower_than_sparse(model, recursive);
      if (!is_slow && solve_recursively(context, workspace, {recursive, selector_.skip()}, out))
        return {};
    }
    if (solver == ConstraintSolver::star || solver == ConstraintSolver::cluster)
      return not_applicable(context, solver);
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

Status ConstrainedSystem::reactions(const EvalContext& context, Workspace& workspace,
                                    ConstraintSolver solver, const StressWeights& weights,
                                    UniqueReactions& out) {
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

void ConstrainedSystem::evaluate_rows_and_effort(const EvalContext& context, Workspace& workspace) {
  kernel::kernels().inverse_dynamics(context.input(), context.q(), context.v(), context.zero(),
                                     *workspace, effort_);
  kernel::kernels().kinematics(context.unloaded_input(), context.q(), context.v(), context.zero(),
                               *workspace, workspace->kinematics);
  rows_.evaluate(context.model(), workspace->kinematics, context.q(), context.v(), context.zero(),
                 context.inputs().a, context.inputs().loop_a);
  force_ = as_vector(context.tau()) - as_vector(effort_);
}

Status ConstrainedSystem::check_left_out(const EvalContext& context,
                                         const ConstrainedAnswer& answer) const {
  if (selector_.is_rank_frozen())
    return {};  // redundant rows are inactive while the rank is frozen
  return check_left_out_rows(context, rows_, answer.basis, answer.a);
}

RecursiveSolverSelector::Choice ConstrainedSystem::choose_recursive(const EvalContext& context,
                                                                    Workspace& workspace) {
  if (is_recursion_replaced(context.model(), workspace)) return {};
  const RecursiveSolverSelector::Choice choice = selector_.choose(context, workspace, evaluation_);
  return is_slower_than_sparse(context.model(), choice.solver) ? RecursiveSolverSelector::Choice{}
                                                               : choice;
}

bool ConstrainedSystem::is_recursion_replaced(const Model& model, Workspace& workspace) {
  return !selector_.is_rank_frozen() &&
         sparse_.replaces_recursion(model, selector_.generic_basis(model, workspace, evaluation_),
                                    selector_.generic_jacobian());
}

bool ConstrainedSystem::is_slower_than_sparse(const Model& model,
                                              const RecursiveSolver* recursive) {
  return recursive != nullptr && !selector_.is_rank_frozen() &&
         sparse_.is_faster_than(*recursive, model, selector_.generic_basis());
}

bool ConstrainedSystem::projects_sparse(const Model& model, Workspace& workspace,
                                        const PrescribedLoopMotion& loops) {
  if (selector_.is_rank_frozen() || !loops.q.empty() || !loops.v.empty() ||
      !model.wheels().empty() || rows_.prescribed_start() != rows_.count())
    return false;
  const bool is_replaced = is_recursion_replaced(model, workspace);
  const RecursiveSolver* const recursive =
      is_replaced ? nullptr : selector_.usual(model, workspace, evaluation_);
  const RowBasis& basis = selector_.generic_basis();
  if (basis.rank() == 0 || basis.count != rows_.count()) return false;
  return is_replaced || (recursive != nullptr ? is_slower_than_sparse(model, recursive)
                                              : sparse_.is_faster_than_dense(model, basis));
}

Status ConstrainedSystem::solve_sparse(const EvalContext& context, Workspace& workspace,
                                       ConstrainedAnswer& out) {
  SparseSolver& solver = sparse_.of(context.model(), out.basis);
  gamma_ = -rows_.acceleration();
  out.solver = ConstraintSolver::sparse;
  return solver.solve(context.model(), workspace->kinematics, rows_, as_span(force_), gamma_, out.a,
                      out.lambda);
}

bool ConstrainedSystem::solve_sparse_in_general(const EvalContext& context, Workspace& workspace,
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

bool ConstrainedSystem::solve_recursively(const EvalContext& context, Workspace& workspace,
                                          const RecursiveSolverSelector::Choice& choice,
                                          ConstrainedAnswer& out, Jacobian wanted) {
  const auto& [sweep, skip] = choice;
  out.a.resize(context.model().nv());
  if (sweep == nullptr ||
      !sweep->answers(context, workspace, rows_, {out.a.data(), std::size_t(out.a.size())}, skip))
    return false;
  write_multipliers(*sweep, context.model(), workspace, out, wanted);
  return true;
}

}  // namespace trammel
