#include "trammel/constraint/system/sparse_solver_selector.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace trammel {

namespace {

// Cost of the sparse solver besides its decomposition: rows of Y and of S, solutions and residuals
// of the refinement, per body, in multiplications of the decomposition. Measured, as the recursive
// solver's; a multiplication of the dense solvers counts as one.
constexpr double per_body = 4500;
// No analysis for less: smaller mechanisms are never faster by the sparse solver.
constexpr int fewest_dofs = 32;

// Multiplications of the recursive elimination for each entry of a constraint at a joint, for each
// pair of constraints that meet there, and for each pair that meets at all; as in
// recursive_solver.cpp.
constexpr double per_entry = 100, per_meeting = 50, per_pair = 275;

// The recursive solver of so many couplings takes longer to be made than many calls: it has to be
// faster by this factor.
constexpr double making = 2;

// Multiplications of the recursive elimination of these rows, ascending, if all are eliminated at
// ground; those of one constraint have the same entries.
double elimination_bound(const SparseRows& J, const std::vector<int>& rows) {
  std::vector<std::vector<int>> constraints_at(static_cast<std::size_t>(J.cols()));
  std::vector<std::span<const int>> constraints;
  for (const int row : rows) {
    if (!constraints.empty() && std::ranges::equal(J.columns(row), constraints.back())) continue;
    for (const int dof : J.columns(row))
      constraints_at[std::size_t(dof)].push_back(int(constraints.size()));
    constraints.push_back(J.columns(row));
  }
  double sum = 0;
  std::vector<int> met_by(constraints.size(), -1);
  for (std::size_t k = 0; k < constraints.size(); ++k)
    for (const int dof : constraints[k]) {
      sum += per_entry;
      for (const int other : constraints_at[std::size_t(dof)]) {
        if (other > int(k)) break;
        sum += per_meeting;
        if (std::exchange(met_by[std::size_t(other)], int(k)) != int(k)) sum += per_pair;
      }
    }
  return sum;
}

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

bool SparseSolverSelector::replaces_recursion(const Model& model, const RowBasis& basis,
                                              const SparseRows& J) {
  if (judged_ == basis.rows) return replaces_recursion_;
  judged_ = basis.rows;
  std::vector<int> rows = basis.rows;
  std::ranges::sort(rows);
  replaces_recursion_ = !rows.empty() && J.rows() == basis.count &&
                        is_less_than(making * elimination_bound(J, rows), model, basis);
  return replaces_recursion_;
}

}  // namespace trammel
