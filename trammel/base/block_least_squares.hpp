// Minimum-norm least-squares solutions of a block of a sparse matrix, at any rank: a complete
// orthogonal decomposition of a small block, a sparse QR decomposition of a large one.
//
// Large: rows S of the block are a basis (SparseQr of A^T), A_S^T = Q R, and the others are
// A_D = C A_S. The solution is in the row space, x = A_S^T (R^T R)^-1 z with z = A_S x, refined
// [Bjorck 1987]. Right-hand sides that no x fits: the z with the least |z - b_S|^2 + |C z - b_D|^2
// by conjugate gradients [Hestenes, Stiefel 1952], with C as a product. Where R has lost too many
// digits or the iteration does not converge, the dense decomposition solves.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <vector>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/base/sparse_qr.hpp"
#include "trammel/base/sparse_rows.hpp"

namespace trammel {

class BlockLeastSquares {
 public:
  BlockLeastSquares();
  // Of A(rows, columns); columns are ascending. Pivots below `threshold` times the largest are
  // zero; negative: rounding of the block.
  BlockLeastSquares(const SparseRows& A, std::span<const int> rows, std::span<const int> columns,
                    double threshold = -1, int most_dense = most_dense_rows);
  BlockLeastSquares(BlockLeastSquares&&) noexcept;
  BlockLeastSquares& operator=(BlockLeastSquares&&) noexcept;
  ~BlockLeastSquares();

  template <class B> Solution<B> solve(const Eigen::MatrixBase<B>& b) const {
    return solve_matrix(b.derived());
  }
  bool is_sparse() const { return sparse_ != nullptr; }

 private:
  struct Sparse;
  Eigen::MatrixXd solve_matrix(const ConstMatrix& B) const;

  OrthogonalDecomposition dense_;
  std::unique_ptr<Sparse> sparse_;
};

}  // namespace trammel
