// Row basis of one large connected component of a sparse constraint Jacobian, without forming a
// dense matrix. Internal to constraint/.
#pragma once

#include <optional>
#include <span>

#include "trammel/base/sparse_qr.hpp"
#include "trammel/base/sparse_rows.hpp"
#include "trammel/constraint/rank/row_basis.hpp"

namespace trammel {

struct SparseRowBasis {
  // Rows are indices in the list given. singular: estimates of the largest and of the smallest
  // counted singular value of K, the pivots between them, then the longest remainder of a dependent
  // row.
  RowBasis basis;
  double bound_squared = 0;  // sum of the squares of the rows' bounds
  double error = 0;          // relative_error of the basis
};
enum class Estimates { singular_values, none };  // `none`: basis.singular and error are left out

// Decides as rank_with_singular_values does, in the metric of the diagonal of M: rows of J compared
// as columns of K = D^-1/2 J^T, D = diag(M) > 0 (otherwise K = J^T), which are as sparse as J. Rank
// and dependence of rows do not depend on the metric. Pivots are chosen locally, so that the basis
// may be another one. `rows`: of J, all of one component; `inertia`: diagonal of M, per dof in
// `dofs`; scales: per entry of `rows`.
//
// None if independence is not certain: every row of the basis must be independent of the rows
// eliminated before it by a thousand times its bound, (7) of docs/theory/rank.md, which is tested
// for all rows at once by an estimate of a norm.
std::optional<SparseRowBasis> sparse_row_basis(const SparseRows& J, std::span<const int> rows,
                                               std::span<const int> dofs,
                                               const Eigen::VectorXd& inertia,
                                               const RowScales& scales,
                                               Estimates estimates = Estimates::singular_values);

// These rows of J as columns, over the dofs in ascending order, each divided by its norm if that is
// positive. Entries that are zero, and those at other dofs, are left out.
SparseColumns unit_columns(const SparseRows& J, std::span<const int> rows,
                           std::span<const int> dofs);

}  // namespace trammel
