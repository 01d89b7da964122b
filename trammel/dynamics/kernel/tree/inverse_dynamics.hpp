#pragma once

#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel::kernel {

// Generalized forces of a motion, actuator and passive together:
//
//   tau = M(q) a + C(q, v) v + N(q) - J^T loads
//
// by the recursive Newton-Euler algorithm (RNEA): outward for motions, inward for forces. The
// motion of a body is described by its angular velocity w and its true (not spatial) acceleration:
// with Omega = [w_dot] + [w][w] a point r of the body accelerates with a + Omega r, so the force on
// the body is m a + Omega h, its moment the axial vector of Omega J - (Omega J)^T (J: Euler's
// tensor) plus h x a [Luh, Walker, Paul 1980; van der Merwe 1995, chapter 3]. Velocities of origins
// are not needed. Cost O(bodies); allocates nothing.
template <Scalar P, Scalar S>
void newton_euler(const KernelInput<P, S>& input, In<S> q, In<S> v, In<S> a, BasicWorkspace<S>& ws,
                  Out<S> tau);

// Actuator efforts of a motion: the same less the passive forces of springs, dampers and friction.
template <Scalar P, Scalar S>
void inverse_dynamics(const KernelInput<P, S>& input, In<S> q, In<S> v, In<S> a,
                      BasicWorkspace<S>& ws, Out<S> tau);

}  // namespace trammel::kernel
