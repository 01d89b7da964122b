#pragma once

#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel::kernel {

// Mass matrix M(q), nv x nv, symmetric, both triangles written.
//
// By the composite-rigid-body algorithm (CRBA) [RBDA, table 6.2]: an inward pass sums the composite
// inertias I^c; M_gf = S_g . I_f^c S_f for every coordinate g on the path from f to ground
// (docs/theory/mass-matrix.md). Cost O(bodies * depth), and nv^2 for the zeros; allocates nothing.
template <Scalar P, Scalar S>
void mass_matrix(const KernelInput<P, S>& input, In<S> q, BasicWorkspace<S>& ws, MatrixSpan<S> M);

}  // namespace trammel::kernel
