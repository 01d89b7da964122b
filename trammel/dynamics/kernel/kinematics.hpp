#pragma once

#include "trammel/dynamics/stages.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel::kernel {

// Where is every body, and which ways does its joint let it move?
//
//   X_WB = X_WP X_PF X_FM(q)
//
// Outward once. Cost O(bodies); allocates nothing.
template <Scalar P, Scalar S>
void positions(const Scene<P, S>& scene, In<S> q, BasicWorkspace<S>& ws, BasicPositions<S>& out);

// Where is every body, how fast does it move, how does it accelerate?
//
//   X_WB = X_WP X_PF X_FM(q),   V = X V_P + S v,   A = X A_P + S a + dS/dt v + V x S v
//
// Outward once. Cost O(bodies); allocates nothing.
template <Scalar P, Scalar S>
void kinematics(const Scene<P, S>& scene, In<S> q, In<S> v, In<S> a, BasicWorkspace<S>& ws,
                BasicKinematics<S>& out);

}  // namespace trammel::kernel
