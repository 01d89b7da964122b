#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Hybrid dynamics: some joints have a given acceleration, the others a given effort; computes the
// unknown entries of both vectors.
//
// Joints with drive `motion` accelerate as given in inputs.a and their effort is computed; `locked`
// joints do not accelerate, likewise; all others take inputs.tau and their acceleration is
// computed. Both vectors are returned complete. By the articulated-body algorithm (ABA) in which
// the inertia of a prescribed joint's body passes to the parent undiminished [RBDA, table 9.1].
// Cost O(bodies); allocates nothing.
//
// Loop joints likewise: inputs.loop_a and inputs.loop_tau; their efforts are returned in `loop_tau`
// (loop_nv entries), which may be empty if none of them is driven by motion. With loops the cost is
// that of prescribed_efforts, which also states which efforts are unique.
[[nodiscard]] Status hybrid_dynamics(const Model& model, const State& state, const Inputs& inputs,
                                     Workspace& workspace, std::span<double> a,
                                     std::span<double> tau, std::span<double> loop_tau = {});

}  // namespace trammel
