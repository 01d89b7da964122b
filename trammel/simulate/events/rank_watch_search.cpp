// Search for singular poses in a step.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>

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
  if (!(far_on > piece)) return find_singular_pose(step, out);
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
    find_singular_pose({begin, end, between}, out);
    std::swap(begin, end);
    from = to;
  }
}

void RankWatch::find_singular_pose(const StepTaken& step, std::vector<EventRecord>& out) {
  const double before = distance_from_dependent(step.begin.q);
  const double down = last_derivative_ && last_derivative_->time == step.begin.time
                          ? last_derivative_->derivative
                          : distance_derivative(step.begin, before, fastest(step.begin));
  last_derivative_.reset();
  if (!(down < 0)) return;
  const double after = distance_from_dependent(step.end.q),
               up = distance_derivative(step.end, after, fastest(step.end));
  last_derivative_ = {step.end.time, rank_, up};
  const double length = step.end.time - step.begin.time;
  if (!(up > 0)) return;
  const Ends ends{before, after, down * length, up * length};
  State state;
  if (const std::optional<double> part = zero_by_tangents(step, ends);
      part && distance_at(step, *part, state) <= singular && record_singular_pose(step, state, out))
    return;
  if (const std::optional<double> part = least_by_golden_section(step, ends);
      part && step.between(*part, state).ok())
    record_singular_pose(step, state, out);
}

double RankWatch::distance_at(const StepTaken& step, double part, State& state) {
  return step.between(part, state).ok() ? distance_from_dependent(state.q) : 1.0;
}

// The distance has the sign of its derivative along the motion: with that sign it is smooth through
// the pose, and its zero is found by inverse cubic interpolation of values and slopes. None if
// there is no zero, or if the search does not converge.
std::optional<double> RankWatch::zero_by_tangents(const StepTaken& step, const Ends& ends) {
  constexpr int most = 8;
  constexpr double near_enough = 1e-3;  // the next interpolation is exact to rounding
  struct Place {
    double part, value, slope;  // with sign
  };
  const double length = step.end.time - step.begin.time;
  const double steepest = 4 * std::max(-ends.down, ends.up);
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
    const double part = zero(), value = distance_at(step, part, state);
    if (!(value <= steepest * std::max(part - low.part, high.part - part))) return {};
    const double slope = length * distance_derivative(state, value, fastest(state));
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
  double at_left = distance_at(step, left, state), at_right = distance_at(step, right, state);
  while (high - low > 1e-12) {
    if (std::min(at_left, at_right) > singular + steepest * (high - low)) return {};
    if (at_left < at_right) {
      high = right, right = left, at_right = at_left;
      at_left = distance_at(step, left = high - golden * (high - low), state);
    } else {
      low = left, left = right, at_left = at_right;
      at_right = distance_at(step, right = low + golden * (high - low), state);
    }
    if (left >= right) break;  // limit of double precision
  }
  if (std::min(at_left, at_right) > singular) return {};
  return at_left < at_right ? left : right;
}

// False if no row is dependent at the state, though those of the basis are.
bool RankWatch::record_singular_pose(const StepTaken& step, const State& state,
                                     std::vector<EventRecord>& out) {
  const Eigen::VectorXd& pivots = pivots_at(state.q);
  int fewer = 0;
  while (fewer < rank_ && pivots[rank_ - 1 - fewer] < 100 * singular * pivots[0]) ++fewer;
  if (fewer == 0 && has_generic_rank()) {
    generic_rows_.clear();  // from here on the pivots decide
    return false;
  }
  out.push_back({state.time, describe(state, step.begin, rank_ - fewer, fewer), 0});
  return true;
}

}  // namespace trammel
