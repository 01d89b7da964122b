// Forward dynamics of a model with constraints at the stages of an integrator.
#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Forward dynamics at a state on the constraint manifold: the result of forward_dynamics(), for
// callers above this module, which need no detour through the dynamics module. The model has
// constraints.
[[nodiscard]] Status dynamics_on_manifold(const Model& model, const State& state,
                                          const Inputs& inputs, Workspace& workspace,
                                          std::span<double> a);

// Forward dynamics at an integrator stage that violates the rolling constraints slightly: solves
// J a = gamma at the given state without projecting it first, so the violation is carried along,
// not corrected. Returns false where the state must be projected first: with loop joints or rods,
// whose equations may have no solution off the manifold, or where no recursive solver applies; and
// for a tree, which has no constraints.
[[nodiscard]] bool dynamics_off_manifold(const Model& model, const State& state,
                                         const Inputs& inputs, Workspace& workspace,
                                         std::span<double> a);

}  // namespace trammel
