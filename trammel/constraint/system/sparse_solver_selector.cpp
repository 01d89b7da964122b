#include "trammel/constraint/system/sparse_solver_selector.hpp"

#include <algorithm>

namespace trammel {

namespace {

// Cost of the sparse solver besides its decomposition: rows of Y and of S, solutions and residuals
// of the refinement, per body, in multiplications of the decomposition. Measured, as the recursive
// solver's; a multiplication of the dense solvers counts as one.
constexpr double per_body = 4500;
// No analysis for less: smaller mechanisms are never faster by the sparse solver.
constexpr int fewest_dofs = 32;

}  // namespace

SparseSolver& SparseSolverSelector::of(const Model& model, const RowBasis& basis) {
  sorted_ = basis.rows;
  std::ranges::sort(sorted_);
  if (!solver_ || solver_->rows() != sorted_)
    solver_ = std::make_unique<SparseSolver>(model, sorted_);
  return *solver_;
}

bool SparseSolverSelector::is_less_than(double other, const Model& model, const RowBasis& basis) {
  const double least = per_body * double(model.bodies().size());
  return model.nv() >= fewest_dofs && other > least &&
         other > least + of(model, basis).operations();
}

bool SparseSolverSelector::is_faster_than(const RecursiveSolver& recursive, const Model& model,
                                          const RowBasis& basis) {
  return is_less_than(recursive.operations(), model, basis);
}

// schur: decomposition of M, columns of K, QR.
bool SparseSolverSelector::is_faster_than_dense(const Model& model, const RowBasis& basis) {
  const double n = model.nv(), m = basis.rank();
  return is_less_than(n * n * n / 6 + n * n * m / 2 + n * m * m - m * m * m / 3, model, basis);
}

}  // namespace trammel
