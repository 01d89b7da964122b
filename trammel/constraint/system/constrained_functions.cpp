// Functions of constrained mechanisms that use the constrained system of a workspace.
#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/base/expects.hpp"
#include "trammel/constraint/forces/self_stress.hpp"
#include "trammel/constraint/rank/row_condition.hpp"
#include "trammel/constraint/solver/dynamics_with_rows.hpp"
#include "trammel/constraint/solver/freeze_rank.hpp"
#include "trammel/constraint/system/constrained_system.hpp"
#include "trammel/constraint/system/manifold_dynamics.hpp"
#include "trammel/dynamics/given_accelerations.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Runs a function of the constrained system in an EvalContext. A tree gets a temporary one without
// rows.
template <class Function>
Status with_system(const char* name, const Model& model, const State& state, const Inputs& inputs,
                   Workspace& workspace, Forces forces, const Function& answer) {
  const EvalContext context(name, model, state, inputs, workspace, Constraints::honored, forces);
  if (!context.ok()) return context.status();
  if (workspace->constrained) return answer(context, workspace->constrained->system());
  ConstrainedSystem tree(model);
  return answer(context, tree);
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
bool rows_of_last_dynamics(const Model& model, Workspace& workspace, ConstrainedAnswer& out,
                           const ConstraintRows*& rows) {
  if (!workspace->constrained) return false;
  ConstrainedSystem& system = workspace->constrained->system();
  rows = &system.rows();
  return system.last_answer(model, workspace, out);
}
void wheel_multipliers_of_last_dynamics(const Workspace& workspace, WheelMultipliers& out) {
  if (workspace->constrained)
    workspace->constrained->system().last_wheel_multipliers(out);
  else
    out = {};
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
void dynamics_off_manifold_batch(const kernel::Batch& batch, const double* tau,
                                 Workspace& workspace, double* a, std::span<char> is_sure) {
  TRAMMEL_EXPECTS(workspace->constrained);
  workspace->constrained->system().dynamics_off_manifold_batch(batch, tau, workspace, a, is_sure);
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
Status freeze_rank(const Model& model, const State& state, Workspace& workspace, int rank,
                   bool has_same_rows) {
  if (!workspace->constrained) return {};
  ConstrainedSystem& system = workspace->constrained->system();
  RecursiveSolverSelector& solvers = system.solvers();
  if (has_same_rows && solvers.keeps_frozen(model, state, workspace, system.evaluation(), rank))
    return {};
  return solvers.freeze(model, state, workspace, system.evaluation(), rank);
}
void unfreeze_rank(Workspace& workspace) {
  if (workspace->constrained) workspace->constrained->system().solvers().unfreeze();
}
int generic_rank(const Model& model, Workspace& workspace) {
  if (!workspace->constrained) return 0;
  ConstrainedSystem& system = workspace->constrained->system();
  return system.solvers().generic_basis(model, workspace, system.evaluation()).rank();
}
std::vector<int> generic_rows(const Model& model, Workspace& workspace) {
  if (!workspace->constrained) return {};
  ConstrainedSystem& system = workspace->constrained->system();
  return system.solvers().generic_basis(model, workspace, system.evaluation()).rows;
}
Status constraint_jacobian(const Model& model, const State& state, Workspace& workspace,
                           Eigen::MatrixXd& out) {
  return with_system("constraint_jacobian", model, state, {}, workspace, Forces::apart,
                     [&](const EvalContext&, ConstrainedSystem& system) {
                       out = system.rows().jacobian();  // evaluated by the check of the state
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
