#include "trammel/simulate/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "trammel/constraint/assembly/start_velocities.hpp"
#include "trammel/simulate/checks/interruption.hpp"
#include "trammel/simulate/checks/run_checks.hpp"
#include "trammel/simulate/events/event_log.hpp"

namespace trammel {

namespace {

Status check(const Model& model, const State& state, const RunOptions& options) {
  if (Status status = check_run(options, state.time); !status)
    return Status::failure("simulate: " + status.message());
  if (state.q.size() != std::size_t(model.nq()) || state.v.size() != std::size_t(model.nv()))
    throw std::invalid_argument(fmt::format(
        "simulate: the state has {} positions and {} velocities, the model has nq = {}, nv = {}",
        state.q.size(), state.v.size(), model.nq(), model.nv()));
  return {};
}

Status check(const Model& model, const SimulationInputs& run_inputs, const Checkpoint& from) {
  const std::size_t z = std::size_t(run_inputs.nz()),
                    size = std::size_t(model.nq() + model.nv()) + z;
  if (from.state.z.size() == z && (from.y_dot.empty() || from.y_dot.size() == size)) return {};
  return Status::failure(fmt::format(
      "simulate: the checkpoint has {} states of controllers and {} derivatives, the run {} and "
      "{}: it belongs to another run",
      from.state.z.size(), from.y_dot.size(), z, size));
}

// Smallest relative tolerance of a method. BDF uses differences of projected states over five
// steps: with closed loops these are rounding below 1e-10, and the step size collapses.
Status check_floor(const Model& model, const RunOptions& options) {
  constexpr double floor_of_bdf = 1e-10;
  if (options.method != Method::bdf || !model.has_constraints() || options.relative >= floor_of_bdf)
    return {};
  return Status::failure(fmt::format(
      "simulate: the relative tolerance is {}, and the method bdf keeps {} at best in a "
      "model with constraints: give that, or take the method radau or extrapolation",
      options.relative, floor_of_bdf));
}

bool has_prescribed_motion(const Model& model) {
  for (int f = 0; f < model.nv(); ++f)
    if (model.prescription(f) == Drive::motion) return true;
  for (int f = 0; f < model.loop_nv(); ++f)
    if (model.closure_drive(f) == Drive::motion) return true;
  return false;
}

class Run {
 public:
  Run(const Model& model, State& state, const SimulationInputs& run_inputs,
      const RunOptions& options, Workspace& workspace, const Observer& observer,
      RunStatistics& statistics, const Checkpoints& checkpoints)
      : state_(state),
        options_(options),
        rolls_(!model.wheels().empty()),
        observer_(observer),
        checkpoints_(checkpoints),
        statistics_(statistics),
        interruption_(options),
        event_log_(model, run_inputs, workspace, options,
                   std::clamp(steps_wrong * options.relative, 1e-9, 1e-5)),
        ode_(std::in_place, model, run_inputs, workspace),
        integrator_(make_integrator(options.method, ode_->size())),
        start_(checkpoints.from != nullptr ? checkpoints.from->start : state.time),
        end_(start_ + options.duration),
        time_(state.time),
        y_(std::size_t(ode_->size())),
        y_dot_(y_),
        next_(y_),
        other_(y_),
        next_dot_(y_),
        shown_(state) {
    set_projection_tolerance();
    integrator_->aim({options.relative, options.absolute}, options.step);
    for (const double breakpoint : run_inputs.breakpoints())
      if (breakpoint > time_ && breakpoint < end_) breakpoints_.push_back(breakpoint);
    for (const double time : event_log_.times())
      if (time > time_ && time < end_) breakpoints_.push_back(time);
    for (const double at : options.at) sample_times_.push_back(start_ + at);
    std::ranges::sort(sample_times_);
    for (const double time : sample_times_)
      if (time > time_ && time < end_) breakpoints_.push_back(time);
    std::ranges::sort(breakpoints_);
    if (time_ < end_) breakpoints_.push_back(end_);
  }

