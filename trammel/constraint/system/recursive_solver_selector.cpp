#include "trammel/constraint/system/recursive_solver_selector.hpp"

#include <algorithm>
#include <cmath>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/base/sparse_qr.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/assembly/equation_components.hpp"
#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/constraint/solver/consistency.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Steps from the start to the states at which the generic rank is estimated. Three of them decide;
// the others replace states near a singular pose.
constexpr double sample_steps[] = {0.0, 0.11, -0.07, 0.05, -0.13, 0.03};
constexpr int most_samples = 3;

// Displacement of all dofs whose multiples lead to the samples: at most 1. In large components it
// is tangent to the constraints: displacements that are not would lead thousands of joints so far
// from closed loops that assembly takes many steps.
std::vector<double> sample_direction(const Model& model, const State& start, Workspace& workspace,
                                     ConstraintEvaluation& evaluation) {
  std::vector<double> direction(std::size_t(model.nv()));
  for (std::size_t k = 0; k < direction.size(); ++k) direction[k] = std::cos(1.0 + 2.4 * double(k));
  std::vector<EquationComponent> large;
  for (const MatrixComponent& component : evaluation.rows.sparse_jacobian().components())
    if (std::ssize(component.rows) > most_dense_rows)
      large.push_back({component.rows, component.columns, {}});
  if (large.empty()) return direction;
  evaluation.evaluate(model, start.q, workspace->zero, workspace);
  const SparseRows& J = evaluation.rows.sparse_jacobian();
  const Eigen::VectorXd across = minimum_norm_solution(J, large, J * as_vector(direction));
  for (const EquationComponent& component : large) {
    const Eigen::VectorXd along = (as_vector(direction) - across)(component.dofs);
    const double largest = max_abs(along);
    if (!(largest > 1e-6)) continue;  // nothing moves
    for (std::size_t k = 0; k < component.dofs.size(); ++k)
      direction[std::size_t(component.dofs[k])] = along[Eigen::Index(k)] / largest;
  }
  return direction;
}

// Upper bound of the rank of rows with this J: of each component, the number of its rows with an
// entry, or of its dofs.
int most_rank(const SparseRows& J) {
  std::ptrdiff_t rank = 0;
  for (const auto& [rows, columns] : J.components()) {
    const std::ptrdiff_t with_entries = std::ranges::count_if(rows, [&](int row) {
      return std::ranges::any_of(J.values(row), [](double x) { return x != 0; });
    });
    rank += std::min(with_entries, std::ssize(columns));
  }
  return int(rank);
}

// Upper bound of the rank at all positions: that of a position in general, which violates the
// constraints. The entries of J are analytic functions of q: one that is zero there is zero
// everywhere, but for a chance of measure zero.
int most_rank_anywhere(const Model& model, const State& start, Workspace& workspace,
                       ConstraintEvaluation& evaluation) {
  std::vector<double> step(std::size_t(model.nv())), q(start.q.size());
  for (std::size_t k = 0; k < step.size(); ++k) step[k] = 0.11 * std::cos(1.0 + 2.4 * double(k));
  integrate(model, start.q, step, q);
  evaluation.evaluate(model, q, workspace->zero, workspace);
  return evaluation.rows.are_defined() ? most_rank(evaluation.rows.sparse_jacobian())
                                       : evaluation.rows.count();
}

}  // namespace

// Generic row basis: the one of the highest rank at the start and at two assembled states near it
// (a start may be singular), unless no position can have a higher rank than the start. A function
// of the model alone. A state where sparse QR is not certain of a large component is replaced by
// another one; its rank would be at most the generic one. If there are not enough others, its dense
// matrix decides.
void RecursiveSolverSelector::estimate_generic_rank(const Model& model, Workspace& workspace,
                                                    ConstraintEvaluation& evaluation) {
  for (int row = 0; row < evaluation.rows.count(); ++row)
    all_holonomic_ &= evaluation.rows.is_holonomic(row);
  State start;
  if (!assembled_start(model, workspace, start)) return;
  RowBasis at_start;
  std::vector<double> direction, uncertain;  // uncertain: steps
  int samples = 0;
  const auto take = [&](double step, bool sparse_only) {
    State near = start;
    std::fill(near.v.begin(), near.v.end(), 0.0);
    if (step != 0) {
      if (direction.empty()) direction = sample_direction(model, start, workspace, evaluation);
      std::vector<double> away = direction;
      for (double& x : away) x *= step;
      integrate(model, start.q, away, near.q);
    }
    if (!assemble(model, near, workspace, {.nudges = 0})) return true;
    RowBasis basis;
    if (!evaluation.decide(model, near, workspace,
                           {.frozen_rank = frozen_rank_, .sparse_only = sparse_only}, basis))
      return !sparse_only;
    if (step == 0) at_start = basis;
    if (basis.rank() <= generic_basis_.rank() && has_generic_J_) return true;
    generic_basis_ = basis;
    generic_J_ = evaluation.rows.sparse_jacobian();
    has_generic_J_ = true;
    return true;
  };
  for (const double step : sample_steps) {
    if (samples == most_samples) break;
    if (take(step, step != 0 || all_holonomic_))
      ++samples;
    else
      uncertain.push_back(step);
    if (step == 0 && has_generic_J_ &&
        generic_basis_.rank() == most_rank_anywhere(model, start, workspace, evaluation))
      samples = most_samples;
  }
  for (const double step : uncertain)
    if (samples++ < most_samples) take(step, false);
  starts_rank_deficient_ =
      !all_holonomic_ && at_start.rank() > 0 && at_start.rank() < generic_basis_.rank();
  set_order(starts_rank_deficient_ ? at_start : generic_basis_, evaluation);
}

