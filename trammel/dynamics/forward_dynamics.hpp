#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Forward dynamics: accelerations of the mechanism under the actuator efforts inputs.tau,
//
//   a = M(q)^-1 (tau + passive - C v - N + J^T wrenches)
//
// by the articulated-body algorithm (ABA) [RBDA, table 7.1]. Joints driven by motion accelerate as
// given in inputs.a, locked joints do not accelerate (hybrid dynamics). Cost O(bodies); allocates
// nothing. Fails if a degree of freedom moves no inertia (D singular) and names it.
[[nodiscard]] Status forward_dynamics(const Model& model, const State& state, const Inputs& inputs,
                                      Workspace& workspace, std::span<double> a);

}  // namespace trammel