  Status go() {
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

 private:
  void set_projection_tolerance() {
    ode_->set_projection_tolerance(std::clamp(0.01 * options_.relative, 1e-13, 1e-10));
    // these methods keep their order with unprojected stages; the end of a step is projected
    ode_->let_stages_be(rolls_ && (options_.method == Method::dormand_prince ||
                                   options_.method == Method::extrapolation ||
                                   options_.method == Method::rk4));
  }

  Status begin() {
    if (Status status = event_log_.begin(state_, statistics_); !status)
      return Status::failure("simulate: " + status.message());
    enter();
    ode_->pack(state_, y_);
    // joints driven by motion start on their prescribed motion, the others follow
    if (Status status = ode_->unpack(start_, y_, state_); !status)
      return Status::failure("simulate: at the start: " + status.message());
    ode_->pack(state_, y_);
    if (Status status = event_log_.enter(state_); !status)
      return Status::failure("simulate: at the start: " + status.message());
    return show();
  }
  // Switches to the current model, after a change of the model or of the velocities.
  void enter() {
    const RunSnapshot now = event_log_.modes().now(state_);
    ode_.emplace(now.model, now.run_inputs, now.workspace);
    crossing_.reset();
    evaluations_before_ = statistics_.evaluations;
    set_projection_tolerance();
    ode_->set_horizon(std::nextafter(breakpoint_, start_));
    ode_->pack(state_, y_);
    integrator_->forget();
  }

  Status go_on_from(const Checkpoint& checkpoint) {
    statistics_ = checkpoint.statistics;
    if (Status status = event_log_.go_on_from(checkpoint.past); !status)
      return Status::failure("simulate: " + status.message());
    enter();
    if (Status status = event_log_.enter(state_, true); !status)
      return Status::failure("simulate: " + status.message());
    has_y_dot_ = !checkpoint.y_dot.empty();
    if (has_y_dot_) y_dot_ = checkpoint.y_dot;
    h_ = checkpoint.h;
    last_miss_ = checkpoint.last_miss;
    was_rejected_ = checkpoint.was_rejected;
    samples_ = checkpoint.samples;
    grid_ = checkpoint.grid;
    return {};
  }
  Status keep() {
    // at steps where the method discards its history, so that the history need not be stored
    if (integrator_->memory() > 0) {
      if (statistics_.steps % integrator_->memory() != 0 && time_ < breakpoint_) return {};
      integrator_->forget();
    }
    const bool is_interrupted = !interruption_.status().ok() && is_under_way();
    if (!checkpoints_.keep || !(is_interrupted || (checkpoints_.is_due && checkpoints_.is_due())))
      return {};
    Checkpoint now{.state = state_,
                   .y_dot = {},
                   .start = start_,
                   .h = h_,
                   .last_miss = last_miss_,
                   .was_rejected = was_rejected_,
                   .samples = samples_,
                   .grid = grid_,
                   .statistics = statistics_,
                   .past = event_log_.past()};
    if (time_ < breakpoint_) now.y_dot = y_dot_;
    now.statistics.evaluations = evaluations_before_ + ode_->evaluations();
    if (Status status = checkpoints_.keep(now); !status || !is_interrupted) return status;
    return interrupted();
  }

  bool is_under_way() const { return time_ < end_ && !event_log_.is_over(); }
  Status interrupted() const {
    statistics_.is_interrupted = true;
    return stopped(interruption_.status().message());
  }
  Status stopped(const std::string& why) const {
    return Status::failure(fmt::format("simulate: stopped at t = {:.9g} s: {}", time_, why));
  }

  // The next time at which a step must end: a breakpoint, or a sample if the method has no dense
  // output.
  double target() const {
    double end = breakpoint_;
    if (!integrator_->has_dense_output() && options_.sample > 0) end = std::min(end, next_sample());
    return end;
  }
  // A time that differs from the end by rounding is the end.
  double next_sample() const {
    const double time = start_ + double(samples_) * options_.sample;
    return time > end_ - 1e-9 * options_.sample ? end_ : time;
  }

  Status step_fixed() {
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

  Status step_chosen() {
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
          miss > 0 ? safety * std::pow(miss, 0.8 * power) * std::pow(last_miss_, -0.3 * power)
                   : most;
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
  double miss_of(double end) {
    const OdeSystem::Tolerance tolerance{options_.relative, options_.absolute};
    if (!ode_->has_crossing()) return ode_->distance(next_, other_, tolerance);
    constexpr double off_manifold = 1e-4;
    const double loose = std::max(off_manifold, tolerance.relative);
    return std::max(ode_->distance(next_, other_, {loose, loose}),
                    ode_->distance_on_manifold(end, next_, other_, tolerance));
  }

  // Step of a method with its own step size control.
  Status step_of_its_own() {
    const double remaining = breakpoint_ - time_;
    bool has_next_rhs = false;
    find_crossing(std::min(3 * h_, remaining));  // steps grow by less than a factor of 3
    if (Status status = take(remaining, has_next_rhs); !status) return stopped(status.message());
    const auto [h, rejected] = integrator_->taken();
    statistics_.rejected += rejected;
    h_ = h;
    return accept(h < remaining ? time_ + h : breakpoint_, has_next_rhs);
  }

  // Enables the crossing if a step of this length may come near a singular pose.
  void find_crossing(double h) {
    RankWatch& observer = event_log_.rank_watch();
    if (!observer.nears_singular_pose(state_, h)) {
      ode_->set_crossing(nullptr);
      return;
    }
    begin_crossing();
  }
  void begin_crossing() {
    RankWatch& observer = event_log_.rank_watch();
    if (!crossing_) {
      const Model& model = event_log_.modes().now(state_).model;
      crossing_.emplace(
          model, observer.loop_dofs(state_.q), has_prescribed_motion(model),
          [&observer](std::span<const double> q) { return observer.distance_from_branches(q); });
    }
    if (!ode_->has_crossing()) crossing_->begin_approach();
    ode_->set_crossing(&*crossing_);
  }

  Status take(double h, bool& has_next_rhs) {
    tried_ = h;
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

  // Locates the first event in the step that was taken, and shortens the step to it. Without an
  // event, ended_ is the state at its end.
  Status detect_events(double& end, bool& has_next_rhs, bool& happens) {
    const auto has_event = [&](std::span<const double> y, double time, bool& out) {
      if (Status status = ode_->unpack(time, y, shown_); !status) return status;
      return event_log_.has_event(shown_, out);
    };
    const double begin = time_, whole = end - begin;
    double sure = whole;  // the event lies before this part
    if (Status status = ode_->unpack(end, next_, ended_); !status) return status;
    if (Status status = event_log_.has_event(ended_, happens); !status) return status;
    if (integrator_->has_dense_output() && (happens || event_log_.may_have_passed()))
      for (const double part : {0.75, 0.5, 0.25}) {  // events that revert within the step
        integrator_->between(part, other_);
        bool is_there = false;
        if (Status status = has_event(other_, begin + part * whole, is_there); !status)
          return status;
        if (is_there) sure = part * whole, happens = true;
      }
    if (!happens) return {};

    // a method with its own step size control cannot repeat a step, but has dense output
    const auto go_to = [&](double part) {
      if (!integrator_->chooses_steps()) return take(part, has_next_rhs);
      integrator_->between(part / whole, next_);
      return Status();
    };
    // bisection, down to the resolution of the time
    double before = 0;
    for (;;) {
      const double middle = before + 0.5 * (sure - before);
      if (begin + middle <= begin + before || begin + middle >= begin + sure ||
          sure - before < 1e-15 * std::abs(begin))
        break;
      bool is_there = false;
      if (Status status = go_to(middle); !status) return status;
      if (Status status = has_event(next_, begin + middle, is_there); !status) return status;
      (is_there ? sure : before) = middle;
    }
    if (Status status = go_to(sure); !status) return status;
    has_next_rhs = false;
    end = begin + sure;
    return {};
  }
  Status handle_events() {
    if (Status status = event_log_.handle_events(state_, statistics_); !status)
      return stopped(status.message());
    enter();
    // a joint that has locked does not move at all, and loops are closed to rounding
    if (Status status = ode_->unpack(time_, y_, state_); !status) return stopped(status.message());
    ode_->pack(state_, y_);
    if (Status status = event_log_.enter(state_); !status) return stopped(status.message());
    if (Status status = ode_->rhs(time_, y_, y_dot_); !status) return stopped(status.message());
    if (integrator_->error_order() > 0) h_ = std::min(h_, first_step());
    return {};
  }

  Status accept(double end, bool has_next_rhs) {
    if (Status status = ode_->expect_bounded(next_); !status) return stopped(status.message());
    bool happens = false;
    const double requested_end = end;
    ended_ = state_;
    const bool is_watched = event_log_.are_watched();
    if (is_watched)
      if (Status status = detect_events(end, has_next_rhs, happens); !status)
        return stopped(status.message());
    if (end < requested_end) grid_ = grid_before_;
    const double h = end - time_;
    // dense output covers the whole step if the method cannot repeat it
    const double covered = integrator_->chooses_steps() ? requested_end - time_ : h;
    ++statistics_.steps;
    statistics_.longest = std::max(statistics_.longest, h);
    statistics_.shortest = statistics_.shortest == 0 ? h : std::min(statistics_.shortest, h);
    if (integrator_->has_dense_output() && options_.sample > 0)
      for (; next_sample() < end; ++samples_) {
        integrator_->between((next_sample() - time_) / covered, other_);
        if (Status status = ode_->unpack(next_sample(), other_, shown_); !status)
          return stopped(status.message());
        if (Status status = observer_(event_log_.modes().now(shown_)); !status) return status;
      }
    if (!is_watched || happens)
      if (Status status = ode_->unpack(end, next_, ended_); !status)
        return stopped(status.message());
    if (Status status = record_step(h, covered); !status) return stopped(status.message());
    std::swap(state_, ended_);
    time_ = end;
    statistics_.end = end;
    statistics_.evaluations = evaluations_before_ + ode_->evaluations();
    ode_->pack(state_, y_);
    if (happens || event_log_.is_time(time_)) {
      if (Status status = handle_events(); !status) return status;
    } else {
      if (Status status = event_log_.go_on(state_); !status) return stopped(status.message());
      if (has_next_rhs)
        std::swap(y_dot_, next_dot_);
      else if (time_ < breakpoint_)
        if (Status status = ode_->rhs(time_, y_, y_dot_); !status) return stopped(status.message());
    }
    if (options_.sample == 0 || time_ >= next_sample() || event_log_.is_over() || is_sample_time())
      if (Status status = show(); !status) return status;
    return keep();
  }

  Status record_step(double h, double covered) {
    std::vector<double> q_dot, q_dot_end;  // for methods without dense output
    const Model& model = event_log_.modes().now(state_).model;
    const bool has_loops = model.has_loops();
    const bool had_crossing = ode_->has_crossing();
    const auto between = [&](double part, State& out) {
      // an interpolated state may lie near a singular pose that the step did not expect
      if (has_loops && event_log_.rank_watch().rank_to_freeze() < 0) begin_crossing();
      if (integrator_->has_dense_output()) {
        integrator_->between(part * h / covered, other_);
        return ode_->unpack(time_ + part * h, other_, out);
      }
      const auto nq = std::size_t(ode_->nq());
      if (q_dot.empty()) {
        q_dot.resize(nq), q_dot_end.resize(nq);
        ode_->pack(ended_, next_);
        ode_->rate(y_, q_dot);
        ode_->rate(next_, q_dot_end);
      }
      // cubic Hermite interpolation of positions, quadratic of velocities and z
      const double rest = 1 - part;
      for (std::size_t k = 0; k < y_.size(); ++k) {
        const double gone = next_[k] - y_[k];
        other_[k] = y_[k] + part * gone;
        if (k < nq)
          other_[k] +=
              part * rest * (rest * (h * q_dot[k] - gone) - part * (h * q_dot_end[k] - gone));
        else
          other_[k] += part * rest * (h * y_dot_[k] - gone);
      }
      return ode_->unpack(time_ + part * h, other_, out);
    };
    const Status status = event_log_.record_step({state_, ended_, between}, statistics_);
    if (!had_crossing) ode_->set_crossing(nullptr);
    return status;
  }

  bool is_sample_time() const { return std::ranges::binary_search(sample_times_, time_); }
  Status show() {
    while (options_.sample > 0 && next_sample() <= time_ && time_ < end_) ++samples_;
    return observer_(event_log_.modes().now(state_));
  }

  // Initial step: an explicit Euler step of this length changes y by about 1e-3 of its scale, after
  // [Hairer, Norsett, Wanner, II.4].
  double first_step() {
    const double trial = 1e-6 * options_.duration;
    for (std::size_t k = 0; k < y_.size(); ++k) next_[k] = y_[k] + trial * y_dot_[k];
    const double miss = ode_->distance(y_, next_, {options_.relative, options_.absolute});
    const double h = miss > 0 ? 0.01 * trial / miss / options_.relative * 0.1 : trial;
    return std::clamp(h, 1e-9 * options_.duration, 1e-2 * options_.duration);
  }

  static constexpr double safety = 0.9, least = 0.2, most = 5;
  // Bound of the integration error of redundant wheel layouts, in steps with the largest allowed
  // error; in angles, of which pivots show a part, it is some hundred steps.
  static constexpr double steps_wrong = 10;

  State& state_;
  const RunOptions& options_;
  const bool rolls_;  // the model has wheels
  const Observer& observer_;
  const Checkpoints& checkpoints_;
  RunStatistics& statistics_;
  Interruption interruption_;
  EventLog event_log_;
  std::optional<OdeSystem> ode_;
  std::optional<SingularCrossing> crossing_;  // made when a singular pose comes near
  std::unique_ptr<Integrator> integrator_;
  double start_, end_, time_, breakpoint_ = 0, h_ = 0, last_miss_ = 1e-4;
  double tried_ = 0;  // length of the last trial step
  bool was_rejected_ = false, has_y_dot_ = false;
  long samples_ = 0, grid_ = 0;       // completed
  long grid_before_ = 0;              // before the current step
  long evaluations_before_ = 0;       // before the current OdeSystem was made
  std::vector<double> sample_times_;  // additional sample times
  std::vector<double> breakpoints_, y_, y_dot_, next_, other_, next_dot_;
  State shown_, ended_;  // state between steps; state at the end of a step
};

}  // namespace

Status simulate(const Model& model, State& state, const SimulationInputs& run_inputs,
                const RunOptions& options, Workspace& workspace, const Observer& observer,
                RunStatistics& statistics, const Checkpoints& checkpoints) {
  statistics = {};
  if (checkpoints.from != nullptr) state = checkpoints.from->state;
  statistics.end = state.time;
  if (Status status = check(model, state, options); !status) return status;
  if (Status status = run_inputs.check(); !status)
    return Status::failure("simulate: " + status.message());
  if (const std::string lacks = method_lacks(options.method); !lacks.empty())
    return Status::failure("simulate: " + lacks);
  if (Status status = check_floor(model, options); !status) return status;
  if (options.step == 0 && takes_fixed_steps(options.method))
    return Status::failure(
        fmt::format("simulate: the method {} has a fixed step: give one (option step)",
                    to_string(options.method)));
  if (checkpoints.from != nullptr)
    if (Status status = check(model, run_inputs, *checkpoints.from); !status) return status;
  if (checkpoints.from == nullptr) {
    if (Status status = check_start_position(model, state, workspace); !status)
      return Status::failure("simulate: " + status.message());
    if (Status status = check_start_velocities(model, state, workspace); !status)
      return Status::failure("simulate: " + status.message());
  }
  run_inputs.begin(state);
  return Run(model, state, run_inputs, options, workspace, observer, statistics, checkpoints).go();
}

}  // namespace trammel
