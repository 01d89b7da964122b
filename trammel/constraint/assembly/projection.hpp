// Projection onto the constraint manifold in the mass metric, after an integration step.
#pragma once

#include "trammel/constraint/rank/row_basis.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/prescribed_loop_motion.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Projects state.q onto the position constraints: minimizes d^T M d over the displacements d from
// state.q that satisfy them, with M at the given state. Newton's method, at most 50 steps.
// Prescribed and locked joints of the tree stay; prescribed loop joints go to `loops`. On failure
// the status names the largest violation, and state.q is unchanged. Velocities are not changed.
//
// `basis`: row basis, decided at a state that satisfies the constraints and fixed through a step;
// without it, or with nonholonomic rows, an assembled copy of the state decides the rank. Dense.
[[nodiscard]] Status project_position(const Model& model, State& state, Workspace& workspace,
                                      const RowBasis* basis = nullptr,
                                      const PrescribedLoopMotion& loops = {});

// Projects state.v onto the velocity constraints in the same metric: the velocity after an impact
// in which the constraints act as impulses. Prescribed joints keep their velocities. The position
// must satisfy the constraints.
[[nodiscard]] Status project_velocity(const Model& model, State& state, Workspace& workspace,
                                      const RowBasis* basis = nullptr,
                                      const PrescribedLoopMotion& loops = {});

}  // namespace trammel
