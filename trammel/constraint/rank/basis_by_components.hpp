// Row basis of a sparse constraint Jacobian, one connected component after the other, and as the
// bases of its components. Internal to constraint/.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "trammel/base/sparse_rows.hpp"
#include "trammel/constraint/rank/row_basis.hpp"
#include "trammel/constraint/rank/sparse_row_basis.hpp"
#include "trammel/dynamics/threads.hpp"

namespace trammel {

struct ComponentOptions {
  int count = -1;  // of the first rows only; -1: all
  bool with_singular_values = false;
  double* error = nullptr;  // receives the largest relative_error of the components, if not null
  int most_dense_rows = trammel::most_dense_rows;  // of a component decided by a dense matrix
  internal::Threads* threads = nullptr;            // that share the components
};

// As rank_with_singular_values, with J block diagonal: each component by QR with column pivoting in
// the metric of its own block of the mass matrix, M[component] (the inertia of its dofs while the
// others are fixed). A large component is decided by sparse QR in the metric of the diagonal of its
// block (sparse_row_basis), by the dense matrix where that is not certain; its M may be the
// diagonal alone, as one column. Rows of all components in the order of their pivots. Cost: the sum
// of the small components' cubes, and of the fill of the large ones.
RowBasis basis_by_components(const SparseRows& J, const std::vector<Eigen::MatrixXd>& M,
                             const RowScales& scales, const ComponentOptions& options = {});
// The same; none if sparse QR is not certain of a large component: no dense matrix of it is formed.
std::optional<RowBasis> sparse_basis_by_components(const SparseRows& J,
                                                   const std::vector<Eigen::MatrixXd>& M,
                                                   const RowScales& scales,
                                                   const ComponentOptions& options = {});

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
