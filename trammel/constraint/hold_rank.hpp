#pragma once

#include "trammel/base/status.hpp"
#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

// A run holds on to how many rows are independent: rows that the motion keeps dependent do not
// become independent by what its steps are wrong by. From here on no plan has more than `rank`
// in this workspace, and those that are strongest at this state make a quick road of their own.
// Fails where the state's velocities have come to miss those that are left out: they contradict.
[[nodiscard]] Status hold_rank(const Model& model, const State& state, Workspace& workspace,
                               int rank);
// Each state is judged by itself again.
void release_rank(Workspace& workspace);
// How many rows are independent at nearly all states: at the start or beside it, whichever has
// more. 0 where it cannot be assembled.
int general_rank(const Model& model, Workspace& workspace);

}  // namespace trammel
