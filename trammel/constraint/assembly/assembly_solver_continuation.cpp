// Numerical continuation along one branch of the closed positions: predictor and corrector
// [Allgower, Georg 1990], in the mass metric.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly_solver.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/equations/loop_forces.hpp"

namespace trammel {

namespace {

// Longest step of a dof on which rows depend nonlinearly: [rad], or part of the length.
constexpr double longest_step = 0.2;
// Largest ratio of corrector to predictor step: a longer correction may lead to another branch.
constexpr double most_correction = 0.2;
// Smallest step as a part of the whole path: below it is a dead point.
constexpr double least_part = 1e-9;

std::vector<int> nonzero_columns(const Eigen::MatrixXd& J) {
  std::vector<int> columns;
  for (Eigen::Index f = 0; f < J.cols(); ++f)
    if (max_abs(J.col(f)) > 0) columns.push_back(int(f));
  return columns;
}

Eigen::MatrixXd columns_of(const Eigen::MatrixXd& J, const std::vector<int>& columns) {
  Eigen::MatrixXd out(J.rows(), Eigen::Index(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) out.col(Eigen::Index(k)) = J.col(columns[k]);
  return out;
}

}  // namespace

std::vector<int> AssemblySolver::independent(const std::vector<double>& q,
                                             const std::vector<int>& given) {
  if (given.empty()) return {};
  evaluate(q);
  free_prescribed_rows();
  std::vector<int> columns = free_;
  columns.insert(columns.end(), given.begin(), given.end());
  const Eigen::MatrixXd J = columns_of(J_all_, columns);
  const PivotedQr qr(J.transpose(), 1e-9);
  const Eigen::MatrixXd Q = qr.q();
  const Eigen::MatrixXd moved =
      Q.rightCols(J.cols() - qr.rank()).bottomRows(Eigen::Index(given.size()));
  const PivotedQr leaders(moved.transpose(), 1e-9);
  std::vector<int> found;
  // a dof that moves only by rounding cannot lead
  for (Eigen::Index k = 0; k < leaders.rank() && leaders.pivots()[k] > 1e-9; ++k)
    found.push_back(given[std::size_t(leaders.order()[k])]);
  std::ranges::sort(found);
  return found;
}

// Joints driven by motion are free to follow: the run compares the prescribed motion with the
// start.
void AssemblySolver::free_prescribed_rows() {
  for (int row = rows_.prescribed_start(); row < rows_.count(); ++row)
    if (rows_.prescribed_dof(row) >= 0) {
      J_all_.row(row).setZero();
      J_.row(row).setZero();
      error_[row] = 0;
    }
}

double AssemblySolver::follow(const Way& way, std::vector<double>& q) {
  const std::vector<LoopValues> ends = goals_;
  std::vector<Eigen::VectorXd> loop_ways;
  for (std::size_t k = 0; k < ends.size(); ++k)
    loop_ways.push_back(error_between(ends[k].closure, way.loops_begin[k], ends[k].values.data()));
  const auto set_goals = [&](double s) {
    for (std::size_t k = 0; k < ends.size(); ++k) {
      const Eigen::VectorXd part = s * loop_ways[k];
      std::visit(
          [&](const auto& joint) {
            joint.integrate(way.loops_begin[k].data(), part.data(), goals_[k].values.data());
          },
          model_.closures()[std::size_t(ends[k].closure)].joint);
    }
  };
  const Eigen::VectorXd lead = way.lead.cwiseQuotient(unit_all_);
  const auto evaluate_at = [&](const std::vector<double>& there) {
    evaluate(there);
    free_prescribed_rows();
    return error_.norm();
  };
  const double closed = 1e-11 * (1 + size());
  double s = 0, h = 1;
  while (s < 1 && h >= least_part) {
    const double part = std::min(h, 1 - s), next = s + part == 1 ? 1 : s + part;
    set_goals(next);
    evaluate_at(q);
    const std::vector<int> moving = nonzero_columns(J_);
    std::vector<int> dofs;
    for (const int f : moving) dofs.push_back(free_[std::size_t(f)]);
    // minimum norm in the mass metric L L^T: shortest solution in y = L^T x
    const Eigen::MatrixXd M = metric(q);
    Eigen::MatrixXd M_moving(Eigen::Index(moving.size()), Eigen::Index(moving.size()));
    for (Eigen::Index i = 0; i < M_moving.rows(); ++i)
      for (Eigen::Index k = 0; k < M_moving.cols(); ++k)
        M_moving(i, k) = M(dofs[std::size_t(i)], dofs[std::size_t(k)]);
    const Llt factors(M_moving);
    const auto least = [&](const Eigen::VectorXd& rhs, double& missed) {
      const Eigen::MatrixXd J = columns_of(J_, moving);
      const Eigen::MatrixXd A = factors.solve_lower(J.transpose()).transpose();  // J L^-T
      const Eigen::VectorXd x = factors.solve_upper(solve(rhs, A));
      missed = (J * x - rhs).norm();
      Eigen::VectorXd all = Eigen::VectorXd::Zero(model_.nv());
      for (std::size_t k = 0; k < dofs.size(); ++k) all[dofs[k]] = x[Eigen::Index(k)];
      return all;
    };
    const auto largest_curved = [&](const Eigen::VectorXd& x) {
      double largest = 0;
      for (Eigen::Index f = 0; f < x.size(); ++f)
        if (is_curved_[std::size_t(f)]) largest = std::max(largest, std::abs(x[f]));
      return largest;
    };
    const Eigen::VectorXd rhs = -(error_ + J_all_ * (part * lead));
    double missed = 0;
    const Eigen::VectorXd step = least(rhs, missed) + part * lead;
    const double longest = largest_curved(step);
    if (!(missed <= 1e-6 * rhs.norm() + closed) || !step.allFinite()) {
      h = part / 2;
      continue;
    }
    if (longest > longest_step) {
      h = 0.9 * part * longest_step / longest;
      continue;
    }
    std::vector<double> there(q.size());
    integrate(model_, q, as_span(unit_all_.cwiseProduct(step)), there);
    double violation = evaluate_at(there), corrected = 0;
    int tries = 0;
    for (; tries < 8 && violation > closed; ++tries) {
      const Eigen::VectorXd back = least(-error_, missed);
      corrected += largest_curved(back);
      if (!(corrected <= most_correction * longest)) break;
      const std::vector<double> from = there;
      integrate(model_, from, as_span(unit_all_.cwiseProduct(back)), there);
      const double now = evaluate_at(there);
      if (!(now < violation)) break;
      violation = now;
    }
    if (!(violation <= closed)) {
      h = part / 2;
      continue;
    }
    q = there;
    s = next;
    h = tries <= 2 ? 2 * part : part;
  }
  goals_ = ends;
  return s;
}

}  // namespace trammel
