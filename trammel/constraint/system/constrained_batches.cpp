// Constrained dynamics of many states at once, in SIMD lanes.
#include <algorithm>

#include "trammel/constraint/system/constrained_system.hpp"

namespace trammel {

void ConstrainedSystem::project_to_manifold_batch(const Model& model, int states, double* q,
                                                  double* v, double violation, Workspace& workspace,
                                                  std::span<char> is_sure) {
  if (RecursiveSolver* const sweep = batch_solver(model, workspace, is_sure))
    sweep->project_batch(model, states, q, v, violation, is_sure);
}

void ConstrainedSystem::forward_dynamics_batch(const kernel::Batch& batch, const double* tau,
                                               Workspace& workspace, double* a,
                                               std::span<char> is_sure) {
  if (RecursiveSolver* const sweep = batch_solver(batch.model, workspace, is_sure))
    sweep->answer_batch(batch, tau, a, is_sure);
}

void ConstrainedSystem::dynamics_off_manifold_batch(const kernel::Batch& batch, const double* tau,
                                                    Workspace& workspace, double* a,
                                                    std::span<char> is_sure) {
  if (RecursiveSolver* const sweep = batch_solver(batch.model, workspace, is_sure))
    sweep->answer_batch(batch, tau, a, is_sure, {.is_closed = true});
}

void ConstrainedSystem::inverse_dynamics_batch(const kernel::Batch& batch, const double* a,
                                               Workspace& workspace, double* tau,
                                               std::span<char> is_sure) {
  find_drives(batch.model);
  RecursiveSolver* const sweep = batch_solver(batch.model, workspace, is_sure);
  if (sweep != nullptr && !has_driven_loops_)
    sweep->inverse_dynamics_batch(batch, is_driven_, a, tau, is_sure);
}

void ConstrainedSystem::reactions_batch(const kernel::Batch& batch, const double* tau,
                                        Workspace& workspace, double* forces,
                                        std::span<char> is_sure) {
  if (RecursiveSolver* const sweep = batch_solver(batch.model, workspace, is_sure))
    sweep->reactions_batch(batch, length_of_stress(batch.model), tau, forces, is_sure);
}

RecursiveSolver* ConstrainedSystem::batch_solver(const Model& model, Workspace& workspace,
                                                 std::span<char> is_sure) {
  std::ranges::fill(is_sure, false);
  return selector_.usual(model, workspace, evaluation_);
}

}  // namespace trammel
