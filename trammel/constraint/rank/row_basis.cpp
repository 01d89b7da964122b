#include "trammel/constraint/rank/row_basis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/rank/basis_by_components.hpp"
#include "trammel/constraint/rank/rank_by_qr.hpp"
#include "trammel/constraint/rank/row_condition.hpp"

namespace trammel {

namespace {

// A pivot above this multiple of its rounding bound is independent, one below the bound dependent.
constexpr double surely = 1e3;
// The row bounds cover rounding and constraint violation in J; the triangular solve L^-1 J^T and
// the reflections of QR cost a few more digits of the largest entry.
constexpr double least_bound = 32 * std::numeric_limits<double>::epsilon();

// Mass-weighted constraint Jacobian K = L^-1 J^T, column k scaled to length |J_k| / row_scale_k,
// and error bounds of the columns.
struct MetricRows {
  Eigen::MatrixXd K;
  Eigen::VectorXd bound;     // a row above a thousand times this is independent
  Eigen::VectorXd rounding;  // a row below this is dependent
};

MetricRows in_metric(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M, const RowScales& scales) {
  MetricRows out{J.transpose(), Eigen::VectorXd::Constant(J.rows(), least_bound),
                 Eigen::VectorXd::Constant(J.rows(), least_bound)};
  Eigen::MatrixXd L_inverse;  // norms of its columns: weight of a unit error of each coordinate
  const Llt cholesky(M);
  if (M.size() > 0 && cholesky.is_regular())
    L_inverse = cholesky.solve_lower(Eigen::MatrixXd::Identity(M.rows(), M.cols()));
  if (L_inverse.size() > 0) out.K = cholesky.solve_lower(out.K);
  const Eigen::VectorXd counts = L_inverse.colwise().norm();
  for (Eigen::Index k = 0; k < J.rows(); ++k) {
    const double length = out.K.col(k).norm();
    if (!(length > 0 && scales.natural[k] > 0)) continue;
    const double row = J.row(k).norm();
    out.K.col(k) *= row / scales.natural[k] / length;
    double most = 0;  // largest weight of a coordinate in this row
    for (Eigen::Index f = 0; f < counts.size(); ++f)
      if (J(k, f) != 0) most = std::max(most, counts[f]);
    const double amplified = L_inverse.size() > 0 ? std::max(1.0, most * row / length) : 1.0;
    out.bound[k] += amplified * scales.uncertainty[k] / scales.natural[k];
    out.rounding[k] += amplified * scales.rounding[k] / scales.natural[k];
  }
  return out;
}

// Independent columns by QR with column pivoting. A column is dependent if its remainder is below
// its bound: its own bound plus those of the columns subtracted, each times its coefficient.
class PivotsByBound {
 public:
  explicit PivotsByBound(const MetricRows& columns) : columns_(columns) {
    for (Eigen::Index k = 0; k < columns.K.cols(); ++k)
      if (columns.K.col(k).norm() > 0) candidates_.push_back(int(k));
  }

  // Columns that are not safely independent are set aside, and the factorization is repeated.
  std::vector<int> find() {
    std::vector<int> found;
    while (!candidates_.empty()) {
      factor(candidates_);
      Eigen::Index taken = 0;
      while (taken < qr_.pivots().size() && is_sure(taken, taken)) ++taken;
      found.clear();
      pivots_.clear();
      for (Eigen::Index k = 0; k < taken; ++k) {
        found.push_back(at(k));
        pivots_.push_back(qr_.pivots()[k]);
      }
      std::vector<int> kept = found;
      bool is_more = false;
      for (Eigen::Index k = taken; k < R_.cols(); ++k)
        if (is_sure(taken, k)) {
          is_more = true;
          kept.push_back(at(k));
        }
      if (!is_more) break;
      candidates_ = kept;
    }
    return found;
  }

  const std::vector<double>& pivots() const { return pivots_; }  // of the columns found

