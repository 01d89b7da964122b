// Row basis: which constraint rows are linearly independent, and the rank of J.
//
// Decided once, at a state that satisfies the constraints, and kept: at a state that violates them
// slightly, dependent rows seem independent, and accelerations found with them are entirely wrong.
//
// QR with column pivoting [Businger, Golub 1965] of the mass-weighted constraint Jacobian
// K = L^-1 J^T, M = L L^T, column k scaled to length |J_k| / row_scale_k. K^T K = J M^-1 J^T, but
// forming the product would square the singular values. A pivot is compared with its own rounding
// bound, never with the largest pivot: where all rows are redundant, as those of a door's second
// hinge, all pivots are rounding. Derivation: docs/theory/rank.md.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "trammel/base/sparse_rows.hpp"

namespace trammel {

struct RowBasis {
  std::vector<int> rows;         // independent rows, in pivot order
  int count = 0;                 // number of all rows
  std::vector<double> singular;  // singular values of K, largest first (sparse_row_basis: some)
  double tolerance = 0;          // smaller ones count as zero: a thousand times the rounding bound
  // Rows whose remainder, with the independent rows projected out, exceeds its rounding bound, but
  // by less than a factor of 1000, or by no more than the constraint violation of the state
  // explains. They count as dependent.
  struct Undecided {
    int row;
    double length, bound;  // of the scaled row, at most 1 long
  };
  std::vector<Undecided> undecided = {};
  // Per row of the basis: length of the scaled row after the rows before it are projected out.
  std::vector<double> pivots = {};
  int rank() const { return int(rows.size()); }
  int redundant() const { return count - rank(); }
  // Smallest counted singular value / largest: distance from a pose where rows become dependent.
  double least() const { return rows.empty() ? 1 : singular[rows.size() - 1] / singular[0]; }
};

// Scales of the rows of J: the length each row could have, its error bound from rounding, and the
// bound that also includes the constraint violation of the state.
struct RowScales {
  Eigen::VectorXd natural, rounding, uncertainty;
};

// Row basis with singular values. `M` may be singular; then K = J^T.
RowBasis rank_with_singular_values(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M,
                                   const RowScales& scales);

// Sets of linearly dependent rows: a sparse basis of the left null space of J, one column per
// redundant row, each scaled so that its largest entry is 1.
Eigen::MatrixXd dependent_sets(const Eigen::MatrixXd& J, const RowBasis& basis);

// The same for a sparse J, in the order of the redundant rows: each redundant row and the rows of
// the basis that it depends on, all of one component. The sum of weight times row of J is zero.
// Cost: the cubes of small components with redundant rows, sparse QR of large ones (sparse_qr.hpp).
struct DependentSet {
  std::vector<int> rows;  // ascending
  std::vector<double> weights;
};
std::vector<DependentSet> dependent_sets(const SparseRows& J, const RowBasis& basis);
// The set of one redundant row.
DependentSet dependent_set(const SparseRows& J, const RowBasis& basis, int row);

// The rows of J in the basis.
Eigen::MatrixXd independent_rows(const Eigen::MatrixXd& J, const RowBasis& basis);

}  // namespace trammel
