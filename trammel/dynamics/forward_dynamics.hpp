#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// How does the mechanism accelerate under the actuator efforts inputs.tau?
//
//   a = M(q)^-1 (tau + passive - C v - N + J^T wrenches)
//
// by the articulated-body algorithm [RBDA, table 7.1]. Joints driven by motion accelerate as
// inputs.a says, locked ones not at all (hybrid dynamics). Cost O(bodies); allocates nothing. Fails
// where a freedom meets no inertia, naming it.
[[nodiscard]] Status forward_dynamics(const Model& model, const State& state, const Inputs& inputs,
                                      Workspace& workspace, std::span<double> a);

}  // namespace trammel
