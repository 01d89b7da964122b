// Reactions of statically indeterminate mechanisms: minimum norm over self-stresses. Internal to
// constraint/.
#pragma once

#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/eval_context.hpp"

namespace trammel {

// Reactions as UniqueReactions defines them, from the multipliers of `answer` and the self-stresses
// of its dependent rows. `rows` are evaluated at the same state; the workspace's kinematics have
// the accelerations of `answer`.
void least_reactions(const EvalContext& context, Workspace& workspace, const ConstraintRows& rows,
                     const ConstrainedAnswer& answer, const StressWeights& weights,
                     UniqueReactions& out);
// Throws std::invalid_argument for a wrong number of weights, or one that is not positive and
// finite.
void check_weights(const Model& model, const StressWeights& weights);

}  // namespace trammel
