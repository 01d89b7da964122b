#pragma once

#include "trammel/dynamics/workspace.hpp"

namespace trammel::kernel {

// How heavy is the mechanism for its own freedoms?  M(q), nv x nv, symmetric, both halves written.
//
// By composite rigid bodies [RBDA, table 6.2]: inward, each body swallows its children; the force
// that moves it alone is carried down to the ground. Cost O(bodies * depth) and nv^2 for the zeros;
// allocates nothing.
template <Scalar P, Scalar S>
void mass_matrix(const Scene<P, S>& scene, In<S> q, BasicWorkspace<S>& ws, MatrixSpan<S> M);

}  // namespace trammel::kernel
