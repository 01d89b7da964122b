// Distances of the components of the rows from rank deficiency, their rates along the motion, and
// the components that come near a singular pose.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/subsystems.hpp"
#include "trammel/simulate/events/rank_watch.hpp"

namespace trammel {

namespace {

// Derivative of a distance, relative to its amplitude, below which the tangent tells nothing about
// the pose.
constexpr double least_steep = 1e-3;
constexpr double not_computed = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double RankWatch::fastest(const State& state) const {
  return Eigen::Map<const Eigen::VectorXd>(state.v.data(), unit_.size())
      .cwiseQuotient(unit_)
      .lpNorm<Eigen::Infinity>();
}

double RankWatch::fastest(const State& state, int component) const {
  double fastest = 0;
  for (const int f : components()[std::size_t(component)].columns)
    fastest = std::max(fastest, std::abs(state.v[std::size_t(f)]) / unit_[f]);
  return fastest;
}

double RankWatch::loop_speed(const State& state, int component) {
  const Eigen::VectorXd& weight = loop_dofs(state.q).weight;
  double fastest = 0;
  for (const int f : components()[std::size_t(component)].columns)
    fastest = std::max(fastest, std::abs(state.v[std::size_t(f)]) * weight[f]);
  return fastest;
}

const SingularCrossing::Dofs& RankWatch::loop_dofs(std::span<const double> q) {
  if (loop_dofs_) return *loop_dofs_;
  // separate rows: their next evaluation starts the fit of loop joints from here
  ConstraintRows rows(*model_);
  const auto jacobian_at = [&](std::span<const double> there) -> const SparseRows& {
    internal::WorkspaceBuffers& own = **workspace_;
    kernel::kernels().kinematics({*model_, model_->numbers()}, there, own.zero, own.zero, own,
                                 own.kinematics);
    rows.evaluate(*model_, own.kinematics, there, own.zero, own.zero, {});
    return rows.sparse_jacobian();
  };
  const SparseRows here = jacobian_at(q);
  constexpr double away = 0.1, same = 1e-12;
  std::vector<double> on(std::size_t(unit_.size())), there(q.size());
  for (std::size_t f = 0; f < on.size(); ++f)
    on[f] = away * std::cos(1.0 + 2.4 * double(f)) * unit_[Eigen::Index(f)];
  integrate(*model_, q, on, there);
  const SparseRows& moved = jacobian_at(there);
  SingularCrossing::Dofs dofs{unit_, Eigen::VectorXd::Zero(unit_.size()),
                              std::vector<char>(on.size(), 0), std::vector<int>(on.size(), -1),
                              subsystems_of_dofs(*model_)};
  for (const int row : position_rows_) {
    const std::span<const double> before = here.values(row), after = moved.values(row);
    double largest = 0, change = 0;
    for (std::size_t k = 0; k < before.size(); ++k) {
      largest = std::max(largest, std::abs(before[k]));
      change = std::max(change, std::abs(after[k] - before[k]));
    }
    for (std::size_t k = 0; k < before.size(); ++k) {
      if (before[k] == 0 && after[k] == 0) continue;
      const int f = here.columns(row)[k];
      dofs.is_in_rows[std::size_t(f)] = 1;
      dofs.component[std::size_t(f)] = here.component_of_row(row);
      if (change > same * largest) dofs.weight[f] = 1 / unit_[f];
    }
  }
  loop_dofs_ = std::move(dofs);
  return *loop_dofs_;
}

const std::vector<double>& RankWatch::distances(std::span<const double> q,
                                                std::span<const int> of) {
  const int rank = has_generic_rank() ? -1 : rank_;
  auto known = std::ranges::find_if(known_distances_, [&](const KnownDistances& at) {
    return at.rank == rank && std::ranges::equal(at.q, q);
  });
  if (known == known_distances_.end()) {
    known = known_distances_.begin() + std::ptrdiff_t(next_known_++ % known_distances_.size());
    known->q.assign(q.begin(), q.end());
    known->of.assign(components().size(), not_computed);
    known->rank = rank;
    if (rank >= 0)
      known->of = pivots_at(q).size() == 0 ? std::vector<double>(known->of.size(), 1)
                                           : factors_.distances(rank);
  }
  bool is_evaluated = false;
  for (const int c : of) {
    double& found = known->of[std::size_t(c)];
    if (!std::isnan(found)) continue;
    if (!std::exchange(is_evaluated, true)) evaluate_rows(q);
    found = basis_distance_.of_component(c, rows_->sparse_jacobian(), rows_->row_scales());
    if (!std::isfinite(found)) found = 1;  // the next step reports it
  }
  return known->of;
}

const std::vector<double>& RankWatch::distances_from_branches(std::span<const double> q,
                                                              std::span<const int> components) {
  if (generic_ == 0) return distances(q, components);
  if (!std::ranges::equal(branches_of_, q)) {
    branches_of_.assign(q.begin(), q.end());
    evaluate_rows(q);
    position_factors_.compute(rows_->sparse_jacobian(), rows_->row_scales(), position_rows_);
    branches_.assign(this->components().size(), 1);
    if (position_factors_.is_finite()) {
      position_rank_ = std::max(position_rank_, position_factors_.rank(dependent_rows));
      branches_ = position_factors_.distances(position_rank_);
    }
  }
  return branches_;
}

std::vector<double> RankWatch::derivatives(const State& state, std::span<const int> of,
                                           std::span<const double> speeds, Distances measure) {
  constexpr double displacement = 1e-5;  // the loops open by the square of that
  gone_.assign(state.v.size(), 0.0);
  moved_.resize(state.q.size());
  for (std::size_t k = 0; k < of.size(); ++k)
    for (const int f : components()[std::size_t(of[k])].columns)
      if (speeds[k] > 0) gone_[std::size_t(f)] = displacement / speeds[k] * state.v[std::size_t(f)];
  integrate(*model_, state.q, gone_, moved_);
  const std::vector<double> here = (this->*measure)(state.q, of);
  const std::vector<double>& there = (this->*measure)(moved_, of);
  std::vector<double> out(here.size(), not_computed);
  for (std::size_t k = 0; k < of.size(); ++k) {
    const auto c = std::size_t(of[k]);
    out[c] = speeds[k] > 0 ? (there[c] - here[c]) / (displacement / speeds[k]) : 0.0;
  }
  return out;
}

std::vector<double> RankWatch::derivatives_at(const State& state, std::span<const int> of) {
  if (last_derivatives_ && last_derivatives_->time == state.time &&
      last_derivatives_->rank == rank_ && std::ranges::none_of(of, [&](int c) {
        return std::isnan(last_derivatives_->of[std::size_t(c)]);
      }))
    return last_derivatives_->of;
  std::vector<double> speeds;
  for (const int c : of) speeds.push_back(fastest(state, c));
  return derivatives(state, of, speeds, &RankWatch::distances);
}

bool RankWatch::nears_singular_pose(const State& state, double h) {
  approaches_.clear();
  if (model_ == nullptr || rank_to_freeze() >= 0 || !last_) return false;
  // Since the last check the pivot has changed by less than half, or there would have been another
  // check, and it changes by at most twice the displacement: the decision depends on the state
  // alone.
  const auto near = [h](double speed) { return 2 * std::max(far, 2 * h * speed); };
  const double nearest = near(fastest(state));
  if (0.5 * last_->least >= nearest ||
      (!far_away_.q.empty() && far_away_.least - 2 * way(far_away_.q, state.q) >= nearest))
    return false;
  std::vector<int> of;
  std::vector<double> speeds;
  loop_dofs(state.q);
  const std::vector<double> distances = distances_from_branches(state.q, all_components_);
  far_away_ = {state.q, 1};
  for (const int c : all_components_) {
    far_away_.least = std::min(far_away_.least, distances[std::size_t(c)]);
    const double speed = loop_speed(state, c);
    if (!(speed > 0) || distances[std::size_t(c)] >= near(speed)) continue;
    of.push_back(c);
    speeds.push_back(speed);
  }
  if (of.empty()) return false;
  const std::vector<double> per_second =
      generic_ == 0 ? derivatives_at(state, of)
                    : derivatives(state, of, speeds, &RankWatch::distances_from_branches);
  for (std::size_t k = 0; k < of.size(); ++k) {
    const double speed = speeds[k], step = 2 * h * speed;
    const double here = distances[std::size_t(of[k])];
    const double derivative = per_second[std::size_t(of[k])] / speed;
    // Far from the pose the distance is curved, like A |sin x|: its tangent misses the pose, and a
    // growing distance may shrink again. So for long steps the tangent is not trusted.
    const double amplitude = std::min(1.0, std::hypot(here, derivative));
    const double steep = 0.5 * amplitude, at_least = least_steep * amplitude;
    if (here / std::max(std::abs(derivative), steep) <
        SingularCrossing::radius + (derivative < 0.5 * steep ? step : 0))
      approaches_.push_back(
          {of[k], state.time,
           here / std::copysign(std::max(std::abs(derivative), at_least), derivative), speed});
  }
  return !approaches_.empty();
}

}  // namespace trammel
