// Rows of a sparse matrix as dense blocks (fronts), each over the columns where its rows have
// entries, for the orthogonal elimination of columns in any order: row merging [Liu 1986].
//
// A reflection of the rows that have an entry in a column changes these rows only, and leaves the
// column with one entry. That row is then final (a row of R in A = Q R); the others remain as a
// block without the column. What remains of a column, over all blocks, is its part orthogonal to
// the columns eliminated before: its norm is its distance from their span.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace trammel {

// Dense rows over some columns. All other entries of these rows are zero.
struct RowFront {
  std::vector<int> columns = {};
  Eigen::MatrixXd rows = {};
};

// Row of R where a column was eliminated: its entry there, and those in columns that remained.
struct PivotRow {
  int column = -1;
  double diagonal = 0;
  std::vector<int> columns = {};  // ascending
  Eigen::VectorXd values = {};
};

// Householder reflection that leaves a column with its first entry; the same for the columns beside
// it.
void reflect(Eigen::Ref<Eigen::VectorXd> column, Eigen::Ref<Eigen::MatrixXd> beside);

// Eliminates one of the columns of a front with rows by a Householder reflection.
PivotRow eliminate_column(RowFront& front, int column);

class RowFronts {
 public:
  explicit RowFronts(int columns = 0);

  // Columns that are zero in all rows of the front are left out; more rows than columns are reduced
  // to their triangle.
  void add(RowFront front);
  // Removes the fronts with one of these columns and returns them as one, its columns ascending.
  RowFront take(std::span<const int> columns);
  // The same of one column, with the columns that no other front has first, each part in the order
  // of `turn`. Those with `is_outside` are left among the others. `inside`: number of the first.
  RowFront take_inside_first(int column, std::span<const int> turn,
                             std::span<const char> is_outside, int& inside);
  // The entries in these columns of the rows with an entry in one of them.
  Eigen::MatrixXd block(std::span<const int> columns);
  // Sets a column to zero.
  void drop(int column);

  double norm(int column);  // of what remains of a column
  // Whether no front has this column.
  bool is_empty(int column) const { return count_[std::size_t(column)] == 0; }

 private:
  std::vector<int>& fronts_of(int column);  // without those taken
  std::vector<int> fronts_with(std::span<const int> columns);
  // Columns of these fronts, which are no longer counted; the fronts as one over the columns.
  std::vector<int> release_columns(std::span<const int> ids);
  RowFront merge(std::span<const int> ids, std::vector<int> columns);

  std::vector<RowFront> fronts_;             // taken ones have no columns
  std::vector<std::vector<int>> of_column_;  // per column: its fronts, ascending, and taken ones
  std::vector<int> count_;                   // per column: fronts that have it
  std::vector<int> place_;                   // scratch, per column: -1
};

}  // namespace trammel
