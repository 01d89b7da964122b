// Memory layout of the propagated constraint rows: the places of rows, wrenches and gains in the
// arrays of PropagatedRows. Computed once from the elimination schedule.
//
// The rows of a group (one constraint) lie side by side in registers and are padded to whole
// registers, so that every operation on a group is one on its registers.
#pragma once

#include <vector>

#include "trammel/dynamics/kernel/loops/elimination_schedule.hpp"
#include "trammel/dynamics/kernel/simd/row_register.hpp"

namespace trammel::kernel {

template <Scalar S> struct RowLayout {
  static constexpr int lanes = RowRegister<S>::rows;
  static int registers_for(int rows) { return (rows + lanes - 1) / lanes; }

  explicit RowLayout(const EliminationSchedule& schedule) {
    for (const EliminationSchedule::RowGroup& group : schedule.groups) {
      groups.push_back({registers_for(group.rows), rows});
      rows += groups.back().registers * lanes;
    }
    for (const EliminationSchedule::Entry& entry : schedule.entries) {
      z_start.push_back(wrenches);
      wrenches += groups[entry.group].registers;
    }
    place_gains(schedule);
    find_first_entries(schedule);
  }

  struct Group {
    int registers, first_row;
  };
  std::vector<Group> groups;
  std::vector<int> z_start;               // per entry: its first wrench register
  std::vector<int> gain_start;            // per gain: its first number
  std::vector<char> begins_here;          // per entry: some row acts here first
  int rows = 0, wrenches = 0, gains = 0;  // sizes: numbers, registers of wrenches, numbers

 private:
  // gains of an entry are consecutive
  void place_gains(const EliminationSchedule& schedule) {
    gain_start.resize(std::size_t(schedule.gains) + 1);
    for (std::size_t e = 0; e < schedule.entries.size(); ++e) {
      const int registers = groups[schedule.entries[e].group].registers;
      const int end =
          e + 1 < schedule.entries.size() ? schedule.entries[e + 1].gain : schedule.gains;
      for (int g = schedule.entries[e].gain; g < end; ++g) {
        gain_start[g] = gains;
        gains += registers * lanes;
      }
    }
  }

  void find_first_entries(const EliminationSchedule& schedule) {
    begins_here.resize(schedule.entries.size());
    const auto begins = [&](int entry) {
      if (entry >= 0) begins_here[std::size_t(entry)] = true;
    };
    for (const EliminationSchedule::RowGroup& group : schedule.groups) {
      begins(group.child_entry);
      begins(group.parent_entry);
      for (const auto& [body, entry] : group.ends) begins(entry);
    }
    for (std::size_t e = 0; e < schedule.entries.size(); ++e)
      if (schedule.entries[e].direct_begin < schedule.entries[e].direct_end) begins(int(e));
  }
};

}  // namespace trammel::kernel
