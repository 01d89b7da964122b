// Start of a run, at its start state or from a checkpoint; changes of the model; checkpoints.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/simulate/simulation_run.hpp"

namespace trammel {

SimulationRun::SimulationRun(const Model& model, State& state, const SimulationInputs& run_inputs,
                             const RunOptions& options, Workspace& workspace,
                             const Observer& observer, RunStatistics& statistics,
                             const Checkpoints& checkpoints)
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

void SimulationRun::set_projection_tolerance() {
  ode_->set_projection_tolerance(std::clamp(0.01 * options_.relative, 1e-13, 1e-10));
  // These methods keep their order with unprojected stages; the end of a step is projected. Loops
  // need an error estimate, which sees a violation that matters, or steps that are short; those of
  // extrapolation are long.
  using OpenStages = OdeSystem::OpenStages;
  const Method method = options_.method;
  const bool has_loops = event_log_.modes().now(state_).model.has_loops();
  if (method == Method::dormand_prince && (has_loops || rolls_))
    ode_->let_stages_be(OpenStages::always);
  else if (method == Method::rk4 && has_loops)
    ode_->let_stages_be(OpenStages::in_short_steps);
  else if (rolls_ && !has_loops && (method == Method::rk4 || method == Method::extrapolation))
    ode_->let_stages_be(OpenStages::always);
  else
    ode_->let_stages_be(OpenStages::never);
}

Status SimulationRun::begin() {
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
void SimulationRun::enter() {
  const RunSnapshot now = event_log_.modes().now(state_);
  ode_.emplace(now.model, now.run_inputs, now.workspace);
  crossing_.reset();
  evaluations_before_ = statistics_.evaluations;
  set_projection_tolerance();
  ode_->set_horizon(std::nextafter(breakpoint_, start_));
  ode_->pack(state_, y_);
  integrator_->forget();
}

Status SimulationRun::go_on_from(const Checkpoint& checkpoint) {
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

Status SimulationRun::keep() {
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

Status SimulationRun::interrupted() const {
  statistics_.is_interrupted = true;
  return stopped(interruption_.status().message());
}

Status SimulationRun::stopped(const std::string& why) const {
  return Status::failure(fmt::format("simulate: stopped at t = {:.9g} s: {}", time_, why));
}

}  // namespace trammel
