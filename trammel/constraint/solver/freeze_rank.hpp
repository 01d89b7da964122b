#pragma once

#include <vector>

#include "trammel/base/status.hpp"
#include "trammel/dynamics/workspace.hpp"
#include "trammel/model/state.hpp"

namespace trammel {

// Freezes the rank for a run: rows that the motion keeps dependent do not become independent by
// integration errors. From here on no row basis in this workspace has more than `rank` rows, and
// the strongest rows at this state get a recursive solver of their own. No effect if the generic
// rank is not larger. Fails if the state's velocities violate the redundant rows: these are
// inconsistent. `has_same_rows`: the rows are those of the last call, so that only the velocities
// are checked.
[[nodiscard]] Status freeze_rank(const Model& model, const State& state, Workspace& workspace,
                                 int rank, bool has_same_rows = false);
// The rank is determined at each state again.
void unfreeze_rank(Workspace& workspace);
// Number of independent rows at nearly all states: the largest rank at the start and at two states
// near it. 0 if the start cannot be assembled.
int generic_rank(const Model& model, Workspace& workspace);
// Rows that are independent at nearly all states, as many as that: a basis of all rows there.
std::vector<int> generic_rows(const Model& model, Workspace& workspace);

}  // namespace trammel
