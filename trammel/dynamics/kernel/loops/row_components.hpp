// Connected components of the constraint rows (docs/theory/constrained-dynamics.md, "Components"),
// for the kernels that solve a small system in each. Plain numbers, the same for every instruction
// set.
#pragma once

#include <vector>

namespace trammel::kernel {

struct RowComponents {
  struct Component {
    std::vector<int> dofs;      // ascending
    std::vector<int> groups;    // row groups of the elimination schedule
    int kept = 0, watched = 0;  // rows solved for, and redundant rows, of all these groups
  };
  std::vector<Component> components;
};

}  // namespace trammel::kernel
