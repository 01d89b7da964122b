// Connected components of the rows of an elimination schedule, for the kernels of batches.
#pragma once

#include <optional>

#include "trammel/base/sparse_rows.hpp"
#include "trammel/dynamics/kernel/loops/elimination_schedule.hpp"
#include "trammel/dynamics/kernel/loops/row_components.hpp"

namespace trammel {

// Components of J, whose rows are those of the schedule's groups in their order. None if the
// schedule has rows that its kernel does not evaluate itself, or rows of prescribed joints.
std::optional<kernel::RowComponents> row_components(const kernel::EliminationSchedule& schedule,
                                                    const SparseRows& J);

// Whether no component of J has more degrees of freedom than those up to which dense factorizations
// are faster than sparse ones (measured on ladders and lattices).
bool has_small_components(const SparseRows& J);

}  // namespace trammel
