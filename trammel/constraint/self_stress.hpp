// What joints carry, where more than one answer would do. For this room only.
#pragma once

#include "trammel/constraint/constrained_dynamics.hpp"
#include "trammel/constraint/rows.hpp"
#include "trammel/dynamics/question.hpp"

namespace trammel {

// As UniqueReactions says, with the answer's multipliers and the self-stress that its dependent
// rows leave open. `rows` at the question's state; the workspace's kinematics are those of the
// answer's accelerations.
void least_reactions(const Question& question, Workspace& workspace, const Rows& rows,
                     const ConstrainedAnswer& answer, const StressWeights& weights,
                     UniqueReactions& out);
// Throws std::invalid_argument for weights that are none.
void check_weights(const Model& model, const StressWeights& weights);

}  // namespace trammel
