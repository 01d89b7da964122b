// Sparse Cholesky decomposition S = L L^T of a symmetric positive definite matrix of small dense
// blocks: multifrontal, with supernodes [Duff, Reid 1983; Liu 1992].
//
// The pattern is given by cliques: sets of blocks that are coupled with each other. Analysis (order
// of elimination by approximate minimum degree [Amestoy, Davis, Duff 1996], elimination tree,
// supernodes, memory) is made once; values are then added, factored and solved for without an
// allocation. For graphs of n vertices in the plane the factor has O(n log n) numbers and costs
// O(n^1.5) operations, in space O(n^(4/3)) and O(n^2) [George 1973; Lipton, Rose, Tarjan 1979];
// these are the bounds of nested dissection, which minimum degree follows in practice.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace trammel {

// Order in which to eliminate the vertices of a graph so that its Cholesky factor stays sparse.
// `neighbors`: per vertex, those of the other vertices that it is connected to.
std::vector<int> minimum_degree_order(const std::vector<std::vector<int>>& neighbors);

// Analysis and decomposition of a matrix of blocks.
class SparseCholesky {
 public:
  SparseCholesky() = default;
  // `sizes`: rows of each block. `cliques`: sets of blocks, each block at most once in a set; the
  // matrix has an entry where both blocks are in one set, and on the diagonal.
  SparseCholesky(std::vector<int> sizes, const std::vector<std::vector<int>>& cliques);

  int rows() const { return rows_; }
  int start(int block) const { return start_[std::size_t(block)]; }  // first row of a block
  double operations() const { return operations_; }  // multiplications of one decomposition
  // Numbers stored: the factor and the largest stack of update matrices.
  std::size_t numbers() const { return values_.size() + stack_.size(); }

  void set_zero();
  // Adds Y Y^T to the blocks of a clique; the rows of Y (row-major, `width` columns) are those of
  // its blocks, one after the other.
  void add_gram(std::size_t clique, const double* Y, int width);
  // Decomposes the matrix, and returns the smallest ratio of a pivot to its diagonal entry: at most
  // about 1e-15 if the matrix is not positive definite in doubles. Such pivots are replaced, so
  // that solve() is defined.
  double factor();
  // Replaces x by S^-1 x, in the order of the blocks.
  void solve(std::span<double> x);

 private:
  // Consecutive columns with the same rows. Its panel holds the `columns` columns of L, all rows;
  // `update` rows are those below the diagonal block.
  struct Supernode {
    int first_row = 0;  // in the order of elimination
    int columns = 0, update = 0, parent = -1;
    std::size_t panel = 0, stack = 0;  // where its columns and its update matrix begin
    std::size_t at_end = 0;            // where the update matrix is computed, above its children's
    std::size_t rows = 0;  // first of its `update` entries in update_rows_ and relative_
    int height() const { return columns + update; }
  };
  // Place of a pair of blocks of a clique: rows of the later block, columns of the earlier one.
  struct Entry {
    std::size_t at = 0;
    int stride = 0;
    bool is_swapped = false;  // the second block of the pair is the earlier one
  };
  struct Clique {
    std::vector<int> sizes;
    std::vector<Entry> pairs;  // (0, 0), (1, 0), (1, 1), (2, 0), ...
  };
  class Analysis;

  void add_updates_of_children(std::size_t s);

  std::vector<int> start_, eliminated_;  // per row: its place in the order of elimination
  std::vector<Supernode> supernodes_;    // each after its children
  std::vector<std::vector<int>> children_;
  std::vector<Clique> cliques_;
  std::vector<int> update_rows_;  // in the order of elimination
  std::vector<int> relative_;     // the same in the front of the parent
  std::vector<double> values_, stack_, diagonal_, x_;
  double operations_ = 0;
  int rows_ = 0;
};

}  // namespace trammel
