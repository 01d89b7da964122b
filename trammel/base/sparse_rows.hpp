// Sparse matrix by rows with a fixed pattern of nonzero entries, and its connected components.
//
// A row and a column are connected if the pattern has an entry there. A matrix whose rows and
// columns are sorted by component is block diagonal: rank, null space and least-squares solutions
// are those of the blocks, which are small where each constraint acts on few joints. Memory and
// products: O(entries).
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace trammel {

// Rows and columns of a connected component, each ascending.
struct MatrixComponent {
  std::vector<int> rows, columns;
};

// Sparse matrix by rows; its pattern is fixed at construction.
class SparseRows {
 public:
  SparseRows() = default;
  // `pattern`: per row, the columns of its entries, ascending.
  SparseRows(int columns, const std::vector<std::vector<int>>& pattern);

  // The nonzero entries of a matrix.
  static SparseRows of(const Eigen::MatrixXd& matrix);

  int rows() const { return int(start_.size()) - 1; }
  int cols() const { return columns_; }

  std::size_t entries() const { return column_.size(); }
  std::size_t entry(int row) const { return at(row); }  // index of the first entry of a row
  // Columns and values of the entries of a row.
  std::span<const int> columns(int row) const { return {column_.data() + at(row), size(row)}; }
  std::span<const double> values(int row) const { return {value_.data() + at(row), size(row)}; }
  std::span<double> values(int row) { return {value_.data() + at(row), size(row)}; }
  void set_zero();
  double operator()(int row, int column) const;  // 0 outside the pattern; O(log of the row's size)

  double dot(int row, const Eigen::VectorXd& x) const;  // of a row with a vector
  double norm(int row) const;
  Eigen::VectorXd operator*(const Eigen::VectorXd& x) const;
  Eigen::VectorXd transpose_times(const Eigen::VectorXd& y) const;
  // The entries in these rows and columns. Columns are ascending; entries in others are left out.
  Eigen::MatrixXd block(std::span<const int> rows, std::span<const int> columns) const;
  Eigen::MatrixXd dense() const;
  void write_dense(Eigen::MatrixXd& out) const;

  // Components of the pattern, in the order of their first rows. Rows without entries and columns
  // without entries belong to none.
  const std::vector<MatrixComponent>& components() const { return components_; }
  int component_of_row(int row) const { return component_of_row_[std::size_t(row)]; }  // -1: none
  int component_of_column(int column) const { return component_of_column_[std::size_t(column)]; }

 private:
  std::size_t at(int row) const { return std::size_t(start_[std::size_t(row)]); }
  std::size_t size(int row) const { return at(row + 1) - at(row); }
  void find_components();

  int columns_ = 0;
  std::vector<int> start_ = {0}, column_;
  std::vector<double> value_;
  std::vector<MatrixComponent> components_;
  std::vector<int> component_of_row_, component_of_column_;
};

}  // namespace trammel