// Couplings and prescribed joints first: no recursive solver works without them.
void RecursiveSolverSelector::set_order(const RowBasis& basis,
                                        const ConstraintEvaluation& evaluation) {
  std::vector<int> order;
  std::vector<bool> is_listed(std::size_t(evaluation.rows.count()), false);
  const auto add = [&](int row) {
    if (!is_listed[std::size_t(row)]) order.push_back(row);
    is_listed[std::size_t(row)] = true;
  };
  for (int row = evaluation.rows.coupling_start(); row < evaluation.rows.count(); ++row) add(row);
  for (const int row : basis.rows) add(row);
  for (int row = 0; row < evaluation.rows.count(); ++row) add(row);
  choice_.prefer(std::move(order), evaluation.rows.sparse_jacobian().cols());
}

const RowBasis& RecursiveSolverSelector::generic_basis(const Model& model, Workspace& workspace,
                                                       ConstraintEvaluation& evaluation) {
  if (!has_generic_rank_) estimate_generic_rank(model, workspace, evaluation);
  has_generic_rank_ = true;
  return generic_basis_;
}

RecursiveSolver* RecursiveSolverSelector::in_general(const Model& model, Workspace& workspace,
                                                     ConstraintEvaluation& evaluation,
                                                     ConstraintSolver solver) {
  generic_basis(model, workspace, evaluation);
  Sweep& sweep = general_[std::size_t(solver)];
  if (!sweep.is_made && has_generic_J_)
    sweep.solver = RecursiveSolver::make(model, generic_basis_, generic_J_, solver);
  sweep.is_made = true;
  return sweep.solver.get();
}

RecursiveSolver* RecursiveSolverSelector::of_rows(const Model& model,
                                                  const std::vector<int>& rows) {
  constexpr std::size_t most = 16;
  if (const auto found = of_rows_.find(rows); found != of_rows_.end()) return found->second.get();
  if (of_rows_.size() >= most) {
    of_rows_.clear();
    last_here_ = nullptr;
  }
  const RowBasis basis{.rows = rows, .count = generic_J_.rows(), .singular = {}};
  return of_rows_
      .emplace(rows, RecursiveSolver::make(model, basis, generic_J_, ConstraintSolver::automatic))
      .first->second.get();
}

Status RecursiveSolverSelector::freeze(const Model& model, const State& state, Workspace& workspace,
                                       ConstraintEvaluation& evaluation, int rank) {
  unfreeze();
  if (generic_basis(model, workspace, evaluation).rank() <= rank) return {};  // no row is left out
  frozen_rank_ = rank;
  evaluation.evaluate(model, state.q, state.v, workspace);
  choice_.choose(evaluation.rows.jacobian(), evaluation.rows.row_scales(), rank);
  RowBasis basis{.rows = choice_.rows(), .count = evaluation.rows.count(), .singular = {}};
  if (choice_.rank() < rank || !choice_.are_strong()) {
    basis = strongest(model, workspace, evaluation);
    std::ranges::sort(basis.rows);
  }
  frozen_solver_ = of_rows(model, basis.rows);
  frozen_basis_ = std::move(basis);
  return check_left_out_rates(model, evaluation.rows, frozen_basis_, state.v);
}

bool RecursiveSolverSelector::keeps_frozen(const Model& model, const State& state,
                                           Workspace& workspace, ConstraintEvaluation& evaluation,
                                           int rank) const {
  if (frozen_rank_ != rank) return false;
  evaluation.evaluate_without_jacobian(model, state.q, state.v, workspace);
  return check_left_out_rates(model, evaluation.rows, frozen_basis_, state.v).ok();
}

void RecursiveSolverSelector::unfreeze() {
  frozen_rank_ = -1;
  frozen_solver_ = nullptr;
}

