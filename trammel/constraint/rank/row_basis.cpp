#include "trammel/constraint/rank/row_basis.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/rank/basis_by_components.hpp"
#include "trammel/constraint/rank/rank_by_qr.hpp"
#include "trammel/constraint/rank/rounding_bounds.hpp"
#include "trammel/constraint/rank/row_condition.hpp"
#include "trammel/constraint/rank/sparse_row_basis.hpp"

namespace trammel {

namespace {

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

namespace {

// Merges the decisions of the components.
class MergedBasis {
 public:
  MergedBasis(int count, const ComponentOptions& options) : options_(options) {
    out_.count = count;
  }

  void add(const std::vector<int>& rows, const SparseRowBasis& decided) {
    const RowBasis& basis = decided.basis;
    bounds_ += decided.bound_squared;
    for (int k = 0; k < basis.rank(); ++k)
      found_.emplace_back(basis.pivots[std::size_t(k)],
                          rows[std::size_t(basis.rows[std::size_t(k)])]);
    for (const RowBasis::Undecided& row : basis.undecided)
      out_.undecided.push_back({rows[std::size_t(row.row)], row.length, row.bound});
    if (options_.with_singular_values)
      out_.singular.insert(out_.singular.end(), basis.singular.begin(), basis.singular.end());
    if (options_.error != nullptr) *options_.error = std::max(*options_.error, decided.error);
  }

  RowBasis merged() {
    out_.tolerance = surely * std::sqrt(bounds_);
    std::ranges::stable_sort(found_, std::ranges::greater(), &std::pair<double, int>::first);
    for (const auto& [pivot, row] : found_) {
      out_.rows.push_back(row);
      out_.pivots.push_back(pivot);
    }
    std::ranges::sort(out_.singular, std::ranges::greater());
    return std::move(out_);
  }

 private:
  const ComponentOptions& options_;
  RowBasis out_;
  std::vector<std::pair<double, int>> found_;  // pivot, row
  double bounds_ = 0;
};

enum class Uncertain { dense, none };  // what a large component is decided by if not by sparse QR

// Decision of one component by a dense matrix.
SparseRowBasis decide_dense(const MetricRows& columns, const ComponentOptions& options) {
  SparseRowBasis out{.basis = basis_of(columns), .bound_squared = columns.bound.squaredNorm()};
  if (options.with_singular_values) {
    const Eigen::VectorXd singular = singular_values(columns.K);
    out.basis.singular.assign(singular.begin(), singular.end());
  }
  if (options.error != nullptr && out.basis.rank() > 0) {
    const double least = min_entry(singular_values(columns.K(Eigen::all, out.basis.rows)));
    out.error = columns.bound(out.basis.rows).norm() / least;
  }
  return out;
}

std::optional<RowBasis> decide_components(const SparseRows& J,
                                          const std::vector<Eigen::MatrixXd>& M,
                                          const RowScales& scales, const ComponentOptions& options,
                                          Uncertain uncertain) {
  const int count = options.count < 0 ? J.rows() : options.count;
  std::vector<std::vector<int>> rows_of(J.components().size());
  std::vector<SparseRowBasis> decided(rows_of.size());
  std::atomic<bool> is_uncertain = false;
  internal::each_of(options.threads, rows_of.size(), [&](std::size_t c) {
    std::vector<int>& rows = rows_of[c];
    rows = J.components()[c].rows;
    std::erase_if(rows, [&](int row) { return row >= count; });
    if (rows.empty() || is_uncertain) return;
    const std::vector<int>& dofs = J.components()[c].columns;
    const RowScales own{scales.natural(rows), scales.rounding(rows), scales.uncertainty(rows)};
    const bool is_diagonal = M[c].cols() == 1 && dofs.size() > 1;
    if (std::ssize(rows) > options.most_dense_rows) {
      const Eigen::VectorXd inertia =
          is_diagonal ? Eigen::VectorXd(M[c].col(0)) : Eigen::VectorXd(M[c].diagonal());
      const auto estimates = options.with_singular_values || options.error != nullptr
                                 ? Estimates::singular_values
                                 : Estimates::none;
      if (std::optional<SparseRowBasis> sparse =
              sparse_row_basis(J, rows, dofs, inertia, own, estimates)) {
        decided[c] = std::move(*sparse);
        return;
      }
      if (uncertain == Uncertain::none) {
        is_uncertain = true;
        return;
      }
    }
    decided[c] =
        decide_dense(in_metric(J.block(rows, dofs),
                               is_diagonal ? Eigen::MatrixXd(M[c].col(0).asDiagonal()) : M[c], own),
                     options);
  });
  if (is_uncertain) return std::nullopt;
  MergedBasis out(count, options);
  for (std::size_t c = 0; c < rows_of.size(); ++c)
    if (!rows_of[c].empty()) out.add(rows_of[c], decided[c]);
  return out.merged();
}

}  // namespace

RowBasis basis_by_components(const SparseRows& J, const std::vector<Eigen::MatrixXd>& M,
                             const RowScales& scales, const ComponentOptions& options) {
  return *decide_components(J, M, scales, options, Uncertain::dense);
}

std::optional<RowBasis> sparse_basis_by_components(const SparseRows& J,
                                                   const std::vector<Eigen::MatrixXd>& M,
                                                   const RowScales& scales,
                                                   const ComponentOptions& options) {
  return decide_components(J, M, scales, options, Uncertain::none);
}

double relative_error(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M, const RowScales& scales,
                      const RowBasis& chosen) {
  if (chosen.rank() == 0) return 0;
  const MetricRows columns = in_metric(J, M, scales);
  const Eigen::VectorXd singular = singular_values(columns.K(Eigen::all, chosen.rows));
  const Eigen::VectorXd bound = columns.bound(chosen.rows);
  return bound.norm() / min_entry(singular);
}

Eigen::MatrixXd independent_rows(const Eigen::MatrixXd& J, const RowBasis& chosen) {
  Eigen::MatrixXd rows(chosen.rank(), J.cols());
  for (int k = 0; k < chosen.rank(); ++k) rows.row(k) = J.row(chosen.rows[std::size_t(k)]);
  return rows;
}

}  // namespace trammel
