#include "trammel/base/component_least_squares.hpp"

#include <algorithm>

namespace trammel {

ComponentLeastSquares::ComponentLeastSquares(const SparseRows& A, const std::vector<int>& rows,
                                             const std::vector<int>& columns)
    : rows_(std::ssize(rows)), columns_(std::ssize(columns)) {
  struct Members {
    std::vector<int> rows, columns;  // indices in the lists
  };
  std::vector<Members> members(A.components().size());
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (const int c = A.component_of_row(rows[k]); c >= 0)
      members[std::size_t(c)].rows.push_back(int(k));
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (const int c = A.component_of_column(columns[k]); c >= 0)
      members[std::size_t(c)].columns.push_back(int(k));
  for (Members& of : members) {
    if (of.rows.empty() || of.columns.empty()) continue;
    std::ranges::sort(of.columns, {}, [&](int k) { return columns[std::size_t(k)]; });
    std::vector<int> in_rows, in_columns;
    for (const int k : of.rows) in_rows.push_back(rows[std::size_t(k)]);
    for (const int k : of.columns) in_columns.push_back(columns[std::size_t(k)]);
    Part& part = parts_.emplace_back();
    part.solver = BlockLeastSquares(A, in_rows, in_columns);
    part.rows = std::move(of.rows);
    part.columns = std::move(of.columns);
  }
}

Eigen::MatrixXd ComponentLeastSquares::solve(const Eigen::MatrixXd& B) const {
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(columns_, B.cols());
  for (const Part& part : parts_)
    X(part.columns, Eigen::all) = part.solver.solve(Eigen::MatrixXd(B(part.rows, Eigen::all)));
  return X;
}

SparseMatrix ComponentLeastSquares::solve(const SparseMatrix& B) const {
  std::vector<int> part_of(std::size_t(rows_), -1), place = part_of;
  for (std::size_t p = 0; p < parts_.size(); ++p)
    for (std::size_t k = 0; k < parts_[p].rows.size(); ++k) {
      part_of[std::size_t(parts_[p].rows[k])] = int(p);
      place[std::size_t(parts_[p].rows[k])] = int(k);
    }
  // per part, the columns of B with entries in its rows
  std::vector<std::vector<int>> columns_of(parts_.size());
  for (Eigen::Index c = 0; c < B.cols(); ++c)
    for (SparseMatrix::InnerIterator e(B, c); e; ++e)
      if (const int p = part_of[std::size_t(e.row())]; p >= 0)
        if (auto& list = columns_of[std::size_t(p)]; list.empty() || list.back() != int(c))
          list.push_back(int(c));
  Triplets entries;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const std::vector<int>& columns = columns_of[p];
    if (columns.empty()) continue;
    Eigen::MatrixXd right_sides =
        Eigen::MatrixXd::Zero(std::ssize(parts_[p].rows), std::ssize(columns));
    for (std::size_t k = 0; k < columns.size(); ++k)
      for (SparseMatrix::InnerIterator e(B, columns[k]); e; ++e)
        if (part_of[std::size_t(e.row())] == int(p))
          right_sides(place[std::size_t(e.row())], Eigen::Index(k)) += e.value();
    const Eigen::MatrixXd X = parts_[p].solver.solve(right_sides);
    for (std::size_t k = 0; k < columns.size(); ++k)
      for (std::size_t i = 0; i < parts_[p].columns.size(); ++i)
        entries.emplace_back(parts_[p].columns[i], columns[k], X(Eigen::Index(i), Eigen::Index(k)));
  }
  return sparse_matrix(columns_, B.cols(), entries);
}

SparseMatrix ComponentLeastSquares::pseudo_inverse() const {
  SparseMatrix unit(rows_, rows_);
  unit.setIdentity();
  return solve(unit);
}

}  // namespace trammel
