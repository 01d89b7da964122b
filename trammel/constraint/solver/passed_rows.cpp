#include "trammel/constraint/solver/passed_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace trammel {

PassedRows::PassedRows(const SparseRows& J, std::span<const int> rows)
    : J_(J), at_dof_(std::size_t(J.cols())), fronts_(J.rows()), order_(std::size_t(J.rows()), -1) {
  for (const int row : rows)
    for (std::size_t k = 0; k < J.columns(row).size(); ++k)
      if (const double entry = J.values(row)[k]; entry != 0)
        at_dof_[std::size_t(J.columns(row)[k])].emplace_back(row, entry);
}

void PassedRows::pass(int dof) {
  std::map<int, double> entries(at_dof_[std::size_t(dof)].begin(), at_dof_[std::size_t(dof)].end());
  std::set<int> to_rotate;  // indices in final_
  for (const auto& [row, entry] : entries)
    if (order_[std::size_t(row)] >= 0) to_rotate.insert(order_[std::size_t(row)]);
  while (!to_rotate.empty()) {
    PivotRow& pivot = final_[std::size_t(*to_rotate.begin())];
    to_rotate.erase(to_rotate.begin());
    const auto at = entries.find(pivot.column);
    const double entry = at->second, length = std::hypot(pivot.diagonal, entry);
    entries.erase(at);
    if (!(length > 0)) continue;
    const double c = pivot.diagonal / length, s = entry / length;
    pivot.diagonal = length;
    for (std::size_t k = 0; k < pivot.columns.size(); ++k) {
      const auto [other, is_new] = entries.try_emplace(pivot.columns[k], 0.0);
      const double above = pivot.values[Eigen::Index(k)], below = other->second;
      pivot.values[Eigen::Index(k)] = c * above + s * below;
      other->second = c * below - s * above;
      if (const int then = order_[std::size_t(pivot.columns[k])]; is_new && then >= 0)
        to_rotate.insert(then);
    }
    // entries of the new row where the final row had none
    std::map<int, double> added;
    for (auto& [row, below] : entries)
      if (!std::ranges::binary_search(pivot.columns, row)) {
        added.emplace(row, s * below);
        below *= c;
      }
    if (added.empty()) continue;
    for (std::size_t k = 0; k < pivot.columns.size(); ++k)
      added.emplace(pivot.columns[k], pivot.values[Eigen::Index(k)]);
    pivot.columns.clear();
    pivot.values.resize(std::ssize(added));
    for (const auto& [row, value] : added) {
      pivot.values[std::ssize(pivot.columns)] = value;
      pivot.columns.push_back(row);
    }
  }
  RowFront front;
  front.rows.resize(1, std::ssize(entries));
  for (const auto& [row, entry] : entries) {
    front.rows(0, std::ssize(front.columns)) = entry;
    front.columns.push_back(row);
  }
  fronts_.add(std::move(front));
}

std::vector<int> PassedRows::independent(std::span<const int> candidates, double least) {
  const Eigen::MatrixXd parts = fronts_.block(candidates);
  std::vector<int> found;
  std::vector<Eigen::VectorXd> basis;  // Gram-Schmidt, twice
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    Eigen::VectorXd x = parts.col(Eigen::Index(k));
    for (int twice = 0; twice < 2; ++twice)
      for (const Eigen::VectorXd& e : basis) x -= e.dot(x) * e;
    if (!(x.norm() > least * J_.norm(candidates[k]))) continue;
    basis.push_back(x.normalized());
    found.push_back(int(k));
  }
  return found;
}

void PassedRows::eliminate(int row) {
  RowFront front = fronts_.take({&row, 1});
  PivotRow pivot;
  pivot.column = row;
  if (!front.columns.empty()) pivot = eliminate_column(front, row);
  fronts_.add(std::move(front));
  order_[std::size_t(row)] = int(final_.size());
  final_.push_back(std::move(pivot));
}

}  // namespace trammel
