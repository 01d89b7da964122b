// Row groups of an elimination schedule: the independent rows of each constraint, and where they
// act on the tree. Internal to constraint/.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "trammel/constraint/kinds/blocks.hpp"
#include "trammel/constraint/solver/elimination_schedule.hpp"

namespace trammel {

// Data of a row group for the scheduler, in addition to the schedule.
struct GroupRows {
  std::vector<int> in_J;        // its independent rows, indices in J
  std::vector<int> waiting;     // rows not eliminated yet, indices in the group
  std::vector<int> ends;        // bodies the constraint acts on
  std::map<int, int> entry_at;  // body -> entry: where the rows act now and were not propagated yet
  std::vector<DirectDof> directs;
};

struct RowGroups {
  std::vector<kernel::EliminationSchedule::RowGroup> groups;
  std::vector<GroupRows> rows;  // per group
  std::vector<int> in_J;        // rows of all groups, in their order
  std::vector<Elimination::Given> given;
};

// One row group per constraint, in the order of the rows, of which there are `count`. None if the
// recursion would have to monitor a redundant row of a kind that it evaluates itself.
std::optional<RowGroups> row_groups(const Model& model, const RowBasis& basis, int count);

}  // namespace trammel
