#include "trammel/constraint/quick_roads.hpp"

#include <algorithm>
#include <cmath>

#include "trammel/constraint/agreement.hpp"
#include "trammel/constraint/assembly.hpp"
#include "trammel/constraint/choose_rows.hpp"
#include "trammel/constraint/projection.hpp"
#include "trammel/dynamics/matrices.hpp"

namespace trammel {

// Generic row basis: the one of the highest rank at the start and at two assembled states near it
// (a start may be singular). A function of the model alone.
void RecursiveSolverSelector::estimate_generic_rank(const Model& model, Workspace& workspace, RowSight& sight) {
  State state;
  if (!assembled_start(model, workspace, state)) return;
  RankPlan at_start;
  for (const double step : {0.0, 0.11, -0.07}) {
    State beside = state;
    std::fill(beside.v.begin(), beside.v.end(), 0.0);
    std::vector<double> away(beside.v.size());
    for (std::size_t k = 0; k < away.size(); ++k) away[k] = step * std::cos(1.0 + 2.4 * double(k));
    integrate(model, state.q, away, beside.q);
    RankPlan plan;
    if (!assemble(model, beside, workspace, {.nudges = 0}) ||
        !sight.decide(model, beside, workspace, {.held = held_}, plan))
      continue;
    if (step == 0) at_start = plan;
    if (plan.rank() <= general_plan_.rank() && general_J_.size() > 0) continue;
    general_plan_ = plan;
    general_J_ = sight.rows.jacobian();
  }
  for (int row = 0; row < sight.rows.count(); ++row) all_holonomic_ &= sight.rows.is_holonomic(row);
  starts_rank_deficient_ = !all_holonomic_ && at_start.rank() > 0 && at_start.rank() < general_plan_.rank();
  set_order(starts_rank_deficient_ ? at_start : general_plan_, sight);
}

// Couplings and prescribed joints first: no recursive solver works without them.
void RecursiveSolverSelector::set_order(const RankPlan& plan, const RowSight& sight) {
  std::vector<int> order;
  const auto add = [&](int row) {
    if (std::ranges::find(order, row) == order.end()) order.push_back(row);
  };
  for (int row = sight.rows.wheel_rows().second; row < sight.rows.count(); ++row) add(row);
  for (const int row : plan.rows) add(row);
  for (int row = 0; row < sight.rows.count(); ++row) add(row);
  choice_.prefer(std::move(order), int(sight.M.rows()));
}

RecursiveSolver* RecursiveSolverSelector::in_general(const Model& model, Workspace& workspace, RowSight& sight,
                                  ConstraintSolver solver) {
  if (!has_generic_rank_) estimate_generic_rank(model, workspace, sight);
  has_generic_rank_ = true;
  Sweep& sweep = general_[std::size_t(solver)];
  if (!sweep.is_made && general_J_.size() > 0)
    sweep.solver = RecursiveSolver::make(model, general_plan_, general_J_, solver);
  sweep.is_made = true;
  return sweep.solver.get();
}

int RecursiveSolverSelector::general_rank(const Model& model, Workspace& workspace, RowSight& sight) {
  in_general(model, workspace, sight, ConstraintSolver::automatic);
  return general_plan_.rank();
}

RecursiveSolver* RecursiveSolverSelector::of_rows(const Model& model, const std::vector<int>& rows) {
  constexpr std::size_t most = 16;
  if (const auto found = of_rows_.find(rows); found != of_rows_.end()) return found->second.get();
  if (of_rows_.size() >= most) {
    of_rows_.clear();
    last_here_ = nullptr;
  }
  const RankPlan plan{.rows = rows, .count = int(general_J_.rows()), .singular = {}};
  return of_rows_.emplace(rows, RecursiveSolver::make(model, plan, general_J_, ConstraintSolver::automatic))
      .first->second.get();
}

Status RecursiveSolverSelector::hold(const Model& model, const State& state, Workspace& workspace,
                        RowSight& sight, int rank) {
  release();
  if (general_rank(model, workspace, sight) <= rank) return {};  // no row is left out
  held_ = rank;
  sight.look(model, state.q, state.v, workspace);
  choice_.choose(sight.rows.jacobian(), sight.rows.natural_lengths(), rank);
  RankPlan plan{.rows = choice_.rows(), .count = sight.rows.count(), .singular = {}};
  if (choice_.rank() < rank || !choice_.are_strong()) {
    sight.look_with_inertia(model, state, workspace);
    plan = strongest(sight);
    std::ranges::sort(plan.rows);
  }
  frozen_solver_ = of_rows(model, plan.rows);
  return check_left_out_rates(model, sight.rows, plan, state.v);
}

void RecursiveSolverSelector::release() {
  held_ = -1;
  frozen_solver_ = nullptr;
}

RankPlan RecursiveSolverSelector::strongest(const RowSight& sight) const {
  RankPlan plan = choose_rows(sight.rows.jacobian(), sight.M, sight.rows.scales());
  if (plan.rank() > held_) plan.rows.resize(std::size_t(held_));
  return plan;
}

Status RecursiveSolverSelector::project_to_manifold(const Model& model, State& state, Workspace& workspace,
                               RowSight& sight, double gap, const LoopPlan& plan) {
  usual(model, workspace, sight);  // the first call finds the generic rank, without `plan`
  sight.rows.follow(model, plan);
  Status status = close_positions(model, state, workspace, sight, gap, plan);
  if (status.ok()) status = close_velocities(model, state, workspace, sight, plan);
  sight.rows.follow(model, {});
  return status;
}

Status RecursiveSolverSelector::close_positions(const Model& model, State& state, Workspace& workspace,
                                   RowSight& sight, double gap, const LoopPlan& plan) {
  RecursiveSolver* const solver = usual(model, workspace, sight);
  before_ = state.q;
  if (solver != nullptr && solver->closes(model, state, workspace, sight.rows, gap)) return {};
  state.q = before_;
  return project_position(model, state, workspace, nullptr, plan);
}

Status RecursiveSolverSelector::close_velocities(const Model& model, State& state, Workspace& workspace,
                                    RowSight& sight, const LoopPlan& plan) {
  RecursiveSolver* const solver = usual(model, workspace, sight);
  before_ = state.v;
  if (solver != nullptr && solver->keeps_closed(model, state, workspace, sight.rows)) return {};
  state.v = before_;
  if (!is_rank_frozen()) return project_velocity(model, state, workspace, nullptr, plan);
  sight.look_with_inertia(model, state, workspace);
  ConstrainedSolution least;
  if (Status status = solve_constrained_dense(ConstraintSolver::automatic, sight.M, sight.rows.jacobian(),
                             Eigen::VectorXd::Zero(sight.M.rows()), -sight.rows.rate(),
                             strongest(sight), least);
      !status)
    return status;
  for (std::size_t k = 0; k < state.v.size(); ++k) state.v[k] += least.a[Eigen::Index(k)];
  return {};
}

RecursiveSolver* RecursiveSolverSelector::usual(const Model& model, Workspace& workspace, RowSight& sight, ConstraintSolver solver) {
  return is_rank_frozen() ? frozen_solver_ : in_general(model, workspace, sight, solver);
}

RecursiveSolverSelector::Choice RecursiveSolverSelector::choose(const Question& question, Workspace& workspace,
                                      RowSight& sight) {
  RecursiveSolver* const solver = usual(question.model(), workspace, sight);
  if (is_rank_frozen() || !starts_rank_deficient_ || solver == nullptr) return {solver, trust()};
  return choose_here(question, workspace, sight);
}

// Selects by the rows that are independent at this state, if that is beyond doubt: the rows left
// out are then combinations of the others, and the solver checks that they are consistent.
// Otherwise the generic solver, which leaves weak rows to the dense solvers.
RecursiveSolverSelector::Choice RecursiveSolverSelector::choose_here(const Question& question, Workspace& workspace,
                                           RowSight& sight) {
  const Model& model = question.model();
  RecursiveSolver* const general = in_general(model, workspace, sight, ConstraintSolver::automatic);
  RecursiveSolver* const seeing = last_here_ != nullptr ? last_here_ : general;
  seeing->see(question, workspace, sight.rows);
  sight.rows.write_jacobian(model, workspace.kinematics);
  choice_.choose(sight.rows.jacobian(), sight.rows.natural_lengths(), sight.rows.count());
  const bool is_less = choice_.is_sure() && choice_.rank() < general_plan_.rank();
  last_here_ = is_less ? of_rows(model, choice_.rows()) : general;
  return {last_here_, {.are_dependent = is_less, .is_seen = last_here_ == seeing}};
}

bool RecursiveSolverSelector::answer(const Question& question, Workspace& workspace, RowSight& sight,
                        std::span<double> a) {
  Choice choice = choose(question, workspace, sight);
  const auto answers = [&] {
    return choice.solver != nullptr &&
           choice.solver->answers(question, workspace, sight.rows, a, choice.trust);
  };
  if (answers()) return true;
  if (is_rank_frozen() || starts_rank_deficient_ || all_holonomic_ || choice.solver == nullptr) return false;
  choice = choose_here(question, workspace, sight);
  return choice.solver != general_[0].solver.get() && answers();
}

}  // namespace trammel
