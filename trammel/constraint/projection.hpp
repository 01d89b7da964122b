// Back onto the loops after a step in time: the least correction, as inertia measures it.
#pragma once

#include "trammel/constraint/rank_plan.hpp"
#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/loop_plan.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// The closed position nearest to state.q in the metric of kinetic energy: of all d that close the
// loops, the one with the least d^T M d. By Newton's method; planned and locked joints stay, but
// those that close loops go where `loops` has them. What cannot be closed is told, and state.q then
// stays. Velocities are left as they are.
//
// `plan` is the one that was decided on a closed state and holds through a step; without it the
// state is closed for the decision. Dense.
[[nodiscard]] Status project_position(const Model& model, State& state, Workspace& workspace,
                                      const RankPlan* plan = nullptr, const LoopPlan& loops = {});

// The velocities nearest to state.v that keep the loops closed, by the same measure: what is left
// of them after an impact in which the loops snap shut. Planned joints keep theirs. The position
// must be closed.
[[nodiscard]] Status project_velocity(const Model& model, State& state, Workspace& workspace,
                                      const RankPlan* plan = nullptr, const LoopPlan& loops = {});

}  // namespace trammel
