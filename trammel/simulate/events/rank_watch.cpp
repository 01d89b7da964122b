#include "trammel/simulate/events/rank_watch.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/dense_rows.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/rank/sparse_row_basis.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"

namespace trammel {

namespace {

// Distance of a row basis from dependence above which no pivot is near that.
constexpr double surely_independent = 1e-6;
constexpr int many_samples = 16;  // checks after which it pays to find the dofs without
                                  // influence

}  // namespace

std::string describe_lock(int before, int now) {
  const int change = now - before;
  return fmt::format("rank of the rows {} -> {}, locked: {} {} lost from here on", before, now,
                     counted(change, "degree of freedom", "degrees of freedom"),
                     change == 1 ? "is" : "are");
}

void RankWatch::enter(const Model& model, const State& state, int generic, bool goes_on,
                      const std::vector<int>& generic_rows) {
  model_ = model.has_constraints() ? &model : nullptr;
  workspace_ = model_ != nullptr ? std::make_unique<Workspace>(model) : nullptr;
  if (model_ != nullptr) rows_.emplace(model);
  last_.reset();
  loop_dofs_.reset();
  passed_poses_.clear();
  for (std::vector<double>* of : {&rows_of_, &pivots_of_, &branches_of_}) of->clear();
  last_derivatives_.reset();
  for (KnownDistances& known : known_distances_) known.q.clear();
  generic_rows_ = generic_rows;
  rank_ = generic_ = 0;
  samples_ = 0;
  was_instant_ = is_begun_ = false;
  apart_of_ = frozen_ = {};
  far_away_ = {};
  if (model_ == nullptr) return;
  evaluate_rows(state.q);  // also updates the kinematics
  counts_ = dof_weights(model, (*workspace_)->kinematics);
  unit_ = counts_.cwiseInverse();
  all_components_.resize(components().size());
  std::iota(all_components_.begin(), all_components_.end(), 0);
  position_rows_.clear();
  position_rank_ = 0;
  for (int k = 0; k < rows_->count(); ++k) {
    if (rows_->is_holonomic(k))
      position_rows_.push_back(k);
    else
      generic_ = generic;
  }
  const bool is_generic = generic_ == 0 && is_generic_basis(state.q);
  if (is_generic) {
    basis_distance_.choose(rows_->sparse_jacobian(), generic_rows_);
    rank_ = int(generic_rows_.size());
  }
  last_ = sample_rank(state.q, rank_);
  if (goes_on && generic_ > 0) {
    const Eigen::VectorXd& pivots = pivots_at(state.q);
    while (last_->rank > 0 && !(pivots[last_->rank - 1] > slack_ * pivots[0])) --last_->rank;
    last_ = sample_rank(state.q, last_->rank);
  }
  rank_ = last_->rank;
  seen_ = state;
  if (has_generic_rank() && !is_generic)
    basis_distance_.choose(rows_->sparse_jacobian(), generic_rows_);
}

bool RankWatch::is_generic_basis(std::span<const double> q) {
  if (generic_rows_.empty()) return false;
  evaluate_rows(q);
  const SparseRows& J = rows_->sparse_jacobian();
  const RowScales scales = rows_->scales();
  if (!(scales.natural.array() >= 0).all()) return false;  // an entry is not a number
  std::vector<int> ranks(components().size(), 0), small_rows;
  for (const int row : generic_rows_) ++ranks[std::size_t(J.component_of_row(row))];
  for (std::size_t c = 0; c < ranks.size(); ++c) {
    const auto& [rows, columns] = components()[c];
    if (std::ssize(rows) <= most_dense_rows) {
      small_rows.insert(small_rows.end(), rows.begin(), rows.end());
      continue;
    }
    const auto decided = sparse_row_basis(
        J, rows, columns, {},
        {scales.natural(rows), scales.rounding(rows), scales.uncertainty(rows)}, Estimates::none);
    if (!decided || decided->basis.rank() != ranks[c]) return false;
  }
  std::ranges::sort(small_rows);
  ComponentQr small;
  small.compute(J, scales.natural, small_rows);
  const std::vector<int> found = small.ranks(small.rank(dependent_rows));
  for (std::size_t c = 0; c < ranks.size(); ++c)
    if (std::ssize(components()[c].rows) <= most_dense_rows && found[c] != ranks[c]) return false;
  return true;
}

bool RankWatch::has_locked(const State& state) {
  if (rank_to_freeze() < 0) {
    apart_ = 0;
    return false;
  }
  // Far below the slack, the pivot of rows that have not changed need not be measured again.
  if (apart_ < 0.5 * slack_ && are_same(apart_of_, state)) return false;
  apart_ = 0;
  apart_of_ = {rank_, state.q};
  const Eigen::VectorXd& pivots = pivots_at(state.q);
  if (rank_ < pivots.size() && pivots[0] > 0) apart_ = pivots[rank_] / pivots[0];
  return apart_ > slack_;
}

bool RankWatch::has_same_rows(const State& state) {
  if (are_same(frozen_, state)) return true;
  frozen_ = {rank_, state.q};
  return false;
}

void RankWatch::evaluate_rows(std::span<const double> q) {
  if (std::ranges::equal(rows_of_, q)) return;
  // rows depend on positions alone
  internal::WorkspaceBuffers& own = **workspace_;
  kernel::kernels().kinematics({*model_, model_->numbers()}, q, own.zero, own.zero, own,
                               own.kinematics);
  rows_->evaluate(*model_, own.kinematics, q, own.zero, own.zero, {});
  rows_of_.assign(q.begin(), q.end());
}

SparseRows RankWatch::scaled_rows(std::span<const double> q) {
  evaluate_rows(q);
  SparseRows rows = rows_->sparse_jacobian();
  for (int k = 0; k < rows.rows(); ++k)
    if (const double scale = rows_->row_scales()[k]; scale > 0)
      for (double& x : rows.values(k)) x /= scale;
  return rows;
}

const Eigen::VectorXd& RankWatch::pivots_at(std::span<const double> q) {
  if (std::ranges::equal(pivots_of_, q)) return factors_.pivots();
  pivots_of_.assign(q.begin(), q.end());
  evaluate_rows(q);
  factors_.compute(rows_->sparse_jacobian(), rows_->row_scales());
  return factors_.pivots();
}

RankWatch::RankSample RankWatch::sample_rank(std::span<const double> q, int rank) {
  if (has_generic_rank() && rank == rank_) {
    double least = 1;
    for (const double distance : distances(q, all_components_)) least = std::min(least, distance);
    if (least > surely_independent) return {rank_, least};
  }
  const Eigen::VectorXd& pivots = pivots_at(q);
  RankSample sample;
  if (rows_->count() == 0) return sample;
  if (pivots.size() == 0) return {rank, 1};  // a wheel lies flat: the next step reports it
  if (!(pivots[0] > 0)) return sample;
  sample.rank = factors_.rank(dependent_rows);
  const int last = rank > 0 ? rank : sample.rank;
  sample.least = last <= pivots.size() ? pivots[last - 1] / pivots[0] : 0;
  return sample;
}

double RankWatch::safe_displacement(const RankSample& sample) {
  return sample.least > far ? std::max(little, part_of_way * sample.least) : 0;
}

double RankWatch::way(std::span<const double> from_q, std::span<const double> to_q) {
  gone_.resize(std::size_t(unit_.size()));
  difference(*model_, from_q, to_q, gone_);
  return Eigen::Map<const Eigen::VectorXd>(gone_.data(), unit_.size())
      .cwiseProduct(counts_)
      .lpNorm<Eigen::Infinity>();
}

// A wheel may spin and a vehicle may move over a plane without a change of any row: detects such
// dofs at generic poses. Rows of one component depend on its dofs alone, so that one dof of each
// component is displaced at a time. Not for models with closures, whose fit would start from there.
void RankWatch::leave_out_idle_dofs(const State& state) {
  constexpr double same = 1e-11, far_on = 0.7;
  if (!model_->closures().empty()) return;
  std::vector<double> on(state.v.size()), there(state.q.size()), near_q(state.q.size());
  std::vector<bool> is_idle(on.size(), true);
  const std::vector<MatrixComponent>& components = rows_->sparse_jacobian().components();
  std::size_t most_dofs = 0;
  for (const MatrixComponent& component : components)
    most_dofs = std::max(most_dofs, component.columns.size());
  for (const double away : {0.3, -0.8}) {
    for (std::size_t f = 0; f < on.size(); ++f)
      on[f] = away * std::cos(1.0 + 2.4 * double(f)) * unit_[Eigen::Index(f)];
    integrate(*model_, state.q, on, there);
    const SparseRows before = scaled_rows(there);
    for (std::size_t k = 0; k < most_dofs; ++k) {
      std::ranges::fill(on, 0.0);
      for (const MatrixComponent& component : components)
        if (k < component.columns.size())
          on[std::size_t(component.columns[k])] = far_on * unit_[component.columns[k]];
      integrate(*model_, there, on, near_q);
      const SparseRows after = scaled_rows(near_q);
      for (const MatrixComponent& component : components) {
        if (k >= component.columns.size()) continue;
        double change = 0;
        for (const int row : component.rows)
          for (std::size_t e = 0; e < before.values(row).size(); ++e)
            change = std::max(change, std::abs(after.values(row)[e] - before.values(row)[e]));
        if (!(change < same)) is_idle[std::size_t(component.columns[k])] = false;
      }
    }
  }
  for (std::size_t f = 0; f < on.size(); ++f)
    if (is_idle[f]) counts_[Eigen::Index(f)] = 0;
}

void RankWatch::check_step(const StepTaken& step, std::vector<EventRecord>& out) {
  if (model_ == nullptr) return;
  const bool is_first = !std::exchange(is_begun_, true);
  if (!is_first && way(seen_.q, step.end.q) < safe_displacement(*last_)) return;
  if (++samples_ == many_samples) leave_out_idle_dofs(step.end);
  RankSample after = sample_rank(step.end.q, rank_);
  if (rank_to_freeze() >= 0)
    after.rank = std::min(after.rank, rank_);  // an activated row is an event of its
                                               // own
  if (after.rank == rank_) {
    // a pose that was skipped far away was not near; one at which the last step ended is recorded
    // already
    if (!std::exchange(was_instant_, false) &&
        std::min(after.least, last_->least) < 2 * std::max(far, way(step.begin.q, step.end.q))) {
      const RankSample before =
          seen_.time == step.begin.time ? *last_ : sample_rank(step.begin.q, rank_);
      if (before.rank == rank_) find_singular_poses(step, out);
    }
  } else if (!was_instant_ || after.rank != last_->rank) {
    record_change(step, after.rank, out);
    if (!was_instant_) after = sample_rank(step.end.q, rank_ = after.rank);
  }
  last_ = after;
  seen_ = step.end;
  if (last_derivatives_ &&
      (last_derivatives_->time != seen_.time || last_derivatives_->rank != rank_))
    last_derivatives_.reset();
}

void RankWatch::record_change(const StepTaken& step, int now, std::vector<EventRecord>& out) {
  was_instant_ = false;
  // bisection for the first time at which the rank differs
  double before = 0, after = 1;
  State state = step.end;
  for (int k = 0; k < 40; ++k) {
    const double middle = 0.5 * (before + after);
    State there;
    if (!step.between(middle, there).ok()) break;
    if (sample_rank(there.q, rank_).rank == rank_) {
      before = middle;
    } else {
      after = middle;
      state = there;
    }
  }
  const int change = std::abs(now - rank_);
  if (now > rank_) {
    out.push_back({state.time, describe_lock(rank_, now), 0});
    return;
  }
  Mobility mobile;
  State still = step.end;
  std::ranges::fill(still.v, 0.0);
  was_instant_ = mobility(*model_, still, *workspace_, mobile).ok() &&
                 (mobile.verdict == Mobility::Verdict::bifurcation ||
                  mobile.verdict == Mobility::Verdict::shaky);
  if (was_instant_)
    out.push_back({step.end.time, describe(step.end, step.begin, any_losing_rank(), change), 0});
  else
    out.push_back(
        {state.time,
         fmt::format("rank of the rows {} -> {}, freed: {} from here on", rank_, now,
                     counted(change, "more degree of freedom", "more degrees of freedom")),
         0});
}

}  // namespace trammel
