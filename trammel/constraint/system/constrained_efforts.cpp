// Inverse and hybrid dynamics of a constrained system: efforts of the drives for given motions.
#include <fmt/format.h>

#include <algorithm>

#include "trammel/constraint/solver/state_checks.hpp"
#include "trammel/constraint/system/constrained_system.hpp"
#include "trammel/dynamics/given_accelerations.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

Status ConstrainedSystem::inverse_dynamics(const EvalContext& context, Workspace& workspace,
                                           std::span<double> tau) {
  if (const int dof = driven_loop_dof(context.model()); dof >= 0)
    return Status::failure(
        fmt::format("{}: loop joint '{}' is driven, and tau has no entry for its effort: call "
                    "drive_efforts",
                    context.name(), context.model().closure_dof_name(dof)));
  if (inverse_dynamics_by_components(context, workspace, tau)) return {};
  if (Status status = check_closed(context.name(), context.model(), context.state(), workspace);
      !status)
    return status;
  RowBasis basis;
  if (Status status = effort_of_tree(context, workspace, basis); !status) return status;
  if (basis.rank() == 0) {  // all rows are redundant: the coordinates are those of a tree
    std::ranges::copy(effort_, tau.begin());
    return {};
  }
  if (share_among_all_joints(context.model(), rows_, basis, effort_, tau)) return {};
  DriveEfforts efforts;
  if (Status status =
          share_among_drives(context, workspace->kinematics, rows_, basis, effort_, efforts);
      !status)
    return status;
  std::copy_n(efforts.tau.data(), tau.size(), tau.begin());
  return {};
}

Status ConstrainedSystem::drive_efforts(const EvalContext& context, Workspace& workspace,
                                        DriveEfforts& out) {
  RowBasis basis;
  if (Status status = effort_of_tree(context, workspace, basis); !status) return status;
  return share_among_drives(context, workspace->kinematics, rows_, basis, effort_, out);
}

Status ConstrainedSystem::drive_demand(const EvalContext& context, Workspace& workspace,
                                       DriveDemand& out) {
  RowBasis basis;
  if (Status status = effort_of_tree(context, workspace, basis); !status) return status;
  demand_on_drives(context.model(), workspace->kinematics, rows_, basis, effort_, out);
  return {};
}

Status ConstrainedSystem::effort_of_tree(const EvalContext& context, Workspace& workspace,
                                         RowBasis& basis) {
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

Status ConstrainedSystem::hybrid_dynamics(const EvalContext& context, Workspace& workspace,
                                          std::span<double> a, std::span<double> tau,
                                          std::span<double> loop_tau) {
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

Status ConstrainedSystem::prescribed_efforts(const EvalContext& context, Workspace& workspace,
                                             ConstrainedAnswer& answer, DriveEfforts& out) {
  if (Status status = solve(context, workspace, ConstraintSolver::automatic, nullptr, answer);
      !status)
    return status;
  efforts_of_prescribed(context, rows_, answer, out);
  return {};
}

}  // namespace trammel
