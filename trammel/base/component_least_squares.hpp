// Minimum-norm least-squares solutions of a block-diagonal system: one decomposition per connected
// component of a sparse matrix (BlockLeastSquares).
#pragma once

#include <Eigen/Core>
#include <vector>

#include "trammel/base/block_least_squares.hpp"
#include "trammel/base/sparse_matrix.hpp"
#include "trammel/base/sparse_rows.hpp"

namespace trammel {

class ComponentLeastSquares {
 public:
  ComponentLeastSquares() = default;
  // Of the submatrix of A in these rows and columns, each in any order.
  ComponentLeastSquares(const SparseRows& A, const std::vector<int>& rows,
                        const std::vector<int>& columns);

  // X with A(rows, columns) X = B: B has a row for each of `rows`, X for each of `columns`, in
  // their order. Columns without entries are 0.
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;
  // The same for a sparse B: the components of a column without entries in B are not solved, so the
  // cost is that of the result's entries.
  SparseMatrix solve(const SparseMatrix& B) const;
  // The pseudoinverse of the submatrix: a dense block per component.
  SparseMatrix pseudo_inverse() const;

 private:
  struct Part {
    std::vector<int> rows, columns;  // indices in B and X
    BlockLeastSquares solver;
  };
  std::vector<Part> parts_;
  Eigen::Index rows_ = 0, columns_ = 0;
};

}  // namespace trammel
