// Row basis of each component of a sparse constraint Jacobian. Internal to constraint/.
#pragma once

#include <algorithm>

#include "trammel/base/sparse_rows.hpp"
#include "trammel/constraint/rank/row_basis.hpp"

namespace trammel {

// The rows of a basis sorted by component, in pivot order. Their numbers are those within the
// component: indices in components()[c].rows. Singular values and pivots are left out.
inline std::vector<RowBasis> bases_of_components(const SparseRows& J, const RowBasis& basis) {
  std::vector<RowBasis> bases(J.components().size());
  for (std::size_t c = 0; c < bases.size(); ++c)
    bases[c].count = int(J.components()[c].rows.size());
  for (const int row : basis.rows) {
    const auto c = std::size_t(J.component_of_row(row));  // an independent row has entries
    const std::vector<int>& rows = J.components()[c].rows;
    bases[c].rows.push_back(int(std::ranges::lower_bound(rows, row) - rows.begin()));
  }
  return bases;
}

}  // namespace trammel
