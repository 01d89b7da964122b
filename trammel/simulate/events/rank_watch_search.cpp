// Search for singular poses in a step.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "trammel/base/sparse_qr.hpp"
#include "trammel/simulate/events/rank_watch.hpp"

namespace trammel {

namespace {

// A state closed to 1e-13 is known to the square root of that at a singular pose, 3e-7: a distance
// below this value counts as singular.
constexpr double singular = 1e-5;

}  // namespace

void RankWatch::find_singular_poses(const StepTaken& step, std::vector<EventRecord>& out) {
  constexpr double piece = 0.5;  // in units; |sin x| deviates from its tangent by 0.03 there
  constexpr int most_pieces = 64;
  gone_.resize(step.begin.v.size());
  difference(*model_, step.begin.q, step.end.q, gone_);
  const double far_on = Eigen::Map<const Eigen::VectorXd>(gone_.data(), unit_.size())
                            .cwiseProduct(loop_dofs(step.begin.q).weight)
                            .lpNorm<Eigen::Infinity>();
  if (!(far_on > piece)) return find_singular_poses_in_piece(step, out);
  const int pieces = int(std::min<double>(std::ceil(far_on / piece), most_pieces));
  State begin = step.begin, end;
  double from = 0;
  for (int k = 1; k <= pieces; ++k) {
    const double to = double(k) / pieces;
    if (k == pieces)
      end = step.end;
    else if (!step.between(to, end).ok())
      continue;
    const auto between = [&](double part, State& state) {
      return step.between(from + part * (to - from), state);
    };
    find_singular_poses_in_piece({begin, end, between}, out);
    std::swap(begin, end);
    from = to;
  }
}

void RankWatch::find_singular_poses_in_piece(const StepTaken& step, std::vector<EventRecord>& out) {
  gone_.resize(step.begin.v.size());
  difference(*model_, step.begin.q, step.end.q, gone_);
  const std::vector<double> before = distances(step.begin.q, all_components_),
                            after = distances(step.end.q, all_components_);
  std::vector<int> of;
  for (const int c : all_components_) {
    double way = 0;
    for (const int f : components()[std::size_t(c)].columns)
      way = std::max(way, std::abs(gone_[std::size_t(f)]) * counts_[f]);
    const double least = std::min(before[std::size_t(c)], after[std::size_t(c)]);
    if (least < 2 * std::max(far, way) && way > safe_displacement({rank_, least})) of.push_back(c);
  }
  if (of.empty()) return;
  const std::vector<double> down = derivatives_at(step.begin, of),
                            up = derivatives_at(step.end, of);
  last_derivatives_ = {step.end.time, rank_, up};
  const double length = step.end.time - step.begin.time;
  std::vector<Ends> open;
  for (const int c : of)
    if (const auto k = std::size_t(c); down[k] < 0 && up[k] > 0)
      open.push_back({c, before[k], after[k], down[k] * length, up[k] * length});
  const auto first = std::ssize(out);
  while (!open.empty()) {
    const Ends ends = open.front();
    open.erase(open.begin());
    find_singular_pose(step, ends, open, out);
  }
  std::stable_sort(out.begin() + first, out.end(),
                   [](const EventRecord& a, const EventRecord& b) { return a.time < b.time; });
}

void RankWatch::find_singular_pose(const StepTaken& step, const Ends& ends, std::vector<Ends>& open,
                                   std::vector<EventRecord>& out) {
  State state;
  const auto record = [&] {
    std::vector<int> singular_ones{ends.component};
    for (const Ends& other : open) singular_ones.push_back(other.component);
    const std::vector<double>& here = distances(state.q, singular_ones);
    std::erase_if(singular_ones, [&](int c) {
      return c != ends.component && !(here[std::size_t(c)] <= singular);
    });
    const LosingRank losing = losing_rank(singular_ones);
    if (!record_singular_pose(step, state, losing, out)) return false;
    std::erase_if(open, [&](const Ends& other) {
      return std::ranges::find(losing.components, other.component) != losing.components.end();
    });
    return true;
  };
  if (const std::optional<double> part = zero_by_tangents(step, ends);
      part && distance_at(step, *part, ends.component, state) <= singular && record())
    return;
  if (const std::optional<double> part = least_by_golden_section(step, ends);
      part && step.between(*part, state).ok())
    record();
}

double RankWatch::distance_at(const StepTaken& step, double part, int component, State& state) {
  return step.between(part, state).ok() ? distance(state.q, component) : 1.0;
}

// The distance has the sign of its derivative along the motion: with that sign it is smooth through
// the pose, and its zero is found by inverse cubic interpolation of values and derivatives. None if
// there is no zero, or if the search does not converge.
std::optional<double> RankWatch::zero_by_tangents(const StepTaken& step, const Ends& ends) {
  constexpr int most = 8;
  constexpr double near_enough = 1e-3;  // the next interpolation is exact to rounding
  struct Place {
    double part, value, slope;  // with sign
  };
  const double length = step.end.time - step.begin.time;
  const double steepest = 4 * std::max(-ends.down, ends.up);
  const auto at_component = std::size_t(ends.component);
  Place low{0, -ends.before, -ends.down}, high{1, ends.after, ends.up};
  const auto zero = [&] {  // part as a function of the value, at zero
    const double width = high.value - low.value, t = -low.value / width, rest = 1 - t;
    const double part = rest * rest * (1 + 2 * t) * low.part + t * t * (1 + 2 * rest) * high.part +
                        t * rest * width * (rest / low.slope - t / high.slope);
    const double chord = low.part + t * (high.part - low.part);
    return part > low.part && part < high.part ? part : chord;
  };
  State state;
  for (int k = 0; k < most; ++k) {
    const double part = zero(), value = distance_at(step, part, ends.component, state);
    if (!(value <= steepest * std::max(part - low.part, high.part - part))) return {};
    const double slope = length * derivatives_at(state, {&ends.component, 1})[at_component];
    if (!(slope != 0)) return {};
    (slope < 0 ? low : high) = {part, std::copysign(value, slope), std::abs(slope)};
    if (value < near_enough) return zero();
  }
  return {};
}

// Golden section search for the least distance, which has no derivative there: none above
// `singular`. Its derivative is at most four times that at the ends: intervals that cannot reach
// zero are left early.
std::optional<double> RankWatch::least_by_golden_section(const StepTaken& step, const Ends& ends) {
  const double steepest = 4 * std::max(-ends.down, ends.up);
  State state;
  constexpr double golden = 0.6180339887498949;
  double low = 0, high = 1, left = 1 - golden, right = golden;
  const auto at = [&](double part) { return distance_at(step, part, ends.component, state); };
  double at_left = at(left), at_right = at(right);
  while (high - low > 1e-12) {
    if (std::min(at_left, at_right) > singular + steepest * (high - low)) return {};
    if (at_left < at_right) {
      high = right, right = left, at_right = at_left;
      at_left = at(left = high - golden * (high - low));
    } else {
      low = left, left = right, at_left = at_right;
      at_right = at(right = low + golden * (high - low));
    }
    if (left >= right) break;  // limit of double precision
  }
  if (std::min(at_left, at_right) > singular) return {};
  return at_left < at_right ? left : right;
}

RankWatch::LosingRank RankWatch::any_losing_rank() const {
  LosingRank losing;
  losing.components.resize(components().size());
  std::iota(losing.components.begin(), losing.components.end(), 0);
  losing.rows.resize(std::size_t(rows_->count()));
  std::iota(losing.rows.begin(), losing.rows.end(), 0);
  losing.rank = rank_;
  return losing;
}

RankWatch::LosingRank RankWatch::losing_rank(std::vector<int> components) const {
  if (!has_generic_rank()) return any_losing_rank();
  LosingRank losing;
  std::ranges::sort(components);
  losing.components = std::move(components);
  const auto is_losing = [&](int component) {
    return std::ranges::binary_search(losing.components, component);
  };
  const SparseRows& J = rows_->sparse_jacobian();
  for (const int c : losing.components) {
    const std::vector<int>& rows = this->components()[std::size_t(c)].rows;
    if (std::ssize(rows) <= most_dense_rows)
      losing.rows.insert(losing.rows.end(), rows.begin(), rows.end());
  }
  for (const int row : generic_rows_) {
    const int c = J.component_of_row(row);
    if (!is_losing(c)) continue;
    ++losing.rank;
    if (std::ssize(this->components()[std::size_t(c)].rows) > most_dense_rows)
      losing.rows.push_back(row);
  }
  std::ranges::sort(losing.rows);
  return losing;
}

// False if no row is dependent at the state, though those of the basis are.
bool RankWatch::record_singular_pose(const StepTaken& step, const State& state,
                                     const LosingRank& losing, std::vector<EventRecord>& out) {
  evaluate_rows(state.q);
  ComponentQr factors;
  factors.compute(rows_->sparse_jacobian(), rows_->row_scales(), losing.rows);
  const Eigen::VectorXd& pivots = factors.pivots();
  int fewer = 0;
  while (fewer < losing.rank && pivots[losing.rank - 1 - fewer] < 100 * singular * pivots[0])
    ++fewer;
  if (fewer == 0 && has_generic_rank()) {
    generic_rows_.clear();  // from here on the pivots decide
    return false;
  }
  out.push_back({state.time, describe(state, step.begin, losing, fewer), 0});
  return true;
}

}  // namespace trammel
