// Sparse matrices of any pattern, column-major, with Eigen's products.
#pragma once

#include <Eigen/SparseCore>
#include <cmath>
#include <span>
#include <vector>

#include "trammel/base/sparse_rows.hpp"

namespace trammel {

using SparseMatrix = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

// From a list of entries; those at the same place are added.
inline SparseMatrix sparse_matrix(Eigen::Index rows, Eigen::Index columns,
                                  const Triplets& entries) {
  SparseMatrix out(rows, columns);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

// Position of each number in `list`; -1: not in it.
inline std::vector<int> positions_in(std::span<const int> list, Eigen::Index count) {
  std::vector<int> out(std::size_t(count), -1);
  for (std::size_t k = 0; k < list.size(); ++k) out[std::size_t(list[k])] = int(k);
  return out;
}

// The entries of A in these rows and columns, each in any order.
inline SparseMatrix selected(const SparseRows& A, std::span<const int> rows,
                             std::span<const int> columns) {
  const std::vector<int> at = positions_in(columns, A.cols());
  Triplets entries;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::span<const int> of_row = A.columns(rows[r]);
    const std::span<const double> values = A.values(rows[r]);
    for (std::size_t k = 0; k < of_row.size(); ++k)
      if (const int c = at[std::size_t(of_row[k])]; c >= 0)
        entries.emplace_back(int(r), c, values[k]);
  }
  return sparse_matrix(Eigen::Index(rows.size()), Eigen::Index(columns.size()), entries);
}
// The rows of A in this list.
inline SparseMatrix selected_rows(const SparseMatrix& A, std::span<const int> rows) {
  const std::vector<int> at = positions_in(rows, A.rows());
  Triplets entries;
  for (Eigen::Index c = 0; c < A.cols(); ++c)
    for (SparseMatrix::InnerIterator e(A, c); e; ++e)
      if (const int r = at[std::size_t(e.row())]; r >= 0)
        entries.emplace_back(r, int(c), e.value());
  return sparse_matrix(Eigen::Index(rows.size()), A.cols(), entries);
}

inline bool has_finite_entries(const SparseMatrix& A) {
  for (Eigen::Index k = 0; k < A.nonZeros(); ++k)
    if (!std::isfinite(A.valuePtr()[k])) return false;
  return true;
}

}  // namespace trammel
