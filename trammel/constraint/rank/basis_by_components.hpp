// Row basis of a sparse constraint Jacobian, one connected component after the other. Internal to
// constraint/.
#pragma once

#include "trammel/base/sparse_rows.hpp"
#include "trammel/constraint/rank/row_basis.hpp"
#include "trammel/constraint/rank/sparse_row_basis.hpp"

namespace trammel {

struct ComponentOptions {
  int count = -1;  // of the first rows only; -1: all
  bool with_singular_values = false;
  double* error = nullptr;  // receives the largest relative_error of the components, if not null
  int most_dense_rows = trammel::most_dense_rows;  // of a component decided by a dense matrix
};

// As rank_with_singular_values, with J block diagonal: each component by QR with column pivoting in
// the metric of its own block of the mass matrix, M[component] (the inertia of its dofs while the
// others are fixed). A large component is decided by sparse QR in the metric of the diagonal of its
// block (sparse_row_basis), by the dense matrix where that is not certain; its M may be the
// diagonal alone, as one column. Rows of all components in the order of their pivots. Cost: the sum
// of the small components' cubes, and of the fill of the large ones.
RowBasis basis_by_components(const SparseRows& J, const std::vector<Eigen::MatrixXd>& M,
                             const RowScales& scales, const ComponentOptions& options = {});

}  // namespace trammel
