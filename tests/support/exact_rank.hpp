// Rank of integer matrices without rounding: fraction-free elimination (Bareiss).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "tests/support/random_robot.hpp"

namespace trammel {

using IntegerMatrix = std::vector<std::vector<std::int64_t>>;  // rows
inline IntegerMatrix integer_zeros(int rows, int columns) {
  const std::vector<std::int64_t> row(static_cast<std::size_t>(columns));
  return IntegerMatrix(static_cast<std::size_t>(rows), row);
}

// Every intermediate number is a minor of the matrix, so that the divisions leave no remainder.
// Minors up to 1e18: 8 x 8 with entries up to 50, by Hadamard's bound.
inline int exact_rank(const IntegerMatrix& of) {
  using Wide = __int128;
  std::vector<std::vector<Wide>> A;
  for (const std::vector<std::int64_t>& row : of) A.emplace_back(row.begin(), row.end());
  const std::size_t columns = A.empty() ? 0 : A[0].size();
  std::size_t rank = 0;
  Wide before = 1;
  for (std::size_t column = 0; column < columns && rank < A.size(); ++column) {
    std::size_t pivot = rank;
    while (pivot < A.size() && A[pivot][column] == 0) ++pivot;
    if (pivot == A.size()) continue;
    std::swap(A[rank], A[pivot]);
    for (std::size_t i = rank + 1; i < A.size(); ++i) {
      for (std::size_t j = column + 1; j < columns; ++j)
        A[i][j] = (A[rank][column] * A[i][j] - A[i][column] * A[rank][j]) / before;
      A[i][column] = 0;
    }
    before = A[rank][column];
    ++rank;
  }
  return int(rank);
}

inline IntegerMatrix rows_of(const IntegerMatrix& A, const std::vector<int>& rows) {
  IntegerMatrix out;
  for (const int row : rows) out.push_back(A[std::size_t(row)]);
  return out;
}

// Integer matrix of at most 8 rows and columns; many have dependent, equal or zero rows: a product
// of two matrices with entries from -2 to 2 and a random inner size.
inline IntegerMatrix random_integer_matrix(int seed) {
  Random random(seed);
  const int rows = 1 + random.below(8), columns = 1 + random.below(8);
  const int inner = random.below(std::min(rows, columns) + 1);
  const auto entries = [&](int m, int n) {
    IntegerMatrix out = integer_zeros(m, n);
    for (std::vector<std::int64_t>& row : out)
      for (std::int64_t& x : row) x = random.below(5) - 2;
    return out;
  };
  const IntegerMatrix A = entries(rows, inner), B = entries(inner, columns);
  IntegerMatrix out = integer_zeros(rows, columns);
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t k = 0; k < A[i].size(); ++k)
      for (std::size_t j = 0; j < out[i].size(); ++j) out[i][j] += A[i][k] * B[k][j];
  return out;
}

inline Eigen::MatrixXd as_doubles(const IntegerMatrix& A) {
  Eigen::MatrixXd out(Eigen::Index(A.size()), Eigen::Index(A.empty() ? 0 : A[0].size()));
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < A[i].size(); ++j)
      out(Eigen::Index(i), Eigen::Index(j)) = double(A[i][j]);
  return out;
}

}  // namespace trammel
