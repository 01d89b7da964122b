#include "trammel/constraint/forces/locked_joints.hpp"

#include <Eigen/Core>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/constraint/solver/dense_solvers.hpp"
#include "trammel/dynamics/kernel/tree/passive_forces.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

using LoopDof = PrescribedLoopDofBlock;

// Tolerance: a smaller share of a dof in a motion is rounding.
constexpr double nothing = 1e-9;

// Constraint rows without those of locked joints of the tree.
struct Released {
  Eigen::MatrixXd J;
  Eigen::VectorXd gamma;
  RowScales scales;
};
Released without_locks(const Model& model, const ConstraintRows& rows) {
  std::vector<int> kept;
  for (int row = 0; row < rows.count(); ++row) {
    const int dof = row < rows.prescribed_start() ? -1 : rows.prescribed_dof(row);
    if (dof < 0 || model.prescription(dof) != Drive::locked) kept.push_back(row);
  }
  return {rows.jacobian()(kept, Eigen::all), -rows.acceleration()(kept), rows.scales(kept)};
}

// Row basis without locks at the projected state: dependent rows look independent at a state that
// violates its loops.
Status decide_without_locks(const Model& model, State state, Workspace& workspace,
                            RowBasis& basis) {
  std::fill(state.v.begin(), state.v.end(), 0.0);
  if (Status status = assemble(model, state, workspace, {.nudges = 0}); !status) return status;
  Eigen::MatrixXd M(model.nv(), model.nv());
  kernel::kernels().mass_matrix({model, model.numbers()}, state.q, *workspace, span_of(M));
  kernel::kernels().kinematics({model, model.numbers()}, state.q, workspace->zero, workspace->zero,
                               *workspace, workspace->kinematics);
  ConstraintRows rows(model);
  rows.evaluate(model, workspace->kinematics, state.q, workspace->zero, workspace->zero, {});
  const Released free = without_locks(model, rows);
  basis = rank_with_singular_values(free.J, M, free.scales);
  return {};
}

// Reaction of a joint along one of its dofs, including actuator and spring efforts.
double effort_along(const Model& model, const Kinematics& moving, const UniqueReactions& reactions,
                    int dof) {
  for (std::size_t j = 0; j < model.joints().size(); ++j) {
    const NamedJoint& joint = model.joints()[j];
    if (dof < joint.v_start || dof >= joint.v_start + joint.nv) continue;
    const Pose<double> X_WM = pose(model, moving, FrameRef{joint.child, joint.X_CM});
    const auto& [n, f] = reactions.force[j];
    const double sign = joint.is_reversed ? -1 : 1;
    const Force<double> F = sign * Force<double>{X_WM.R * n, X_WM.R * f};
    const Vec3<double> origin = moving.X_WB[std::size_t(joint.body)].p;
    return dot(moving.axes[std::size_t(dof)], acting_at(X_WM.p - origin, F));
  }
  return 0;
}

// Reaction of a loop joint along one of its dofs, without the forces `own` of its spring, damper
// and drive.
double effort_along_loop(const Model& model, const Kinematics& kinematics,
                         const UniqueReactions& reactions, std::span<const ElementForce> own,
                         const LoopDof& dof) {
  const Closure& closure = model.closures()[std::size_t(dof.closure)];
  const ClosureAt at = evaluate_near_rest(model, dof.closure, kinematics);
  const Mat3<double>& T = model.numbers().closures[std::size_t(dof.closure)].turn;
  const auto& [n, f] = reactions.force[std::size_t(index(*closure.named))];
  Force<double> F{transpose_times(T, n), transpose_times(T, f)};
  for (const ElementForce& element : own)
    if (element.closure == dof.closure) F = F - turned(transpose(at.X_WM.R), element.F);
  return dot(at.columns[dof.k], F);
}

// Constraint forces of locked loop joints.
Status judge_loops(const EvalContext& context, Workspace& workspace, const ConstraintRows& rows,
                   const UniqueReactions& reactions, LockedJoints& out) {
  const Model& model = context.model();
  const auto& prescribed = rows.at().prescribed_loop_dofs();
  std::vector<std::size_t> locked;
  for (std::size_t k = 0; k < prescribed.size(); ++k)
    if (model.closure_drive(prescribed[k].dof) == Drive::locked) locked.push_back(k);
  out.loop_effort.resize(Eigen::Index(locked.size()));
  if (locked.empty()) return {};
  RowBasis basis;
  Workspace room(model);
  if (Status status = row_basis(model, context.state(), room, basis); !status) return status;
  const Eigen::MatrixXd sets = dependent_sets(rows.jacobian(), basis);
  for (std::size_t i = 0; i < locked.size(); ++i) {
    const LoopDof& dof = prescribed[locked[i]];
    const auto row = Eigen::Index(rows.count() - int(prescribed.size()) + int(locked[i]));
    out.loop_dofs.push_back(dof.dof);
    out.loop_effort[Eigen::Index(i)] =
        effort_along_loop(model, workspace->kinematics, reactions, workspace->element_forces, dof);
    out.loop_is_unique.push_back(sets.cols() == 0 || max_abs(sets.row(row)) == 0);
  }
  return {};
}