RowBasis RecursiveSolverSelector::strongest(const Model& model, const Workspace& workspace,
                                            ConstraintEvaluation& evaluation) const {
  RowBasis basis = evaluation.basis(model, workspace, {});
  if (basis.rank() > frozen_rank_) basis.rows.resize(std::size_t(frozen_rank_));
  return basis;
}

Status RecursiveSolverSelector::project_to_manifold(const Model& model, State& state,
                                                    Workspace& workspace,
                                                    ConstraintEvaluation& evaluation,
                                                    double violation,
                                                    const PrescribedLoopMotion& loops) {
  usual(model, workspace, evaluation);  // the first call finds the generic rank, without `loops`
  evaluation.rows.follow(model, loops);
  Status status = close_positions(model, state, workspace, evaluation, violation, loops);
  if (status.ok()) status = close_velocities(model, state, workspace, evaluation, loops);
  evaluation.rows.follow(model, {});
  return status;
}

Status RecursiveSolverSelector::close_positions(const Model& model, State& state,
                                                Workspace& workspace,
                                                ConstraintEvaluation& evaluation, double violation,
                                                const PrescribedLoopMotion& loops) {
  RecursiveSolver* const solver = usual(model, workspace, evaluation);
  before_ = state.q;
  if (solver != nullptr && solver->closes(model, state, workspace, evaluation.rows, violation))
    return {};
  state.q = before_;
  return project_position(model, state, workspace, nullptr, loops);
}

Status RecursiveSolverSelector::close_velocities(const Model& model, State& state,
                                                 Workspace& workspace,
                                                 ConstraintEvaluation& evaluation,
                                                 const PrescribedLoopMotion& loops) {
  RecursiveSolver* const solver = usual(model, workspace, evaluation);
  before_ = state.v;
  if (solver != nullptr && solver->keeps_closed(model, state, workspace, evaluation.rows))
    return {};
  state.v = before_;
  if (!is_rank_frozen()) return project_velocity(model, state, workspace, nullptr, loops);
  evaluation.evaluate_with_inertia(model, state, workspace);
  ConstrainedSolution least;
  if (Status status = solve_constrained_dense(
          ConstraintSolver::automatic, evaluation.M, evaluation.rows.jacobian(),
          Eigen::VectorXd::Zero(evaluation.M.rows()), -evaluation.rows.rate(),
          strongest(model, workspace, evaluation), least);
      !status)
    return status;
  for (std::size_t k = 0; k < state.v.size(); ++k) state.v[k] += least.a[Eigen::Index(k)];
  return {};
}

RecursiveSolver* RecursiveSolverSelector::usual(const Model& model, Workspace& workspace,
                                                ConstraintEvaluation& evaluation,
                                                ConstraintSolver solver) {
  return is_rank_frozen() ? frozen_solver_ : in_general(model, workspace, evaluation, solver);
}

RecursiveSolverSelector::Choice RecursiveSolverSelector::choose(const EvalContext& context,
                                                                Workspace& workspace,
                                                                ConstraintEvaluation& evaluation) {
  RecursiveSolver* const solver = usual(context.model(), workspace, evaluation);
  if (is_rank_frozen() || !starts_rank_deficient_ || solver == nullptr) return {solver, skip()};
  return choose_here(context, workspace, evaluation);
}

// Selects by the rows that are independent at this state, if that is beyond doubt: the rows left
// out are then combinations of the others, and the solver checks that they are consistent.
// Otherwise the generic solver, which leaves weak rows to the dense solvers.
RecursiveSolverSelector::Choice RecursiveSolverSelector::choose_here(
    const EvalContext& context, Workspace& workspace, ConstraintEvaluation& evaluation) {
  const Model& model = context.model();
  RecursiveSolver* const general =
      in_general(model, workspace, evaluation, ConstraintSolver::automatic);
  RecursiveSolver* const evaluating = last_here_ != nullptr ? last_here_ : general;
  evaluating->evaluate_rows(context, workspace, evaluation.rows);
  evaluation.rows.write_jacobian(model, workspace->kinematics);
  choice_.choose(evaluation.rows.jacobian(), evaluation.rows.row_scales(), evaluation.rows.count());
  const bool is_less = choice_.is_sure() && choice_.rank() < generic_basis_.rank();
  last_here_ = is_less ? of_rows(model, choice_.rows()) : general;
  return {last_here_, {.are_dependent = is_less, .is_evaluated = last_here_ == evaluating}};
}

// Only where rows that are not holonomic may be dependent at this state but not generically.
RecursiveSolverSelector::Choice RecursiveSolverSelector::choose_again(
    const EvalContext& context, Workspace& workspace, ConstraintEvaluation& evaluation) {
  if (is_rank_frozen() || starts_rank_deficient_ || all_holonomic_) return {};
  const Choice choice = choose_here(context, workspace, evaluation);
  return choice.solver != general_[0].solver.get() ? choice : Choice{};
}

}  // namespace trammel
