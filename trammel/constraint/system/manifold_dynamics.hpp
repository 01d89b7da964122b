// Forward dynamics of a model with constraints at the stages of an integrator.
#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/kernel/batch.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Forward dynamics at a state on the constraint manifold: the result of forward_dynamics(), for
// callers above this module, which need no detour through the dynamics module. The model has
// constraints.
[[nodiscard]] Status dynamics_on_manifold(const Model& model, const State& state,
                                          const Inputs& inputs, Workspace& workspace,
                                          std::span<double> a);

// Forward dynamics at an integrator stage that violates the constraints slightly: solves J a =
// gamma for the rows of the generic basis at the given state without projecting it first, so the
// violation is carried along, not corrected. Rows outside the basis are checked to the order of the
// violation. Returns false where the state must be projected first: with prescribed loop joints,
// near poses where rows of the basis become dependent, or where no recursive solver applies; and
// for a tree, which has no constraints.
[[nodiscard]] bool dynamics_off_manifold(const Model& model, const State& state,
                                         const Inputs& inputs, Workspace& workspace,
                                         std::span<double> a);
// The same for many states, side by side in SIMD lanes. is_sure marks the valid results; the other
// states must be evaluated one at a time. The model has constraints.
void dynamics_off_manifold_batch(const kernel::Batch& batch, const double* tau,
                                 Workspace& workspace, double* a, std::span<char> is_sure);

}  // namespace trammel
