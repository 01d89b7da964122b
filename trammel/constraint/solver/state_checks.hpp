// Input checks of functions on models with constraints. Internal to the constraint module.
#pragma once

#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/dynamics/eval_context.hpp"

namespace trammel {

// Positions satisfy the constraints, and velocities their derivatives, to 1e-6 (relative to the
// characteristic length and the fastest velocity); no wheel lies flat or has no contact point on
// its terrain. `rows` are those at the state.
Status check_closed(const char* context, const Model& model, const State& state,
                    const ConstraintRows& rows);
// Accelerations are given for all joints driven by motion, loop joints (inputs.loop_a) and tree
// joints (inputs.a); check_prescribed_only: no other loop joint has one.
Status check_prescribed_given(const EvalContext& context);
Status check_prescribed_only(const EvalContext& context);
// The given accelerations satisfy the constraints; `rows` are evaluated with them.
Status check_kept_closed(const EvalContext& context, const ConstraintRows& rows);
// Accelerations are computed from the efforts: only those of prescribed joints are an input.
Status refuse_accelerations(const EvalContext& context);

}  // namespace trammel