  // Other columns whose remainder exceeds its bound.
  std::vector<RowBasis::Undecided> undecided(const std::vector<int>& found) {
    std::vector<int> order = found;
    std::vector<bool> is_found(std::size_t(columns_.K.cols()), false);
    for (const int k : found) is_found[std::size_t(k)] = true;
    const Eigen::MatrixXd basis = columns_.K(Eigen::all, found);
    const Qr qr(basis);
    const Eigen::MatrixXd Q = qr.thin_q(), R = qr.r();
    std::vector<RowBasis::Undecided> out;
    for (int k = 0; k < int(is_found.size()); ++k) {
      if (is_found[std::size_t(k)] || !(columns_.K.col(k).norm() > 0)) continue;
      const Eigen::VectorXd shares = Q.transpose() * columns_.K.col(k);
      const double left = (columns_.K.col(k) - Q * shares).norm();
      const double bound = bound_of(k, found, solve_upper_triangular(R, shares), columns_.rounding);
      if (left > bound) out.push_back({k, left, bound});
    }
    return out;
  }

 private:
  void factor(const std::vector<int>& of) {
    of_ = of;
    qr_.compute(columns_.K(Eigen::all, of));
    R_ = qr_.r();
  }
  int at(Eigen::Index k) const { return of_[std::size_t(qr_.order()[k])]; }
  // Whether column k is safely independent of the first `taken` columns.
  bool is_sure(Eigen::Index taken, Eigen::Index k) const {
    const double left = R_.col(k).tail(R_.rows() - taken).norm();
    // coefficients grow with the inverse of the weakest pivot taken: mostly no solve is needed
    const double weakest = taken > 0 ? qr_.pivots()[taken - 1] : 1;
    if (left * weakest > surely * double(2 * taken + 1) * max_entry(columns_.bound)) return true;
    std::vector<int> basis;
    for (Eigen::Index i = 0; i < taken; ++i) basis.push_back(at(i));
    const Eigen::VectorXd parts =
        solve_upper_triangular(R_.topLeftCorner(taken, taken), R_.col(k).head(taken));
    return left > surely * bound_of(at(k), basis, parts, columns_.bound);
  }
  static double bound_of(int column, const std::vector<int>& basis, const Eigen::VectorXd& parts,
                         const Eigen::VectorXd& bounds) {
    double bound = bounds[column];
    for (std::size_t i = 0; i < basis.size(); ++i)
      bound += std::abs(parts[Eigen::Index(i)]) * bounds[basis[i]];
    return bound;
  }

