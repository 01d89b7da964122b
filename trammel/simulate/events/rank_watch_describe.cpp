// Messages of singular poses: the rows that become dependent, and whether another branch of the
// configuration space meets the motion there.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/model/body_of_dof.hpp"
#include "trammel/simulate/events/rank_watch.hpp"

namespace trammel {

namespace {

constexpr std::size_t most_rows = 6;  // rows listed in a message
constexpr std::size_t most_poses = 16;
// Poses and directions that differ by less are the same: a hundred times what is known of a pose,
// and a hundredth of the displacement at which branches are separate.
constexpr double same_pose = 1e-4;

// Orthonormal basis of the complement of the range of A, whose rank is given.
Eigen::MatrixXd complement_of_range(const Eigen::MatrixXd& A, int rank) {
  return PivotedQr(A).q().rightCols(A.rows() - rank);
}

}  // namespace

std::string counted(int count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// Message for a pose at which the rank is lower by `fewer` than before and after it. Only the
// components that lose rank are decomposed.
std::string RankWatch::describe(const State& state, const State& before, const LosingRank& losing,
                                int fewer) {
  const Eigen::VectorXd unscaled = Eigen::VectorXd::Ones(rows_->count());
  ComponentQr factors;
  const auto ranks_of = [&](const SparseRows& J, int rank) {
    factors.compute(J, unscaled, losing.rows);
    return factors.ranks(rank);
  };
  const SparseRows there = scaled_rows(before.q);
  const std::vector<int> ranks_before = ranks_of(there, losing.rank);
  const SparseRows here = scaled_rows(state.q);
  const std::vector<int> ranks = ranks_of(here, losing.rank - fewer);
  std::vector<int> rows, dofs;
  int its_rank = 0, its_fewer = 0;
  std::vector<char> loses(ranks.size(), 0);
  for (const int c : losing.components) {
    if (ranks[std::size_t(c)] >= ranks_before[std::size_t(c)]) continue;
    loses[std::size_t(c)] = 1;
    const std::vector<int>& columns = here.components()[std::size_t(c)].columns;
    dofs.insert(dofs.end(), columns.begin(), columns.end());
    its_rank += ranks[std::size_t(c)];
    its_fewer += ranks_before[std::size_t(c)] - ranks[std::size_t(c)];
  }
  for (const int row : losing.rows)
    if (const int c = here.component_of_row(row); c >= 0 && loses[std::size_t(c)] != 0)
      rows.push_back(row);
  // rows that are zero here and before are redundant by themselves
  std::erase_if(rows, [&](int row) {
    return here.norm(row) < dependent_rows && there.norm(row) < dependent_rows;
  });
  std::ranges::sort(dofs);
  // left null space: combinations of rows that vanish here and did not before
  const Eigen::MatrixXd A = here.block(rows, dofs);
  const Eigen::MatrixXd vanishing = complement_of_range(A, its_rank);
  const Eigen::MatrixXd always = complement_of_range(there.block(rows, dofs), its_rank + its_fewer);
  const Eigen::MatrixXd sums =
      PivotedQr(vanishing - always * (always.transpose() * vanishing)).q().leftCols(its_fewer);
  const Eigen::VectorXd weight = sums.rowwise().norm();
  std::vector<std::string> named;
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (weight[Eigen::Index(k)] > 0.01 * max_entry(weight)) named.push_back(rows_->name(rows[k]));
  const std::size_t more = named.size() > most_rows ? named.size() - most_rows : 0;
  named.resize(named.size() - more);
  const std::string others = more > 0 ? fmt::format("; and {} more", more) : "";
  // right null space: directions of motion
  Eigen::VectorXd counts = Eigen::VectorXd::Zero(unit_.size());
  for (const int row : rows)
    if (!rows_->is_linear(row))
      for (const int f : here.columns(row)) counts[f] = 1 / unit_[f];
  // a mechanism that turns passes the same poses again and again
  PassedPose pose{dofs, state.q, Eigen::VectorXd::Zero(std::ssize(dofs))};
  for (std::size_t k = 0; k < dofs.size(); ++k)
    pose.direction[Eigen::Index(k)] = state.v[std::size_t(dofs[k])] * counts[dofs[k]];
  if (pose.direction.norm() > 0) pose.direction.normalize();
  const auto passed = std::ranges::find_if(
      passed_poses_, [&](const PassedPose& before_it) { return is_same(before_it, pose); });
  pose.is_branch = passed != passed_poses_.end()
                       ? passed->is_branch
                       : goes_another_way(state, dofs, counts(dofs),
                                          complement_of_range(A.transpose(), its_rank));
  const bool is_branch = pose.is_branch;
  if (passed == passed_poses_.end()) {
    if (passed_poses_.size() == most_poses) passed_poses_.erase(passed_poses_.begin());
    passed_poses_.push_back(std::move(pose));
  }
  return fmt::format("singular pose, {}: {} {}; dependent rows: {}{}",
                     is_branch ? "a branch" : "locked otherwise",
                     counted(fewer, "more degree of freedom", "more degrees of freedom"),
                     is_branch ? "for an instant, with finite motion on another branch"
                               : "for an instant, without finite motion",
                     fmt::join(named, "; "), others);
}

bool RankWatch::is_same(const PassedPose& passed, const PassedPose& pose) const {
  if (passed.dofs != pose.dofs || std::min((passed.direction - pose.direction).norm(),
                                           (passed.direction + pose.direction).norm()) > same_pose)
    return false;
  std::vector<double> gone(std::size_t(unit_.size()));
  difference(*model_, passed.q, pose.q, gone);
  return std::ranges::all_of(pose.dofs, [&](int f) {
    const Body& body = model_->bodies()[std::size_t(body_of_dof(*model_, f))];
    const double moved = gone[std::size_t(f)];
    const bool turns = std::holds_alternative<Revolute>(body.joint);
    return std::abs(turns ? std::remainder(moved, 2 * std::numbers::pi) : moved) <
           same_pose * unit_[f];
  });
}

// Whether a branch other than the motion's own leads on from the pose, tested by assembling
// displaced states. Translations are scaled by the characteristic length, so that the result does
// not depend on the size of the mechanism. `weight`, per dof: 1 / unit; 0 for dofs that only linear
// rows contain, as a motor behind a gear, which would turn far while the loops hardly move.
bool RankWatch::goes_another_way(const State& state, const std::vector<int>& dofs,
                                 const Eigen::VectorXd& weight, const Eigen::MatrixXd& motions) {
  constexpr double step = 0.02;  // as in mobility()
  constexpr double idle = 1e-6;  // a motion of dofs without weight
  const auto of_dofs = [&](const std::vector<double>& all) -> Eigen::VectorXd {
    return Eigen::Map<const Eigen::VectorXd>(all.data(), std::ssize(all))(dofs);
  };
  const auto length = [&](const Eigen::VectorXd& x) { return x.cwiseProduct(weight).norm(); };
  Eigen::VectorXd own = of_dofs(state.v);
  const bool moves = length(own) > 0;
  if (moves) own /= length(own);
  // the part of a motion across the motion's own direction
  const auto across = [&](const Eigen::MatrixXd& x) -> Eigen::MatrixXd {
    if (!moves) return x;
    return x - own * (own.cwiseProduct(weight.cwiseAbs2()).transpose() * x);
  };
  // orthonormal directions across it
  const Eigen::MatrixXd others = across(motions);
  const Svd parts = svd(weight.asDiagonal() * others, Basis::thin, Basis::thin);
  std::vector<Eigen::VectorXd> Q;
  for (Eigen::Index k = 0; k < parts.values.size() - (moves ? 1 : 0); ++k)
    if (parts.values[k] > idle * parts.values[0])
      Q.push_back(others * parts.V.col(k) / parts.values[k]);
  std::vector<Eigen::VectorXd> directions;
  for (std::size_t k = 0; k < Q.size(); ++k)
    for (const double side : {1.0, -1.0})
      for (const double along : {0.0, 0.6, -0.8}) {
        directions.push_back(side * Q[k] + along * own);
        for (std::size_t j = 0; j < k; ++j) directions.push_back(side * Q[k] + Q[j] + along * own);
      }
  for (const Eigen::VectorXd& direction : directions) {
    std::vector<double> way(state.v.size(), 0.0), gone(state.v.size());
    for (std::size_t k = 0; k < dofs.size(); ++k)
      way[std::size_t(dofs[k])] = step / length(direction) * direction[Eigen::Index(k)];
    State there = state;
    std::ranges::fill(there.v, 0.0);
    integrate(*model_, state.q, way, there.q);
    if (!assemble(*model_, there, *workspace_, {.nudges = 0}).ok()) continue;
    difference(*model_, state.q, there.q, gone);
    const Eigen::VectorXd went = of_dofs(gone);
    if (length(went) < step / 4) continue;  // the assembly took it back
    if (length(across(went)) > 0.5 * length(went)) return true;
  }
  return false;
}

}  // namespace trammel
