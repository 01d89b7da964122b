#include "trammel/base/component_least_squares.hpp"

#include <algorithm>

namespace trammel {

ComponentLeastSquares::ComponentLeastSquares(const SparseRows& A, const std::vector<int>& rows,
                                             const std::vector<int>& columns)
    : columns_(std::ssize(columns)) {
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
    part.solver.compute(A.block(in_rows, in_columns));
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

}  // namespace trammel
