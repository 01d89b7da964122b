// Approximate minimum degree ordering of columns (COLAMD) [Davis, Gilbert, Larimore, Ng 2004], by
// Eigen.
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <numeric>

#include "trammel/base/sparse_qr.hpp"

namespace trammel {

namespace {

using Pattern = std::vector<int>;  // columns of a row, ascending

// Comparisons of a row with longer ones, at most.
constexpr std::size_t most_comparisons = 8;

// The rows whose pattern is in no other row's. A degree counts rows; those of the joints of one
// branch of a tree are the same columns again and again.
std::vector<Pattern> longest_rows(const SparseColumns& A) {
  std::vector<Pattern> rows(static_cast<std::size_t>(A.rows)), kept;
  for (std::size_t k = 0; k < A.columns.size(); ++k)
    for (const auto& [row, value] : A.columns[k]) rows[std::size_t(row)].push_back(int(k));
  std::ranges::stable_sort(rows, std::ranges::greater(), &Pattern::size);
  std::vector<std::vector<std::size_t>> with_column(A.columns.size());  // kept rows
  for (Pattern& row : rows) {
    if (row.empty()) break;
    const int rarest = *std::ranges::min_element(
        row, {}, [&](int k) { return with_column[std::size_t(k)].size(); });
    const std::vector<std::size_t>& candidates = with_column[std::size_t(rarest)];
    const auto last =
        candidates.begin() + std::ptrdiff_t(std::min(candidates.size(), most_comparisons));
    if (std::any_of(candidates.begin(), last,
                    [&](std::size_t k) { return std::ranges::includes(kept[k], row); }))
      continue;
    for (const int k : row) with_column[std::size_t(k)].push_back(kept.size());
    kept.push_back(std::move(row));
  }
  return kept;
}

}  // namespace

std::vector<int> column_order(const SparseColumns& A) {
  const std::size_t n = A.columns.size();
  const std::vector<Pattern> rows = longest_rows(A);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  if (rows.empty()) return order;
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const int k : rows[i]) entries.emplace_back(int(i), k, 1.0);
  Eigen::SparseMatrix<double> pattern(std::ssize(rows), std::ssize(order));
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> turn;
  Eigen::COLAMDOrdering<int>()(pattern, turn);
  for (std::size_t k = 0; k < n; ++k) order[std::size_t(turn.indices()[Eigen::Index(k)])] = int(k);
  return order;
}

}  // namespace trammel
