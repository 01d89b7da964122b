#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/kernel/pivot.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Some joints follow a given acceleration, the others a given effort: what do all of them do?
//
// Joints with drive `motion` accelerate as inputs.a says and answer with the effort that takes;
// `locked` ones stay; all others get inputs.tau and answer with their acceleration. Both vectors
// come out whole. By the articulated-body algorithm in which a given joint gives way to nothing
// [RBDA, table 9.1]. Cost O(bodies); allocates nothing.
//
// Joints that close loops likewise: inputs.loop_a and inputs.loop_tau, and their efforts in
// `loop_tau` (closure_nv entries). It may be left out (empty) where none of them is driven by
// motion. With loops the cost is that of planned_efforts, which also tells which efforts are
// unique.
[[nodiscard]] Status hybrid_dynamics(const Model& model, const State& state, const Inputs& inputs,
                                     Workspace& workspace, std::span<double> a,
                                     std::span<double> tau, std::span<double> loop_tau = {});

// The same, in messages that begin with `name`: forward dynamics asks it where joints are planned.
[[nodiscard]] Status hybrid_dynamics_as(const char* name, const Model& model, const State& state,
                                        const Inputs& inputs, Workspace& workspace,
                                        std::span<double> a, std::span<double> tau,
                                        std::span<double> loop_tau = {});

namespace kernel {
// In: a of the prescribed joints, tau of the others. Out: the other halves, in the same vectors.
template <Scalar P, Scalar S>
Pivots hybrid_dynamics(const Scene<P, S>& scene, In<S> q, In<S> v, BasicWorkspace<S>& ws, Out<S> a,
                       Out<S> tau);
}  // namespace kernel

}  // namespace trammel
