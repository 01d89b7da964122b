// Sets of linearly dependent rows: the redundant rows as combinations of the rows of the basis.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/rank/row_basis.hpp"
#include "trammel/constraint/rank/sparse_row_basis.hpp"

namespace trammel {

namespace {

// Weights below this are rounding.
constexpr double least_weight = 1e-9;
// Remainder of a dependent row of norm 1: rounding of the reflections.
constexpr double dependent_remainder = 1e-13;

// The redundant row and its parts, row = sum of parts times rows of the basis, as a set.
DependentSet set_of(int row, std::span<const std::pair<int, double>> parts) {
  std::vector<std::pair<int, double>> entries{{row, -1.0}};
  double largest = 1;
  for (const auto& [which, part] : parts) {
    if (!(std::abs(part) > least_weight)) continue;
    entries.emplace_back(which, part);
    largest = std::max(largest, std::abs(part));
  }
  std::ranges::sort(entries);
  DependentSet set;
  for (const auto& [which, weight] : entries) {
    set.rows.push_back(which);
    set.weights.push_back(weight / largest);
  }
  return set;
}

// Rows of one component as linear combinations of its rows in the basis.
class RowCombinations {
 public:
  RowCombinations(const SparseRows& J, std::vector<int> basis_rows, std::span<const int> columns)
      : J_(J),
        rows_(std::move(basis_rows)),
        columns_(columns),
        solver_(J.block(rows_, columns).transpose()) {}

  DependentSet of(int row) const {
    const Eigen::VectorXd x = solver_.solve(J_.block({&row, 1}, columns_).transpose().col(0));
    std::vector<std::pair<int, double>> parts;
    for (std::size_t k = 0; k < rows_.size(); ++k) parts.emplace_back(rows_[k], x[Eigen::Index(k)]);
    return set_of(row, parts);
  }

 private:
  const SparseRows& J_;
  std::vector<int> rows_;
  std::span<const int> columns_;
  OrthogonalDecomposition solver_;
};

// The same for a large component: the rows of the basis, then the redundant ones, as columns of
// unit length of a sparse matrix. A row's coefficients reach as far as the dependence does.
class SparseRowCombinations {
 public:
  SparseRowCombinations(const SparseRows& J, std::vector<int> basis_rows,
                        std::span<const int> redundant, std::span<const int> columns)
      : J_(J), rows_(std::move(basis_rows)), basis_size_(int(rows_.size())) {
    rows_.insert(rows_.end(), redundant.begin(), redundant.end());
    K_ = unit_columns(J, rows_, columns);
    left_.setZero(K_.rows);
    const auto n = std::ssize(rows_);
    SparseQr::Limits limits{Eigen::VectorXd::Constant(n, dependent_remainder),
                            Eigen::VectorXd::Constant(n, std::numeric_limits<double>::infinity())};
    limits.zero.head(basis_size_).setZero();
    limits.pivot.head(basis_size_).setConstant(SparseQr::strong_part);  // the others wait
    qr_.compute(K_, limits, [&](int column, double) { return column < basis_size_; });
  }

  // Of the redundant row with this place in the list.
  DependentSet of(std::size_t k) {
    const int column = basis_size_ + int(k), row = rows_[std::size_t(column)];
    std::vector<std::pair<int, double>> parts;
    for (const auto& [place, part] : parts_of(column)) {
      const int other = rows_[std::size_t(qr_.basis()[std::size_t(place)])];
      parts.emplace_back(other, part * J_.norm(row) / J_.norm(other));
    }
    return set_of(row, parts);
  }

