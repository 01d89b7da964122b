// End of a step: location of events by bisection, samples between steps by interpolation, and the
// singular poses that a step may come near.
#include <algorithm>
#include <cmath>
#include <utility>

#include "trammel/simulate/simulation_run.hpp"

namespace trammel {

namespace {

bool has_prescribed_motion(const Model& model) {
  for (int f = 0; f < model.nv(); ++f)
    if (model.prescription(f) == Drive::motion) return true;
  for (int f = 0; f < model.loop_nv(); ++f)
    if (model.closure_drive(f) == Drive::motion) return true;
  return false;
}

}  // namespace

Status SimulationRun::accept(double end, bool has_next_rhs) {
  if (Status status = ode_->expect_bounded(next_); !status) return stopped(status.message());
  // before the projection, which then begins with the poses and rows of this evaluation
  if (!has_next_rhs && ode_->is_open() && end < breakpoint_) {
    if (Status status = ode_->rhs(end, next_, next_dot_); !status) return stopped(status.message());
    has_next_rhs = true;
  }
  bool has_loads = has_next_rhs && read_wheel_loads(end);
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
    if (Status status = ode_->unpack(end, next_, ended_); !status) return stopped(status.message());
  if (happens) {
    has_loads = false;
  } else if (!has_next_rhs && end < breakpoint_ && event_log_.needs_wheel_loads()) {
    // the derivative at the end, which the next step needs, gives the loads there
    ode_->pack(ended_, next_);
    if (Status status = ode_->rhs(end, next_, next_dot_); !status) return stopped(status.message());
    has_next_rhs = true;
    has_loads = read_wheel_loads(end);
  }
  if (Status status = record_step(h, covered, has_loads); !status) return stopped(status.message());
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
    ode_->begin_here();
  }
  if (options_.sample == 0 || time_ >= next_sample() || event_log_.is_over() || is_sample_time())
    if (Status status = show(); !status) return status;
  return keep();
}

// Locates the first event in the step that was taken, and shortens the step to it. Without an
// event, ended_ is the state at its end.
Status SimulationRun::detect_events(double& end, bool& has_next_rhs, bool& happens) {
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
      if (Status status = has_event(other_, begin + part * whole, is_there); !status) return status;
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

Status SimulationRun::handle_events() {
  if (Status status = event_log_.handle_events(state_, statistics_); !status)
    return stopped(status.message());
  enter();
  // a joint that has locked does not move at all, and loops are closed to rounding
  if (Status status = ode_->unpack(time_, y_, state_); !status) return stopped(status.message());
  ode_->pack(state_, y_);
  if (Status status = event_log_.enter(state_); !status) return stopped(status.message());
  if (Status status = ode_->rhs(time_, y_, y_dot_); !status) return stopped(status.message());
  ode_->begin_here();
  if (integrator_->error_order() > 0) h_ = std::min(h_, first_step());
  return {};
}

// Contact loads by the last evaluation of the derivative, which is at the end of the step. Not at a
// breakpoint: it is evaluated before the inputs jump there.
bool SimulationRun::read_wheel_loads(double end) {
  return event_log_.needs_wheel_loads() && end < breakpoint_ && ode_->wheel_loads(loads_);
}

Status SimulationRun::record_step(double h, double covered, bool has_loads) {
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
  const Status status = event_log_.record_step(
      {state_, ended_, between, has_loads ? &loads_ : nullptr, ode_->load_range()}, statistics_);
  if (!had_crossing) ode_->set_crossing(nullptr);
  return status;
}

bool SimulationRun::is_sample_time() const {
  return std::ranges::binary_search(sample_times_, time_);
}

Status SimulationRun::show() {
  while (options_.sample > 0 && next_sample() <= time_ && time_ < end_) ++samples_;
  return observer_(event_log_.modes().now(state_));
}

// Enables the crossing if a step of this length may come near a singular pose of the loops. Without
// loops there are no branches that meet: heights of wheels have none, couplings are linear.
void SimulationRun::find_crossing(double h) {
  RankWatch& observer = event_log_.rank_watch();
  if (!event_log_.modes().now(state_).model.has_loops() ||
      !observer.nears_singular_pose(state_, h)) {
    ode_->set_crossing(nullptr);
    return;
  }
  begin_crossing();
  crossing_->expect(observer.approaches());
}

void SimulationRun::begin_crossing() {
  RankWatch& observer = event_log_.rank_watch();
  if (!crossing_) {
    const Model& model = event_log_.modes().now(state_).model;
    crossing_.emplace(model, observer.loop_dofs(state_.q), has_prescribed_motion(model),
                      [&observer](std::span<const double> q, std::span<const int> of) {
                        return observer.distances_from_branches(q, of);
                      });
  }
  if (!ode_->has_crossing()) crossing_->begin_approach();
  ode_->set_crossing(&*crossing_);
}

}  // namespace trammel
