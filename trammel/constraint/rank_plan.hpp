// Rank of the constraint rows: which of them are independent.
//
// Decided once, at a state that closes all loops, and kept: at a state that is a little open,
// dependent rows look independent, and accelerations found with them are entirely wrong.
//
// Decided on K = L^-1 J^T with M = L L^T, whose columns are the rows in the metric of inertia
// (K^T K = J M^-1 J^T, but forming the product would square the singular values), each scaled by
// the length it could have: QR with column pivoting [Businger, Golub 1965]. A pivot is judged by
// its own rounding bound, never by the largest pivot: where all rows are redundant, as those of a
// door's second hinge, all pivots are rounding.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace trammel {

struct RankPlan {
  std::vector<int> rows;         // the independent ones, in the order of their pivots
  int count = 0;                 // of all rows
  std::vector<double> singular;  // singular values of K, largest first
  double tolerance = 0;          // those below count as zero: a thousand times what rounding moves
  // Rows that are longer than their rounding bound, once the independent ones are taken away, but
  // not by a factor of a thousand, or by no more than loops that do not quite close explain. They
  // count as dependent.
  struct Undecided {
    int row;
    double length, bound;  // of a row that could have length 1
  };
  std::vector<Undecided> undecided = {};
  int rank() const { return int(rows.size()); }
  int redundant() const { return count - rank(); }
  // How far the smallest counted singular value is from the largest: the distance from a pose where
  // rows become dependent.
  double least() const { return rows.empty() ? 1 : singular[rows.size() - 1] / singular[0]; }
};

// How the rows are measured: the length each could have, how far rounding may move it, and how far
// the state's own violation of the rows may move it besides.
struct RowScales {
  Eigen::VectorXd natural, rounding, uncertainty;
};

// `M` may be singular; then the rows are judged as they are.
RankPlan decide_rank(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M, const RowScales& scales);

// Sets of rows that depend on each other: a basis of the left null space of J with many zeros, each
// scaled so that its largest entry is 1.
Eigen::MatrixXd dependent_sets(const Eigen::MatrixXd& J, const RankPlan& plan);

// The rows of the plan.
Eigen::MatrixXd independent_rows(const Eigen::MatrixXd& J, const RankPlan& plan);

}  // namespace trammel