 private:
  std::vector<std::pair<int, double>> parts_of(int column) {
    std::vector<std::pair<int, double>> parts = qr_.coefficients(column);
    if (residual(column, parts) <= 1e-12 + 2 * qr_.remainder(column)) return parts;
    // coefficients that were left out grow by the inverse of a weak pivot: all of them, refined
    Eigen::VectorXd left = Eigen::VectorXd::Zero(K_.rows);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(std::ssize(qr_.basis())), rhs(x.size());
    add(column, 1, left);
    for (int refinement = 0; refinement < 3; ++refinement) {
      for (Eigen::Index k = 0; k < x.size(); ++k)
        rhs[k] = K_.dot(qr_.basis()[std::size_t(k)], left);
      const Eigen::VectorXd step = qr_.solve(qr_.solve_transposed(rhs));
      x += step;
      for (Eigen::Index k = 0; k < x.size(); ++k) add(qr_.basis()[std::size_t(k)], -step[k], left);
    }
    parts.clear();
    for (Eigen::Index k = 0; k < x.size(); ++k) parts.emplace_back(int(k), x[k]);
    return parts;
  }
  // Length of the column without its parts. Cost: the entries of the columns involved.
  double residual(int column, std::span<const std::pair<int, double>> parts) {
    add(column, 1, left_);
    for (const auto& [place, part] : parts) add(qr_.basis()[std::size_t(place)], -part, left_);
    double sum = 0;
    const auto take = [&](int k) {  // each dof once: it is zero again afterwards
      for (const auto& [dof, value] : K_.columns[std::size_t(k)])
        sum += std::pow(std::exchange(left_[dof], 0.0), 2);
    };
    take(column);
    for (const auto& [place, part] : parts) take(qr_.basis()[std::size_t(place)]);
    return std::sqrt(sum);
  }
  void add(int column, double factor, Eigen::VectorXd& to) const {
    for (const auto& [dof, value] : K_.columns[std::size_t(column)]) to[dof] += factor * value;
  }

  const SparseRows& J_;
  std::vector<int> rows_;  // of the basis, then the redundant ones
  int basis_size_;
  SparseColumns K_;
  SparseQr qr_;
  Eigen::VectorXd left_;  // scratch, per dof: zero
};

std::vector<DependentSet> sets_in_component(const SparseRows& J, std::size_t component,
                                            std::vector<int> basis,
                                            const std::vector<int>& redundant) {
  const auto& [rows, columns] = J.components()[component];
  std::vector<DependentSet> sets;
  if (std::ssize(rows) <= most_dense_rows) {
    const RowCombinations combinations(J, std::move(basis), columns);
    for (const int row : redundant) sets.push_back(combinations.of(row));
  } else {
    SparseRowCombinations combinations(J, std::move(basis), redundant, columns);
    for (std::size_t k = 0; k < redundant.size(); ++k) sets.push_back(combinations.of(k));
  }
  return sets;
}

}  // namespace

std::vector<DependentSet> dependent_sets(const SparseRows& J, const RowBasis& chosen) {
  std::vector<DependentSet> sets(static_cast<std::size_t>(chosen.redundant()));
  if (sets.empty()) return sets;
  std::vector<char> is_taken(std::size_t(chosen.count), 0);
  std::vector<std::vector<int>> basis(J.components().size());
  for (const int row : chosen.rows) {
    is_taken[std::size_t(row)] = 1;
    if (const int c = J.component_of_row(row); c >= 0) basis[std::size_t(c)].push_back(row);
  }
  std::vector<std::vector<int>> redundant(J.components().size());
  std::vector<std::vector<std::size_t>> places(J.components().size());  // in `sets`
  std::size_t set = 0;
  for (int row = 0; row < chosen.count; ++row) {
    if (is_taken[std::size_t(row)] != 0) continue;
    if (const int c = J.component_of_row(row); c >= 0 && J.norm(row) > 0) {
      redundant[std::size_t(c)].push_back(row);
      places[std::size_t(c)].push_back(set);
    } else {
      sets[set] = {{row}, {-1.0}};  // all its entries are zero
    }
    ++set;
  }
  for (std::size_t c = 0; c < redundant.size(); ++c) {
    if (redundant[c].empty()) continue;
    std::vector<DependentSet> found = sets_in_component(J, c, std::move(basis[c]), redundant[c]);
    for (std::size_t k = 0; k < found.size(); ++k) sets[places[c][k]] = std::move(found[k]);
  }
  return sets;
}

DependentSet dependent_set(const SparseRows& J, const RowBasis& chosen, int row) {
  const int c = J.component_of_row(row);
  if (c < 0) return {{row}, {-1.0}};
  std::vector<int> basis;
  for (const int other : chosen.rows)
    if (J.component_of_row(other) == c) basis.push_back(other);
  return sets_in_component(J, std::size_t(c), std::move(basis), {row}).front();
}

Eigen::MatrixXd dependent_sets(const Eigen::MatrixXd& J, const RowBasis& chosen) {
  Eigen::MatrixXd sets = Eigen::MatrixXd::Zero(chosen.count, chosen.redundant());
  Eigen::Index column = 0;
  for (const DependentSet& set : dependent_sets(SparseRows::of(J), chosen)) {
    for (std::size_t k = 0; k < set.rows.size(); ++k) sets(set.rows[k], column) = set.weights[k];
    ++column;
  }
  return sets;
}

}  // namespace trammel
