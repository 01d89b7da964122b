#include "trammel/constraint/solver/row_components.hpp"

#include <algorithm>

namespace trammel {

std::optional<kernel::RowComponents> row_components(const kernel::EliminationSchedule& schedule,
                                                    const SparseRows& J) {
  using Kind = kernel::EliminationSchedule::ConstraintKind;
  kernel::RowComponents out;
  for (const MatrixComponent& component : J.components())
    out.components.push_back({.dofs = component.columns, .groups = {}});
  int row = 0;
  for (std::size_t b = 0; b < schedule.groups.size(); ++b) {
    const kernel::EliminationSchedule::RowGroup& group = schedule.groups[b];
    if (group.kind == Kind::given || group.kind == Kind::dof) return std::nullopt;
    const int watched = int(group.watched.size()), rows = group.rows + watched;
    // all rows of a constraint have entries at the same joints
    if (const int c = J.component_of_row(row); c >= 0) {
      kernel::RowComponents::Component& its = out.components[std::size_t(c)];
      its.groups.push_back(int(b));
      its.kept += group.rows;
      its.watched += watched;
    }
    row += rows;
  }
  return out;
}

bool has_small_components(const SparseRows& J) {
  constexpr int few = 64;
  return std::ranges::all_of(J.components(), [](const MatrixComponent& component) {
    return std::ssize(component.columns) <= few;
  });
}

}  // namespace trammel
