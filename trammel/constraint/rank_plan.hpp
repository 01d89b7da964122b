// Which rows are independent? Decided once, on a state that closes all loops, and kept: a state
// that is a little open has rows that look independent and are not, and the accelerations made with
// them are entirely wrong.
//
// Decided on K = L^-1 J^T with M = L L^T, whose columns are the rows as inertia sees them
// (K^T K = J M^-1 J^T, but the product would square the singular values and see nothing below
// 1e-8): by QR with pivoting, every column as long as its row is, measured by what it could be.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace trammel {

struct RankPlan {
  std::vector<int> rows;         // the independent ones, in the order of their pivots
  int count = 0;                 // of all rows
  std::vector<double> singular;  // singular values of K, largest first
  double tolerance = 0;          // those below are zero
  int rank() const { return int(rows.size()); }
  int redundant() const { return count - rank(); }
  // How far the smallest counted singular value is from the largest: the distance from a pose where
  // rows become dependent.
  double least() const { return rows.empty() ? 1 : singular[rows.size() - 1] / singular[0]; }
};

// `M` may be singular; then the rows are judged as they are. `natural`: Rows::natural_lengths().
RankPlan decide_rank(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M,
                     const Eigen::VectorXd& natural);

// Sets of rows that depend on each other: a basis of the left null space of J with many zeros, each
// scaled so that its largest entry is 1.
Eigen::MatrixXd dependent_sets(const Eigen::MatrixXd& J, const RankPlan& plan);

// The rows of the plan.
Eigen::MatrixXd independent_rows(const Eigen::MatrixXd& J, const RankPlan& plan);

}  // namespace trammel