// Rank, uniqueness, immovable and dependent sets of locked dofs. `ways`: rows of the locked dofs in
// the orthonormal null-space basis without locks. `gives` has the same rank, but has units, and no
// scale where no motion is possible.
void judge_placement(const Model& model, const Eigen::MatrixXd& ways, LockedJoints& out) {
  const Eigen::Index n = ways.rows();
  out.is_unique.assign(std::size_t(n), true);
  Eigen::MatrixXd sets = Eigen::MatrixXd::Identity(n, n);
  if (ways.cols() > 0) {
    // sparse null-space basis by LU, so that each set names only joints that depend on each other
    const FullPivotLu lu(ways.transpose(), nothing);
    out.rank = max_abs(ways) > nothing ? int(lu.rank()) : 0;
    if (out.rank == n) return;
    if (out.rank > 0) sets = lu.kernel();
  }
  const auto is_immovable = [&](Eigen::Index k) { return ways.row(k).norm() <= nothing; };
  const auto name = [&](Eigen::Index k) { return model.dof_name(out.dofs[std::size_t(k)]); };
  std::vector<Eigen::Index> movable;
  for (Eigen::Index k = 0; k < n; ++k)
    if (is_immovable(k)) {
      out.immovable.push_back(name(k));
      out.is_unique[std::size_t(k)] = false;
    } else {
      movable.push_back(k);
    }
  for (Eigen::Index set = 0; set < sets.cols(); ++set) {
    std::string names;
    for (const Eigen::Index k : movable) {
      if (std::abs(sets(k, set)) <= 1e-7) continue;
      out.is_unique[std::size_t(k)] = false;
      names += (names.empty() ? "" : ", ") + name(k);
    }
    if (!names.empty()) out.dependent.push_back(names);
  }
}

}  // namespace

Status locked_joints(const Model& model, const State& state, const Inputs& inputs,
                     Workspace& workspace, LockedJoints& out) {
  const char* const name = "locked_joints";
  out = {};
  for (int f = 0; f < model.nv(); ++f)
    if (model.prescription(f) == Drive::locked) out.dofs.push_back(f);
  const auto n = Eigen::Index(out.dofs.size());

  // locked: constraint forces
  UniqueReactions reactions;
  if (Status status = constrained_reactions(model, state, inputs, workspace, reactions); !status)
    return Status::failure(fmt::format("{}: {}", name, status.message()));
  std::vector<double> springs(std::size_t(model.nv()));  // passive efforts
  kernel::add_passive_forces<double, double>(model.numbers(), state.q, state.v, springs);

  // unlocked: accelerations
  RowBasis basis;
  if (Status status = decide_without_locks(model, state, workspace, basis); !status) return status;
  const EvalContext context(name, model, state, inputs, workspace, Constraints::honored,
                            Forces::acting);
  if (!context.ok()) return context.status();
  Eigen::MatrixXd M(model.nv(), model.nv());
  Eigen::VectorXd effort(model.nv());
  const std::span<double> into{effort.data(), std::size_t(effort.size())};
  kernel::kernels().mass_matrix(context.input(), context.q(), *workspace, span_of(M));
  kernel::kernels().inverse_dynamics(context.input(), context.q(), context.v(), context.zero(),
                                     *workspace, into);
  ConstraintRows rows(model);
  evaluate_rows(context, workspace, rows);
  const Released free = without_locks(model, rows);
  const Eigen::MatrixXd T = null_space_basis(free.J, basis);
  ConstrainedSolution moving;
  const Eigen::VectorXd f = as_vector(context.tau()) - effort;
  if (Status status = solve_constrained_dense(ConstraintSolver::automatic, M, free.J, f, free.gamma,
                                              basis, moving);
      !status)
    return Status::failure(fmt::format("{}: without locks, {}", name, status.message()));
  out.released = moving.a(out.dofs);
  out.gives = Eigen::MatrixXd::Zero(n, n);
  const Eigen::MatrixXd T_locked = T(out.dofs, Eigen::all);
  if (T.cols() > 0) {
    const Ldlt inertia(T.transpose() * M * T);
    out.gives = T_locked * inertia.solve(T_locked.transpose());
  }
  const Eigen::VectorXd weights = dof_weights(model, workspace->kinematics)(out.dofs);
  if (n > 0) judge_placement(model, weights.asDiagonal() * T_locked, out);

  out.effort.resize(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const int dof = out.dofs[std::size_t(k)];
    out.effort[k] = effort_along(model, workspace->kinematics, reactions, dof) -
                    context.tau()[std::size_t(dof)] - springs[std::size_t(dof)];
  }
  return judge_loops(context, workspace, rows, reactions, out);
}

}  // namespace trammel
