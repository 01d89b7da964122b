// Independence of constraint rows on the joints that the recursion has passed: a row can be
// eliminated where its part on these joints is independent of the rows eliminated before. Internal
// to constraint/.
//
// The rows of J are the columns of a sparse matrix with one row per passed dof. Rows eliminated are
// columns eliminated by orthogonal reflections (RowFronts), so that what remains of a waiting row
// is its distance from the span of all eliminated ones. Passing a dof adds a row, which is rotated
// with the final rows of the columns eliminated before [George, Heath 1980]. Cost of each: that of
// the rows it touches, not of all rows eliminated.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "trammel/base/row_fronts.hpp"
#include "trammel/base/sparse_rows.hpp"

namespace trammel {

class PassedRows {
 public:
  // Of these rows of J; entries that are zero are left out.
  PassedRows(const SparseRows& J, std::span<const int> rows);

  void pass(int dof);
  // Indices of the candidates (rows of J that wait) that are independent of all eliminated rows and
  // of the candidates found before them, on the passed dofs, by more than `least` of their norm.
  std::vector<int> independent(std::span<const int> candidates, double least);
  void eliminate(int row);

 private:
  const SparseRows& J_;
  std::vector<std::vector<std::pair<int, double>>> at_dof_;  // per dof: rows with an entry there
  RowFronts fronts_;             // columns: rows of J that wait; rows: passed dofs
  std::vector<PivotRow> final_;  // per eliminated row, in their order
  std::vector<int> order_;       // per row of J: its index in final_, or -1
};

}  // namespace trammel
