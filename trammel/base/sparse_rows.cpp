#include "trammel/base/sparse_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trammel {

SparseRows::SparseRows(int columns, const std::vector<std::vector<int>>& pattern)
    : columns_(columns) {
  for (const std::vector<int>& row : pattern) {
    column_.insert(column_.end(), row.begin(), row.end());
    start_.push_back(int(column_.size()));
  }
  value_.assign(column_.size(), 0.0);
  find_components();
}

SparseRows SparseRows::of(const Eigen::MatrixXd& matrix) {
  std::vector<std::vector<int>> pattern(static_cast<std::size_t>(matrix.rows()));
  for (Eigen::Index row = 0; row < matrix.rows(); ++row)
    for (Eigen::Index column = 0; column < matrix.cols(); ++column)
      if (matrix(row, column) != 0) pattern[std::size_t(row)].push_back(int(column));
  SparseRows out(int(matrix.cols()), pattern);
  for (int row = 0; row < out.rows(); ++row)
    for (std::size_t k = 0; k < out.size(row); ++k)
      out.values(row)[k] = matrix(row, out.columns(row)[k]);
  return out;
}

// Disjoint sets of the columns with path halving [Tarjan, van Leeuwen 1984]: the columns of one row
// are one set.
void SparseRows::find_components() {
  std::vector<int> root(static_cast<std::size_t>(columns_));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int k) {
    while (root[std::size_t(k)] != k) {
      root[std::size_t(k)] = root[std::size_t(root[std::size_t(k)])];
      k = root[std::size_t(k)];
    }
    return k;
  };
  for (int row = 0; row < rows(); ++row)
    for (const int column : columns(row)) {
      const int a = find(columns(row)[0]), b = find(column);
      root[std::size_t(std::max(a, b))] = std::min(a, b);
    }
  component_of_row_.assign(std::size_t(rows()), -1);
  component_of_column_.assign(std::size_t(columns_), -1);
  components_.clear();
  std::vector<int> component(std::size_t(columns_), -1);  // of a root
  for (int row = 0; row < rows(); ++row) {
    if (columns(row).empty()) continue;
    int& which = component[std::size_t(find(columns(row)[0]))];
    if (which < 0) {
      which = int(components_.size());
      components_.emplace_back();
    }
    component_of_row_[std::size_t(row)] = which;
    components_[std::size_t(which)].rows.push_back(row);
  }
  for (int column = 0; column < columns_; ++column) {
    const int which = component[std::size_t(find(column))];
    component_of_column_[std::size_t(column)] = which;
    if (which >= 0) components_[std::size_t(which)].columns.push_back(column);
  }
}

void SparseRows::set_zero() { std::ranges::fill(value_, 0.0); }

double SparseRows::operator()(int row, int column) const {
  const std::span<const int> in = columns(row);
  const auto found = std::ranges::lower_bound(in, column);
  return found != in.end() && *found == column ? values(row)[std::size_t(found - in.begin())] : 0.0;
}

double SparseRows::dot(int row, const Eigen::VectorXd& x) const {
  double sum = 0;
  for (std::size_t k = 0; k < size(row); ++k) sum += values(row)[k] * x[columns(row)[k]];
  return sum;
}

double SparseRows::norm(int row) const {
  double sum = 0;
  for (const double value : values(row)) sum += value * value;
  return std::sqrt(sum);
}

Eigen::VectorXd SparseRows::operator*(const Eigen::VectorXd& x) const {
  Eigen::VectorXd out(rows());
  for (int row = 0; row < rows(); ++row) out[row] = dot(row, x);
  return out;
}

Eigen::VectorXd SparseRows::transpose_times(const Eigen::VectorXd& y) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(columns_);
  for (int row = 0; row < rows(); ++row)
    for (std::size_t k = 0; k < size(row); ++k) out[columns(row)[k]] += y[row] * values(row)[k];
  return out;
}

Eigen::MatrixXd SparseRows::block(std::span<const int> rows, std::span<const int> columns) const {
  Eigen::MatrixXd out =
      Eigen::MatrixXd::Zero(Eigen::Index(rows.size()), Eigen::Index(columns.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::span<const int> in = this->columns(rows[i]);
    const std::span<const double> entries = values(rows[i]);
    auto place = columns.begin();
    for (std::size_t k = 0; k < in.size(); ++k) {
      place = std::lower_bound(place, columns.end(), in[k]);
      if (place == columns.end()) break;
      if (*place == in[k]) out(Eigen::Index(i), place - columns.begin()) = entries[k];
    }
  }
  return out;
}

void SparseRows::write_dense(Eigen::MatrixXd& out) const {
  out.setZero(rows(), columns_);
  for (int row = 0; row < rows(); ++row)
    for (std::size_t k = 0; k < size(row); ++k) out(row, columns(row)[k]) = values(row)[k];
}

Eigen::MatrixXd SparseRows::dense() const {
  Eigen::MatrixXd out;
  write_dense(out);
  return out;
}

}  // namespace trammel
