#include "trammel/simulate/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "trammel/simulate/checks/simulation_checks.hpp"
#include "trammel/simulate/simulation_run.hpp"

namespace trammel {

Status simulate(const Model& model, State& state, const SimulationInputs& run_inputs,
                const RunOptions& options, Workspace& workspace, const Observer& observer,
                RunStatistics& statistics, const Checkpoints& checkpoints) {
  statistics = {};
  if (checkpoints.from != nullptr) state = checkpoints.from->state;
  statistics.end = state.time;
  if (Status status = check_simulation(model, state, run_inputs, options, workspace, checkpoints);
      !status)
    return status;
  run_inputs.begin(state);
  return SimulationRun(model, state, run_inputs, options, workspace, observer, statistics,
                       checkpoints)
      .go();
}

Status SimulationRun::go() {
  if (Status status = checkpoints_.from != nullptr ? go_on_from(*checkpoints_.from) : begin();
      !status)
    return status;
  if (event_log_.is_over()) return {};
  const bool is_fixed = integrator_->error_order() == 0;
  for (const double breakpoint : breakpoints_) {
    breakpoint_ = breakpoint;
    // inputs that jump at the breakpoint keep their old values in steps that end there
    ode_->set_horizon(std::nextafter(breakpoint, start_));
    integrator_->forget();
    if (!std::exchange(has_y_dot_, false))
      if (Status status = ode_->rhs(time_, y_, y_dot_); !status) return stopped(status.message());
    ode_->begin_here();
    if (!is_fixed && h_ == 0) h_ = first_step();
    while (time_ < breakpoint && !event_log_.is_over()) {
      if (statistics_.steps >= options_.most_steps)
        return stopped(
            fmt::format("{} steps are taken, the most that a run may have", statistics_.steps));
      if (Status status = integrator_->chooses_steps() ? step_of_its_own()
                          : is_fixed                   ? step_fixed()
                                                       : step_chosen();
          !status)
        return status;
      if (!interruption_.after({time_, tried_, statistics_.steps, statistics_.rejected}).ok() &&
          !checkpoints_.keep && is_under_way())
        return interrupted();
    }
    if (event_log_.is_over()) break;
  }
  return {};
}

// The next time at which a step must end: a breakpoint, or a sample if the method has no dense
// output.
double SimulationRun::target() const {
  double end = breakpoint_;
  if (!integrator_->has_dense_output() && options_.sample > 0) end = std::min(end, next_sample());
  return end;
}

// A time that differs from the end by rounding is the end.
double SimulationRun::next_sample() const {
  const double time = start_ + double(samples_) * options_.sample;
  return time > end_ - 1e-9 * options_.sample ? end_ : time;
}

Status SimulationRun::step_fixed() {
  grid_before_ = grid_;
  const double grid = start_ + double(grid_ + 1) * options_.step;
  double end = std::min(target(), grid);
  // times that differ by rounding are equal
  if (grid - end < 1e-9 * options_.step) end = std::min(grid, breakpoint_);
  if (std::abs(breakpoint_ - end) < 1e-9 * options_.step) end = breakpoint_;
  if (grid - end < 1e-9 * options_.step) ++grid_;
  bool has_next_rhs = false;
  find_crossing(end - time_);
  if (Status status = take(end - time_, has_next_rhs); !status) return stopped(status.message());
  return accept(end, has_next_rhs);
}

Status SimulationRun::step_chosen() {
  const double remaining = target() - time_;
  double h = std::min(h_, remaining);
  if (options_.step > 0) h = std::min(h, options_.step);
  if (h < remaining && 2 * h > remaining) h = remaining / 2;  // avoids a tiny last step
  const double end = h == remaining ? target() : time_ + h;
  bool has_next_rhs = false;
  find_crossing(end - time_);
  const Status status = take(end - time_, has_next_rhs);
  const double power = -1.0 / (integrator_->error_order() + 1);
  const double miss = status.ok() ? miss_of(end) : std::numeric_limits<double>::infinity();
  if (miss <= 1) {
    // PI step size control: from the error and its change [Hairer, Norsett, Wanner, II.4]
    const double growth =
        miss > 0 ? safety * std::pow(miss, 0.8 * power) * std::pow(last_miss_, -0.3 * power) : most;
    h_ = h * std::clamp(growth, least, was_rejected_ ? 1.0 : most);
    last_miss_ = std::max(miss, 1e-4);
    was_rejected_ = false;
    return accept(end, has_next_rhs);
  }
  ++statistics_.rejected;
  was_rejected_ = true;
  h_ = h * (std::isfinite(miss) ? std::clamp(safety * std::pow(miss, power), least, 0.9) : 0.25);
  if (time_ + 0.1 * h_ <= time_ || h_ < 1e-13 * options_.duration)
    return stopped(
        status.ok() ? fmt::format("no step is short enough: {} needs less than {:.2g} s; the "
                                  "solution diverges, the mechanism comes to a dead point, or an "
                                  "input jumps",
                                  ode_->farthest(), h)
                    : status.message());
  return {};
}

// Estimated error of the trial step, relative to the tolerance. Near a singular pose the error
// normal to the constraint manifold is mostly rounding, which the projection removes: it only has
// to be small compared with the distance between branches.
double SimulationRun::miss_of(double end) {
  const OdeSystem::Tolerance tolerance{options_.relative, options_.absolute};
  if (!ode_->has_crossing()) return ode_->distance(next_, other_, tolerance);
  constexpr double off_manifold = 1e-4;
  const double loose = std::max(off_manifold, tolerance.relative);
  return std::max(ode_->distance(next_, other_, {loose, loose}),
                  ode_->distance_on_manifold(end, next_, other_, tolerance));
}

// Step of a method with its own step size control.
Status SimulationRun::step_of_its_own() {
  const double remaining = breakpoint_ - time_;
  bool has_next_rhs = false;
  find_crossing(std::min(3 * h_, remaining));  // steps grow by less than a factor of 3
  if (Status status = take(remaining, has_next_rhs); !status) return stopped(status.message());
  const auto [h, rejected] = integrator_->taken();
  statistics_.rejected += rejected;
  h_ = h;
  return accept(h < remaining ? time_ + h : breakpoint_, has_next_rhs);
}

Status SimulationRun::take(double h, bool& has_next_rhs) {
  tried_ = h;
  ode_->begin_step(h, y_dot_);
  return integrator_->take(*ode_,
                           {.time = time_,
                            .h = h,
                            .y = y_,
                            .y_dot = y_dot_,
                            .y_next = next_,
                            .other = other_,
                            .y_dot_next = next_dot_},
                           has_next_rhs);
}

// Initial step: an explicit Euler step of this length changes y by about 1e-3 of its scale, after
// [Hairer, Norsett, Wanner, II.4].
double SimulationRun::first_step() {
  const double trial = 1e-6 * options_.duration;
  for (std::size_t k = 0; k < y_.size(); ++k) next_[k] = y_[k] + trial * y_dot_[k];
  const double miss = ode_->distance(y_, next_, {options_.relative, options_.absolute});
  const double h = miss > 0 ? 0.01 * trial / miss / options_.relative * 0.1 : trial;
  return std::clamp(h, 1e-9 * options_.duration, 1e-2 * options_.duration);
}

}  // namespace trammel
