#pragma once

#include "trammel/dynamics/stages.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel::kernel {

// Position kinematics: poses of all bodies and their joint axes in world axes,
//
//   X_WB = X_WP X_PF X_FM(q)
//
// in one outward pass. Cost O(bodies); allocates nothing.
template <Scalar P, Scalar S>
void positions(const KernelInput<P, S>& input, In<S> q, BasicWorkspace<S>& ws,
               BasicPositions<S>& out);

// Forward kinematics: poses, velocities and spatial accelerations of all bodies,
//
//   X_WB = X_WP X_PF X_FM(q),   V = X V_P + S v,   A = X A_P + S a + dS/dt v + V x S v
//
// in one outward pass. Cost O(bodies); allocates nothing.
template <Scalar P, Scalar S>
void kinematics(const KernelInput<P, S>& input, In<S> q, In<S> v, In<S> a, BasicWorkspace<S>& ws,
                BasicKinematics<S>& out);

}  // namespace trammel::kernel
