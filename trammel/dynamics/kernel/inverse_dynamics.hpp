#pragma once

#include "trammel/dynamics/workspace.hpp"

namespace trammel::kernel {

// Which generalised forces does this motion take, whoever provides them?
//
//   tau = M(q) a + C(q, v) v + N(q) - J^T loads
//
// by the recursive Newton-Euler algorithm [RBDA, table 5.1]: outward for motions, inward for
// forces. Cost O(bodies); allocates nothing.
template <Scalar P, Scalar S>
void newton_euler(const Scene<P, S>& scene, In<S> q, In<S> v, In<S> a, BasicWorkspace<S>& ws,
                  Out<S> tau);

// Which actuator efforts does it take, when springs, dampers and friction do their part?
template <Scalar P, Scalar S>
void inverse_dynamics(const Scene<P, S>& scene, In<S> q, In<S> v, In<S> a, BasicWorkspace<S>& ws,
                      Out<S> tau);

}  // namespace trammel::kernel
