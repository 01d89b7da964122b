// Orthonormal null-space basis of rows of a sparse Jacobian. Internal to constraint/.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>

#include "trammel/base/sparse_qr.hpp"
#include "trammel/base/sparse_rows.hpp"

namespace trammel {

// Orthonormal basis of the vectors orthogonal to the columns of A, by sparse QR: random vectors
// (the same on every platform) without their parts along the columns. Columns of which no more than
// `zero` remains beside the others are dependent. None if the remaining parts are not zero to
// rounding. Cost: the entries of R for each vector of the basis, and its square times the rows.
std::optional<Eigen::MatrixXd> orthogonal_complement_of(const SparseColumns& A, double zero = 0);

// Orthonormal basis T of J(rows, dofs) D T = 0, rows independent, D = diag(unit): of a dense block
// up to most_dense_rows, else sparse.
Eigen::MatrixXd null_space(const SparseRows& J, std::span<const int> rows,
                           std::span<const int> dofs, const Eigen::VectorXd& unit,
                           int most_dense = most_dense_rows);

// The part of x (one number per dof in `dofs`) in that null space with D = 1: x without its part
// along the rows. None if it is not orthogonal to them to rounding. Cost: one decomposition; the
// basis is not formed.
std::optional<Eigen::VectorXd> part_in_null_space(const SparseRows& J, std::span<const int> rows,
                                                  std::span<const int> dofs,
                                                  const Eigen::VectorXd& x,
                                                  int most_dense = most_dense_rows);

}  // namespace trammel
