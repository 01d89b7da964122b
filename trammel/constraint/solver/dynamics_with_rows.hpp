// Constrained forward dynamics for the steps of a simulation. Internal to constraint/.
#pragma once

#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel {

// As constrained_dynamics, with the recursive solver first: its rows are then the row basis, and no
// rank is decided. A frozen rank (freeze_rank) is used. `rows`: the rows at this state and its
// velocities, with J if the basis leaves some of them out; the workspace's kinematics are those of
// this state too. Both are valid until the next call with the workspace.
[[nodiscard]] Status dynamics_with_rows(const char* context, const Model& model, const State& state,
                                        const Inputs& inputs, Workspace& workspace,
                                        ConstrainedAnswer& out, const ConstraintRows*& rows);

// The same for the accelerations that dynamics_on_manifold or dynamics_off_manifold computed last
// with this workspace, directly after that call and without evaluating them again: `out` without a.
// False if no recursive solver computed them.
[[nodiscard]] bool rows_of_last_dynamics(const Model& model, Workspace& workspace,
                                         ConstrainedAnswer& out, const ConstraintRows*& rows);

}  // namespace trammel
