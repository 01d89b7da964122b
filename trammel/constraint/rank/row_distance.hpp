// Distance of given constraint rows from linear dependence, from a sparse factorization.
//
// For rows A, each divided by its scale, with singular values s, the distance is
//
//   (sum of s^-4)^(-1/4) ,     sum of s^-4 = trace (A A^T)^-2 = -d^2/dt^2 log det(A A^T + t 1), t =
//   0
//
// so that no singular value is needed: L D L^T of A A^T + t 1 with truncated Taylor series in t as
// numbers gives log det = sum of log d_i(t) to second order. The rows are eliminated in the order
// of minimum degree [George, Liu 1989], those of one connected component of J after the other, and
// each component has its own distance: rows that share no joint do not affect it. Cost: linear in
// the number of loops whose rows are coupled along a chain or a ladder. A A^T squares the
// condition: a distance below 1e-7 is rounding.
// Internal to constraint/ and simulate/.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "trammel/base/sparse_rows.hpp"

namespace trammel {

class RowDistance {
 public:
  // The rows of J to be measured; J's pattern determines the order of elimination.
  void choose(const SparseRows& J, const std::vector<int>& rows);
  // Of the rows in a component of J, relative to the longest of them. 0: dependent to rounding; 1
  // without rows; not a number if an entry is none. Allocates nothing.
  double of_component(int component, const SparseRows& J, const Eigen::VectorXd& scales);
  // Number of rows factored so far.
  long factored_rows() const { return factored_rows_; }

 private:
  // c[0] + c[1] t + c[2] t^2
  struct Series {
    double c[3] = {0, 0, 0};
  };
  struct Product {
    int a, b, target;  // entries_[a] * entries_[b] is part of series_[target]
  };

  // In the order of elimination: indices of rows in J, the first entry of each in entries_.
  std::vector<int> rows_, first_entry_;
  std::vector<double> entries_;  // scaled
  std::vector<Product> products_;
  // Per component of J: its first row and product; one more at the end.
  struct Begin {
    int row, product;
  };
  std::vector<Begin> begin_;
  // Upper triangle of A A^T with its fill, row after row in the order of elimination: the diagonal
  // entry, then those in later rows.
  std::vector<int> start_;   // per eliminated row: index of its diagonal entry
  std::vector<int> column_;  // per entry: its column, ascending within a row
  std::vector<Series> series_;
  long factored_rows_ = 0;
};

}  // namespace trammel
