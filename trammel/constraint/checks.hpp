// Can a model with constraints be asked this, at this state? For this room only.
#pragma once

#include "trammel/constraint/rows.hpp"
#include "trammel/dynamics/question.hpp"

namespace trammel {

// Loops are closed, and velocities keep them so; `rows` are those at the state.
Status check_closed(const char* question, const Model& model, const State& state, const Rows& rows);
// Joints that close loops and are driven by motion are planned with the question, like those of the
// tree; no others are.
Status check_plans(const Question& question);
Status check_planned_only(const Question& question);
// The question's accelerations keep the loops closed; `rows` are those under them.
Status check_kept_closed(const Question& question, const Rows& rows);
// Accelerations follow from the efforts; only those of planned joints are an input.
Status refuse_accelerations(const Question& question);

}  // namespace trammel
