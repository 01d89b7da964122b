// Choice of the sparse solver for a model, by counts of operations. Internal to constraint/.
#pragma once

#include <memory>

#include "trammel/constraint/solver/recursive_solver.hpp"
#include "trammel/constraint/solver/sparse_solver.hpp"

namespace trammel {

class SparseSolverSelector {
 public:
  // The sparse solver of a row basis. Analyzed when first needed, and again if the basis changes.
  SparseSolver& of(const Model& model, const RowBasis& basis);

  // Whether the sparse solver takes fewer operations than a recursive one, and than dense ones.
  bool is_faster_than(const RecursiveSolver& recursive, const Model& model, const RowBasis& basis);
  bool is_faster_than_dense(const Model& model, const RowBasis& basis);
  // Whether the rows of this J are coupled by so many joints that no recursive solver of them needs
  // to be made: their elimination at ground would take more than half of its operations.
  bool replaces_recursion(const Model& model, const RowBasis& basis, const SparseRows& J);

 private:
  // `other`: operations of the other solver.
  bool is_less_than(double other, const Model& model, const RowBasis& basis);

  std::unique_ptr<SparseSolver> solver_;
  std::vector<int> sorted_;
  std::vector<int> judged_;  // rows of the basis that replaces_recursion judged
  bool replaces_recursion_ = false;
};

}  // namespace trammel
