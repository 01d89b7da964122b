// Inverse dynamics, reactions and derivatives of single states by components of the rows.
#include <algorithm>

#include "trammel/constraint/forces/stress_length.hpp"
#include "trammel/constraint/solver/row_components.hpp"
#include "trammel/constraint/solver/state_checks.hpp"
#include "trammel/constraint/system/constrained_system.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/matrices.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

bool ConstrainedSystem::inverse_dynamics_by_components(const EvalContext& context,
                                                       Workspace& workspace,
                                                       std::span<double> tau) {
  const Model& model = context.model();
  if (!is_solved_by_components(model) || !context.inputs().loop_tau.empty() ||
      !check_prescribed_only(context).ok())
    return false;
  RecursiveSolver* const solver = selector_.usual(model, workspace, evaluation_);
  if (solver == nullptr || !solver->has_small_components()) return false;
  find_drives(model);
  // into a buffer: the caller's accelerations may lie where the efforts go
  kernel::kernels().inverse_dynamics(context.input(), context.q(), context.v(), context.a(),
                                     *workspace, effort_);
  if (!solver->inverse_dynamics(context, is_driven_, effort_)) return false;
  std::ranges::copy(effort_, tau.begin());
  return true;
}

bool ConstrainedSystem::reactions_by_components(const EvalContext& context, Workspace& workspace,
                                                std::vector<Force<double>>& out) {
  const Model& model = context.model();
  if (!is_solved_by_components(model) || !context.inputs().loop_tau.empty() ||
      !context.inputs().wrenches.empty() || !workspace->element_forces.empty() ||
      !refuse_accelerations(context).ok() || !check_prescribed_given(context).ok())
    return false;
  RecursiveSolver* const solver = selector_.usual(model, workspace, evaluation_);
  accelerations_.resize(std::size_t(model.nv()));
  forces_.resize(model.joints().size());
  if (solver == nullptr || !solver->has_small_stresses() ||
      !solver->answers(context, workspace, rows_, accelerations_) ||
      !solver->reactions(context, length_of_stress(model), accelerations_, forces_))
    return false;
  out.assign(forces_.begin(), forces_.end());
  return true;
}

bool ConstrainedSystem::derivatives_by_components(const EvalContext& context, Workspace& workspace,
                                                  const OrthogonalComplement* T,
                                                  ConstrainedDerivatives& out) {
  const Model& model = context.model();
  // forces between bodies and wrenches in world axes change relative to the bodies
  if (!is_differentiated_by_components(model) || !workspace->element_forces.empty() ||
      std::ranges::any_of(context.inputs().wrenches,
                          [](const Wrench& wrench) { return wrench.axes == Axes::world; }) ||
      !check_prescribed_given(context).ok())
    return false;
  RecursiveSolver* const solver = selector_.usual(model, workspace, evaluation_);
  if (solver == nullptr || !solver->has_small_components()) return false;
  const Eigen::Index nv = model.nv(), mobility = solver->mobility();
  if (T != nullptr && T->T.cols() != mobility) return false;
  out.a.resize(nv);
  const std::span<double> a{out.a.data(), std::size_t(nv)};
  if (!solver->answers(context, workspace, rows_, a)) return false;
  if (T != nullptr)
    out.T = T->T;
  else
    out.T.resize(nv, mobility);
  for (Eigen::MatrixXd* matrix : {&out.v_by_q, &out.dq, &out.dv}) matrix->resize(nv, mobility);
  out.dtau.resize(nv, nv);
  kernel::GivenBasis basis{.is_given = T != nullptr};
  if (T != nullptr) basis.independent = T->independent;
  return solver->derivatives(context, a, basis,
                             {.T = span_of(out.T),
                              .v_by_q = span_of(out.v_by_q),
                              .dq = span_of(out.dq),
                              .dv = span_of(out.dv),
                              .dtau = span_of(out.dtau)});
}

// Each direction passes all bodies, which is quadratic in the number of loops; of large models the
// products along the motions of each component are cheaper.
bool ConstrainedSystem::is_differentiated_by_components(const Model& model) const {
  constexpr int few = 512;
  return model.nv() <= few && is_solved_by_components(model);
}

// In larger components a first call would only estimate the generic rank.
bool ConstrainedSystem::is_solved_by_components(const Model& model) const {
  return trammel::has_small_components(rows_.sparse_jacobian()) && !selector_.is_rank_frozen() &&
         !model.has_prescribed_joints();
}

void ConstrainedSystem::find_drives(const Model& model) {
  if (!is_driven_.empty()) return;
  is_driven_ = driven_dof_flags(model);
  has_driven_loops_ = driven_loop_dof(model) >= 0;
}

double ConstrainedSystem::length_of_stress(const Model& model) {
  if (stress_length_ == 0) stress_length_ = stress_length(model);
  return stress_length_;
}

}  // namespace trammel
