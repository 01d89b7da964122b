#pragma once

#include "trammel/dynamics/kernel/pivot.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel::kernel {

// How does the mechanism accelerate under these actuator efforts?
//
//   a = M(q)^-1 (tau + passive - C v - N + J^T loads)
//
// by the articulated-body algorithm [RBDA, table 7.1]: outward for velocities, inward for
// articulated inertias, outward for accelerations. Cost O(bodies); allocates nothing. A freedom
// without inertia is reported; the answer is then meaningless.
template <Scalar P, Scalar S>
Pivots forward_dynamics(const Scene<P, S>& scene, In<S> q, In<S> v, In<S> tau,
                        BasicWorkspace<S>& ws, Out<S> a);

}  // namespace trammel::kernel
