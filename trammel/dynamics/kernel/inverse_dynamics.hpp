#pragma once

#include "trammel/dynamics/workspace.hpp"

namespace trammel::kernel {

// Which generalised forces does this motion take, whoever provides them?
//
//   tau = M(q) a + C(q, v) v + N(q) - J^T loads
//
// by recursive Newton-Euler: outward for motions, inward for forces. Motions are told by angular
// velocity w and true accelerations alone: with Omega = [w_dot] + [w][w] a point r of a body
// accelerates with a + Omega r, so the force on the body is m a + Omega h, its moment the vector of
// Omega J - (Omega J)^T (J: Euler's tensor) plus h x a [Luh, Walker, Paul 1980; seed 004, chapter
// 3]. Velocities of origins never come up. Cost O(bodies); allocates nothing.
template <Scalar P, Scalar S>
void newton_euler(const Scene<P, S>& scene, In<S> q, In<S> v, In<S> a, BasicWorkspace<S>& ws,
                  Out<S> tau);

// Which actuator efforts does it take, when springs, dampers and friction do their part?
template <Scalar P, Scalar S>
void inverse_dynamics(const Scene<P, S>& scene, In<S> q, In<S> v, In<S> a, BasicWorkspace<S>& ws,
                      Out<S> tau);

}  // namespace trammel::kernel