  const MetricRows& columns_;
  std::vector<int> candidates_, of_;
  std::vector<double> pivots_;
  PivotedQr qr_;
  Eigen::MatrixXd R_;
};

RowBasis basis_of(const MetricRows& columns) {
  RowBasis chosen;
  chosen.count = int(columns.K.cols());
  chosen.tolerance = surely * columns.bound.norm();
  if (columns.K.size() == 0) return chosen;
  PivotsByBound pivots(columns);
  chosen.rows = pivots.find();
  chosen.pivots = pivots.pivots();
  if (chosen.redundant() > 0) chosen.undecided = pivots.undecided(chosen.rows);
  return chosen;
}

}  // namespace

RowBasis rank_by_qr(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M, const RowScales& scales) {
  return basis_of(in_metric(J, M, scales));
}

RowBasis rank_with_singular_values(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M,
                                   const RowScales& scales) {
  const MetricRows columns = in_metric(J, M, scales);
  RowBasis chosen = basis_of(columns);
  const Eigen::VectorXd singular = singular_values(columns.K);
  chosen.singular.assign(singular.data(), singular.data() + singular.size());
  return chosen;
}

RowBasis basis_by_components(const SparseRows& J, const std::vector<Eigen::MatrixXd>& M,
                             const RowScales& scales, const ComponentOptions& options) {
  RowBasis out;
  out.count = options.count < 0 ? J.rows() : options.count;
  std::vector<std::pair<double, int>> found;  // pivot, row
  double bounds = 0;
  for (std::size_t c = 0; c < J.components().size(); ++c) {
    std::vector<int> rows = J.components()[c].rows;
    std::erase_if(rows, [&](int row) { return row >= out.count; });
    if (rows.empty()) continue;
    const MetricRows columns =
        in_metric(J.block(rows, J.components()[c].columns), M[c],
                  {scales.natural(rows), scales.rounding(rows), scales.uncertainty(rows)});
    const RowBasis basis = basis_of(columns);
    bounds += columns.bound.squaredNorm();
    for (int k = 0; k < basis.rank(); ++k)
      found.emplace_back(basis.pivots[std::size_t(k)],
                         rows[std::size_t(basis.rows[std::size_t(k)])]);
    for (const RowBasis::Undecided& row : basis.undecided)
      out.undecided.push_back({rows[std::size_t(row.row)], row.length, row.bound});
    if (options.with_singular_values) {
      const Eigen::VectorXd singular = singular_values(columns.K);
      out.singular.insert(out.singular.end(), singular.begin(), singular.end());
    }
    if (options.error != nullptr && basis.rank() > 0) {
      const double least = min_entry(singular_values(columns.K(Eigen::all, basis.rows)));
      *options.error = std::max(*options.error, columns.bound(basis.rows).norm() / least);
    }
  }
  out.tolerance = surely * std::sqrt(bounds);
  std::ranges::stable_sort(found, std::ranges::greater(), &std::pair<double, int>::first);
  for (const auto& [pivot, row] : found) {
    out.rows.push_back(row);
    out.pivots.push_back(pivot);
  }
  std::ranges::sort(out.singular, std::ranges::greater());
  return out;
}

double relative_error(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M, const RowScales& scales,
                      const RowBasis& chosen) {
  if (chosen.rank() == 0) return 0;
  const MetricRows columns = in_metric(J, M, scales);
  const Eigen::VectorXd singular = singular_values(columns.K(Eigen::all, chosen.rows));
  return columns.bound(chosen.rows).norm() / min_entry(singular);
}

Eigen::MatrixXd independent_rows(const Eigen::MatrixXd& J, const RowBasis& chosen) {
  Eigen::MatrixXd rows(chosen.rank(), J.cols());
  for (int k = 0; k < chosen.rank(); ++k) rows.row(k) = J.row(chosen.rows[std::size_t(k)]);
  return rows;
}

namespace {

// Rows of one component as linear combinations of its rows in the basis.
class RowCombinations {
 public:
  RowCombinations(const SparseRows& J, std::vector<int> basis_rows, std::span<const int> columns)
      : J_(J),
        rows_(std::move(basis_rows)),
        columns_(columns),
        solver_(J.block(rows_, columns).transpose()) {}

  DependentSet of(int row) const {
    const Eigen::VectorXd parts = solver_.solve(J_.block({&row, 1}, columns_).transpose().col(0));
    std::vector<std::pair<int, double>> entries{{row, -1.0}};
    double largest = 1;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const double part = parts[Eigen::Index(k)];
      if (!(std::abs(part) > 1e-9)) continue;
      entries.emplace_back(rows_[k], part);
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

 private:
  const SparseRows& J_;
  std::vector<int> rows_;
  std::span<const int> columns_;
  OrthogonalDecomposition solver_;
};

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
  std::vector<std::vector<std::pair<int, std::size_t>>> redundant(J.components().size());
  std::size_t set = 0;
  for (int row = 0; row < chosen.count; ++row) {
    if (is_taken[std::size_t(row)] != 0) continue;
    if (const int c = J.component_of_row(row); c >= 0)
      redundant[std::size_t(c)].emplace_back(row, set);
    else
      sets[set] = {{row}, {-1.0}};  // without entries
    ++set;
  }
  for (std::size_t c = 0; c < redundant.size(); ++c) {
    if (redundant[c].empty()) continue;
    const RowCombinations combinations(J, std::move(basis[c]), J.components()[c].columns);
    for (const auto& [row, which] : redundant[c]) sets[which] = combinations.of(row);
  }
  return sets;
}

DependentSet dependent_set(const SparseRows& J, const RowBasis& chosen, int row) {
  const int c = J.component_of_row(row);
  if (c < 0) return {{row}, {-1.0}};
  std::vector<int> basis;
  for (const int other : chosen.rows)
    if (J.component_of_row(other) == c) basis.push_back(other);
  return RowCombinations(J, std::move(basis), J.components()[std::size_t(c)].columns).of(row);
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
