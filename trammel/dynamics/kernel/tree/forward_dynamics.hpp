#pragma once

#include "trammel/dynamics/kernel/pivot.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel::kernel {

// Forward dynamics: accelerations under the given actuator efforts,
//
//   a = M(q)^-1 (tau + passive - C v - N + J^T loads)
//
// by the articulated-body algorithm (ABA) [RBDA, table 7.1]: pass 1 outward for velocities and bias
// forces, pass 2 inward for articulated inertias, pass 3 outward for accelerations. Cost O(bodies);
// allocates nothing. A degree of freedom without inertia is reported; the result is then
// meaningless.
template <Scalar P, Scalar S>
Pivots forward_dynamics(const KernelInput<P, S>& input, In<S> q, In<S> v, In<S> tau,
                        BasicWorkspace<S>& ws, Out<S> a);

}  // namespace trammel::kernel
