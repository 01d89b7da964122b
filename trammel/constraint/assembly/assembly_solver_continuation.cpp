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

}  // namespace

// Least steps of one component in the mass metric: factors of M over its dofs that its equations
// depend on, the others fixed.
struct AssemblySolver::LeastMotion {
  std::vector<int> rows, dofs;
  Llt factors;
};

std::vector<AssemblySolver::LeastMotion> AssemblySolver::least_motions(
    const std::vector<double>& q) {
  evaluate(q);
  free_prescribed_rows();
  mass_.evaluate(model_, workspace_->kinematics);
  const auto scaled_block = [&](const std::vector<int>& dofs) {
    const Eigen::VectorXd unit = unit_(dofs);
    const Eigen::MatrixXd M = mass_.block(model_, workspace_->kinematics, dofs);
    return Eigen::MatrixXd(unit.asDiagonal() * M * unit.asDiagonal());
  };
  // positive definite for massless parts, too
  double largest = 0;
  for (int f = 0; f < model_.nv(); ++f) largest = std::max(largest, scaled_block({f})(0, 0));
  const double added = largest > 0 ? 1e-6 * largest : 1;
  std::vector<LeastMotion> out;
  for (const Component& component : components_) {
    LeastMotion least;
    least.rows = component.equations.rows;
    const Eigen::MatrixXd J = J_.block(least.rows, component.equations.dofs);
    for (Eigen::Index k = 0; k < J.cols(); ++k)
      if (max_abs(J.col(k)) > 0) least.dofs.push_back(component.equations.dofs[std::size_t(k)]);
    if (least.dofs.empty()) continue;
    Eigen::MatrixXd M = scaled_block(least.dofs);
    M.diagonal().array() += added;
    least.factors.compute(M);
    out.push_back(std::move(least));
  }
  return out;
}

std::vector<int> AssemblySolver::independent(const std::vector<double>& q,
                                             const std::vector<int>& given) {
  if (given.empty()) return {};
  evaluate(q);
  free_prescribed_rows();
  std::vector<int> movable = free_, found;
  movable.insert(movable.end(), given.begin(), given.end());
  std::ranges::sort(movable);
  std::vector<bool> is_given(std::size_t(model_.nv()), false);
  for (const int f : given) is_given[std::size_t(f)] = true;
  for (auto& [rows, dofs, bodies] : equation_components(model_, pattern_of(J_), movable)) {
    const auto from = std::stable_partition(dofs.begin(), dofs.end(),
                                            [&](int f) { return !is_given[std::size_t(f)]; });
    const std::vector<int> candidates(from, dofs.end());
    if (candidates.empty()) continue;
    Eigen::MatrixXd J(Eigen::Index(rows.size()), Eigen::Index(dofs.size()));
    J << J_.block(rows, std::span(dofs).first(dofs.size() - candidates.size())),
        J_.block(rows, candidates);
    const PivotedQr qr(J.transpose(), 1e-9);
    const Eigen::MatrixXd Q = qr.q();
    const Eigen::MatrixXd moved =
        Q.rightCols(J.cols() - qr.rank()).bottomRows(Eigen::Index(candidates.size()));
    const PivotedQr leaders(moved.transpose(), 1e-9);
    // a dof that moves only by rounding cannot lead
    for (Eigen::Index k = 0; k < leaders.rank() && leaders.pivots()[k] > 1e-9; ++k)
      found.push_back(candidates[std::size_t(leaders.order()[k])]);
  }
  std::ranges::sort(found);
  return found;
}

// Joints driven by motion are free to follow: the run compares the prescribed motion with the
// start.
void AssemblySolver::free_prescribed_rows() {
  for (int row = rows_.prescribed_start(); row < rows_.count(); ++row)
    if (rows_.prescribed_dof(row) >= 0) {
      std::ranges::fill(J_.values(row), 0.0);
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
  const Eigen::VectorXd lead = way.lead.cwiseQuotient(unit_);
  const auto evaluate_at = [&](const std::vector<double>& there) {
    evaluate(there);
    free_prescribed_rows();
    return largest_violation();
  };
  const double closed = 1e-11 * (1 + size());
  double s = 0, h = 1;
  while (s < 1 && h >= least_part) {
    const double part = std::min(h, 1 - s), next = s + part == 1 ? 1 : s + part;
    set_goals(next);
    const std::vector<LeastMotion> motions = least_motions(q);
    // minimum norm in the mass metric L L^T: shortest solution in y = L^T x. `solves`: all linear
    // equations have a solution.
    const auto least = [&](const Eigen::VectorXd& rhs, bool& solves) {
      Eigen::VectorXd all = Eigen::VectorXd::Zero(model_.nv());
      solves = true;
      std::vector<bool> is_in_none(std::size_t(J_.rows()), true);
      for (const auto& [rows, dofs, factors] : motions) {
        const Eigen::MatrixXd J = J_.block(rows, dofs);
        const Eigen::MatrixXd A = factors.solve_lower(J.transpose()).transpose();  // J L^-T
        const Eigen::VectorXd b = rhs(rows);
        const Eigen::VectorXd x = factors.solve_upper(OrthogonalDecomposition(A, 1e-9).solve(b));
        solves &= (J * x - b).norm() <= 1e-6 * b.norm() + closed;
        all(dofs) = x;
        for (const int row : rows) is_in_none[std::size_t(row)] = false;
      }
      double missed = 0;
      for (int row = 0; row < J_.rows(); ++row)
        if (is_in_none[std::size_t(row)]) missed = std::hypot(missed, rhs[row]);
      solves &= missed <= 1e-6 * rhs.norm() + closed;
      return all;
    };
    const auto largest_curved = [&](const Eigen::VectorXd& x) {
      double largest = 0;
      for (Eigen::Index f = 0; f < x.size(); ++f)
        if (is_curved_[std::size_t(f)]) largest = std::max(largest, std::abs(x[f]));
      return largest;
    };
    const Eigen::VectorXd rhs = -(error_ + J_ * (part * lead));
    bool solves = true;
    const Eigen::VectorXd step = least(rhs, solves) + part * lead;
    const double longest = largest_curved(step);
    if (!solves || !step.allFinite()) {
      h = part / 2;
      continue;
    }
    if (longest > longest_step) {
      h = 0.9 * part * longest_step / longest;
      continue;
    }
    std::vector<double> there = moved(q, step);
    double violation = evaluate_at(there), corrected = 0;
    int tries = 0;
    for (; tries < 8 && violation > closed; ++tries) {
      const Eigen::VectorXd back = least(-error_, solves);
      corrected += largest_curved(back);
      if (!(corrected <= most_correction * longest)) break;
      there = moved(there, back);
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
