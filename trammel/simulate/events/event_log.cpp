#include "trammel/simulate/events/event_log.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "trammel/constraint/assembly/projection.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/description/description_parameters.hpp"
#include "trammel/simulate/events/event_words.hpp"

namespace trammel {

namespace {

// [rad or m] A start further past a stop than this is an error; less is rounding.
constexpr double stop_tolerance = 1e-9;
constexpr std::size_t max_recorded = 1000;

bool is_same(const Stop& a, const Stop& b) {
  return a.q == b.q && a.sign == b.sign && a.is_of_loop == b.is_of_loop;
}

void record(RunStatistics& statistics, double time, std::string what, double lost = 0) {
  if (statistics.events.size() < max_recorded)
    statistics.events.push_back({time, std::move(what), lost});
}

}  // namespace

EventLog::EventLog(const Model& model, const SimulationInputs& run_inputs, Workspace& workspace,
                   const RunOptions& options, double rank_slack)
    : model_(model),
      run_inputs_(run_inputs),
      workspace_(workspace),
      options_(options),
      seen_(model),
      modes_(model, run_inputs, workspace),
      values_(model, run_inputs),
      stops_(find_stops(model)),
      wheel_watch_(model),
      rank_watch_(rank_slack) {
  find_events();
  find_limits();
}

void EventLog::find_events() {
  const Values<double> value = evaluate_at_nominal(model_.description());
  for (const EventDescription& description : model_.description().events) {
    Crossing crossing{&description, -1,
                      value(description.time ? *description.time : description.value)};
    if (!description.time)
      if (Status status = values_.add(description, crossing.number); !status) {
        status_ = status;
        continue;
      }
    crossings_.push_back(crossing);
  }
  for (const EventFunction& function : options_.events) {
    if (!function.value) {
      status_ = Status::failure(
          fmt::format("event '{}' has no function: give it one", function.what.name));
      continue;
    }
    if (Status status = modes_.check(function.what); !status) status_ = status;
    crossings_.push_back({&function.what, values_.add(function), 0, &function});
  }
  has_crossings_ = std::ranges::any_of(crossings_, [](auto& c) { return !c.is_timed(); });
}

const EventDescription& EventLog::event(int k) const {
  const auto& description = model_.description().events;
  const std::size_t n = description.size();
  return std::size_t(k) < n ? description[std::size_t(k)]
                            : options_.events[std::size_t(k) - n].what;
}

void EventLog::find_limits() {
  for (std::size_t k = 0; k < model_.joints().size(); ++k) {
    const NamedJoint& joint = model_.joints()[k];
    if (!joint.limits.restitution.empty() || joint.role != NamedJoint::Role::tree) continue;
    if (joint.nq != joint.nv) continue;  // quaternions have no limits
    for (int c = 0; c < joint.nq; ++c) {
      const auto add = [&](const std::vector<double>& limit, double sign) {
        if (limit.empty()) return;
        const double at = limit.size() == 1 ? limit[0] : limit[std::size_t(c)];
        if (std::isfinite(at))
          limits_.push_back({{JointId(int(k)), joint.q_start + c, joint.v_start + c, sign, at, 0}});
      };
      add(joint.limits.lower, 1);
      add(joint.limits.upper, -1);
    }
  }
  for (const LoopLimit& limit : loop_limits(model_)) {
    const Closure& closure = model_.closures()[std::size_t(limit.closure)];
    if (!model_[*closure.named].limits.restitution.empty()) continue;  // a stop, not a plain limit
    if (limit.range.is_limited_below()) loop_limits_.push_back({limit, true});
    if (limit.range.is_limited_above()) loop_limits_.push_back({limit, false});
  }
}

std::vector<double> EventLog::loop_gaps(const State& state) {
  std::vector<double> gaps;
  if (loop_limits_.empty()) return gaps;
  kernel::kernels().kinematics({model_, model_.numbers()}, state.q, state.v, workspace_->zero,
                               *workspace_, workspace_->kinematics);
  for (const PassedLoop& passed : loop_limits_) {
    const double q = loop_coordinate(model_, passed.limit, workspace_->kinematics);
    gaps.push_back(passed.is_lower ? q - passed.at() : passed.at() - q);
  }
  return gaps;
}

std::vector<double> EventLog::times() const {
  std::vector<double> times;
  for (const Crossing& crossing : crossings_)
    if (crossing.is_timed()) times.push_back(crossing.value);
  return times;
}
bool EventLog::is_time(double time) const {
  return std::ranges::any_of(crossings_, [&](const Crossing& crossing) {
    return crossing.is_timed() && !crossing.is_over && crossing.value <= time;
  });
}

bool EventLog::is_holding(const Stop& stop) const {
  return std::ranges::any_of(modes_.holding(), [&](const Stop& s) { return is_same(s, stop); });
}
bool EventLog::is_met(const Stop& stop, const State& state) const {
  return gap(stop, state) <= 0 && gap_rate(stop, state) < 0;
}
bool EventLog::is_crossed(const Crossing& crossing) const {
  using Way = EventDescription::Way;
  if (crossing.is_over || crossing.is_timed()) return false;  // steps end at event times anyway
  if (crossing.begins) return false;  // leaving a threshold is not a crossing
  const double now = values_[crossing.number];
  if (std::isnan(now)) return false;  // of a loop that no longer exists
  const bool is_above = now > crossing.value;
  if (is_above == crossing.was_above) return false;
  return crossing.event->way == Way::both || is_above == (crossing.event->way == Way::up);
}
Status EventLog::evaluate_values(const State& state) {
  read_loops(state);
  return has_crossings_ ? values_.evaluate(modes_.now(state), seen_.loop_q) : Status();
}
Status EventLog::note_sides(const State& state) {
  if (Status status = evaluate_values(state); !status) return status;
  for (Crossing& crossing : crossings_) {
    if (crossing.is_timed()) continue;
    crossing.was_above = values_[crossing.number] > crossing.value;
    crossing.begins &= values_[crossing.number] == crossing.value;
  }
  return {};
}

Status EventLog::begin(State& state, RunStatistics& statistics) {
  if (!status_) return status_;
  read_loops(state);
  for (const Stop& stop : stops_)
    if (gap(stop, state) < -stop_tolerance)
      return Status::failure(fmt::format(
          "joint '{}' begins {:.6g} beyond its stop at {:.6g}: start it between its limits",
          model_[stop.joint].name, -gap(stop, state), stop.at));
  for (Passed& passed : limits_) passed.is_reported = passed.limit.gap(state) < 0;
  const std::vector<double> gaps = loop_gaps(state);
  for (std::size_t k = 0; k < gaps.size(); ++k) loop_limits_[k].is_reported = gaps[k] < 0;
  for (Crossing& crossing : crossings_) {  // events before the start are not part of the run
    crossing.is_over = crossing.is_timed() && crossing.value < state.time;
    crossing.begins = !crossing.is_timed();
  }
  if (Status status = note_sides(state); !status) return status;
  // events due at once, and stops that touch from the start
  return handle_events(state, statistics);
}

PastEvents EventLog::past() const {
  PastEvents past;
  past.events = events_;
  for (std::size_t k = 0; k < stops_.size(); ++k)
    if (is_holding(stops_[k])) past.holding.push_back(int(k));
  for (const Crossing& crossing : crossings_) {
    past.over.push_back(crossing.is_over);
    past.above.push_back(crossing.begins ? 2 : crossing.was_above);
  }
  for (const Passed& passed : limits_) past.reported.push_back(passed.is_reported);
  for (const PassedLoop& passed : loop_limits_) past.reported.push_back(passed.is_reported);
  for (const WheelWatch::Grip grip : wheel_watch_.grips()) past.grips.push_back(int(grip));
  return past;
}

Status EventLog::go_on_from(const PastEvents& past) {
  if (!status_) return status_;
  const std::size_t events = model_.description().events.size() + options_.events.size();
  const auto is_known = [](int k, std::size_t size) { return k >= 0 && std::size_t(k) < size; };
  if (past.over.size() != crossings_.size() || past.above.size() != crossings_.size() ||
      past.reported.size() != limits_.size() + loop_limits_.size() ||
      past.grips.size() != wheel_watch_.grips().size() ||
      !std::ranges::all_of(past.events, [&](auto& e) { return is_known(e.event, events); }) ||
      !std::ranges::all_of(past.holding, [&](int k) { return is_known(k, stops_.size()); }))
    return Status::failure(
        "the checkpoint has other events, stops or limits: it belongs to another run");
  for (std::size_t k = 0; k < crossings_.size(); ++k) {
    crossings_[k].is_over = past.over[k] != 0;
    crossings_[k].was_above = past.above[k] == 1;
    crossings_[k].begins = past.above[k] == 2;
  }
  for (std::size_t k = 0; k < limits_.size(); ++k) limits_[k].is_reported = past.reported[k] != 0;
  for (std::size_t k = 0; k < loop_limits_.size(); ++k)
    loop_limits_[k].is_reported = past.reported[limits_.size() + k] != 0;
  for (std::size_t k = 0; k < past.grips.size(); ++k)
    wheel_watch_.set_grip(k, WheelWatch::Grip(past.grips[k]));
  has_crossings_ = std::ranges::any_of(
      crossings_, [](const Crossing& c) { return !c.is_timed() && !c.is_over; });
  events_ = past.events;
  for (const PastEvents::Event& past_event : events_) {
    State met = past_event.state;
    double lost = 0;
    if (Status status = modes_.handle_events(event(past_event.event), met, lost); !status)
      return status;
  }
  std::vector<Stop> holding;
  for (const int k : past.holding) holding.push_back(stops_[std::size_t(k)]);
  return modes_.hold(holding);
}

Status EventLog::has_event(const State& state, bool& out) {
  if (Status status = evaluate_values(state); !status) return status;
  out = std::ranges::any_of(crossings_, [&](const Crossing& c) { return is_crossed(c); }) ||
        std::ranges::any_of(
            stops_, [&](const Stop& stop) { return !is_holding(stop) && is_met(stop, state); }) ||
        rank_watch_.has_locked(state);
  if (out || modes_.holding().empty()) return {};
  std::vector<double> pushes;
  if (Status status = modes_.pushes(state, pushes); !status) return status;
  out = std::ranges::any_of(pushes, [](double push) { return push < 0; });
  return {};
}

bool EventLog::is_over() const {
  return std::ranges::any_of(events_, [&](const auto& e) { return event(e.event).stops; });
}

Status EventLog::handle_events(State& state, RunStatistics& statistics) {
  if (rank_watch_.has_locked(state))
    if (Status status = lock(state, statistics); !status) return status;
  if (Status status = evaluate_values(state); !status) return status;
  for (std::size_t k = 0; k < crossings_.size(); ++k) {
    Crossing& crossing = crossings_[k];
    const bool is_due = crossing.is_timed() ? !crossing.is_over && crossing.value <= state.time
                                            : is_crossed(crossing);
    if (!is_due) continue;
    double lost = 0;
    const EventDescription& what = *crossing.event;
    crossing.is_over = crossing.is_timed() || !what.every;
    if (what.stops || changes(what)) events_.push_back({int(k), state});
    if (Status status = modes_.handle_events(what, state, lost); !status) return status;
    if (crossing.function != nullptr && crossing.function->then)
      if (Status status = let_change(*crossing.function, state); !status) return status;
    record(statistics, state.time, fmt::format("event '{}'", what.name), lost);
  }
  has_crossings_ = std::ranges::any_of(
      crossings_, [](const Crossing& c) { return !c.is_timed() && !c.is_over; });
  if (Status status = note_sides(state); !status) return status;
  return settle_stops(state, statistics);
}

// Applies the user's change of velocities, projected onto the loop and rolling constraints.
Status EventLog::let_change(const EventFunction& function, State& state) {
  const RunSnapshot now = modes_.now(state);
  State changed = state;
  function.then(now, changed.v);
  if (changed.v.size() != state.v.size())
    return Status::failure(fmt::format("event '{}' leaves {} velocities, the model has nv = {}",
                                       function.what.name, changed.v.size(), state.v.size()));
  for (std::size_t f = 0; f < changed.v.size(); ++f)
    if (!std::isfinite(changed.v[f]))
      return Status::failure(
          fmt::format("event '{}' makes the velocity of joint '{}' {}: give it a finite number",
                      function.what.name, model_.dof_name(int(f)), changed.v[f]));
  state.v = changed.v;
  if (!now.model.has_constraints() && !now.model.has_prescribed_joints()) return {};
  return project_velocity(now.model, state, now.workspace);
}

// Redundant rows have become independent: the velocity incompatible with the new row is removed, as
// by an impact.
Status EventLog::lock(State& state, RunStatistics& statistics) {
  const int before = rank_watch_.rank();
  const RunSnapshot now = modes_.now(state);
  if (Status status = enter(state); !status) return status;
  Energy moving, left;
  if (Status status = energy(now.model, state, now.workspace, moving); !status) return status;
  if (Status status = project_velocity(now.model, state, now.workspace); !status) return status;
  if (Status status = energy(now.model, state, now.workspace, left); !status) return status;
  record(statistics, state.time, describe_lock(before, rank_watch_.rank()),
         std::max(0.0, moving.kinetic - left.kinetic));
  return {};
}

Status EventLog::enter(const State& state, bool goes_on) {
  const RunSnapshot now = modes_.now(state);
  wheel_watch_.forget();
  acting_.reset();
  const std::vector<int> rows = generic_rows(now.model, now.workspace);
  rank_watch_.enter(now.model, state, int(rows.size()), goes_on, rows);
  return freeze_rank_at(state);
}

Status EventLog::freeze_rank_at(const State& state) {
  const RunSnapshot now = modes_.now(state);
  if (rank_watch_.rank_to_freeze() >= 0)
    return freeze_rank(now.model, state, now.workspace, rank_watch_.rank_to_freeze(),
                       rank_watch_.has_same_rows(state));
  unfreeze_rank(now.workspace);
  return {};
}

Status EventLog::settle_stops(State& state, RunStatistics& statistics) {
  // all touching stops take part in an impact, closed ones too
  std::vector<Stop> touching, resting, holding;
  bool is_impact = false;
  read_loops(state);
  for (const Stop& stop : stops_) {
    if (!is_holding(stop) && gap(stop, state) > stop_tolerance) continue;
    touching.push_back(stop);
    // low speeds of a closed stop are rounding
    is_impact |= gap_rate(stop, state) < (is_holding(stop) ? -options_.rest_speed : 0.0);
  }
  if (touching.empty() && modes_.holding().empty()) return {};
  const std::vector<Stop> closed_before = modes_.holding();
  const RunSnapshot free = modes_.released(state);
  if (is_impact) {
    Impact impact;
    if (Status status = strike(free.model, touching, free.workspace, state, impact); !status)
      return status;
    std::string names;
    for (std::size_t k = 0; k < touching.size(); ++k)
      if (impact.push[int(k)] > 0)
        names += (names.empty() ? "" : ", ") + name_of(model_, touching[k]);
    ++statistics.impacts;
    record(statistics, state.time, "impact on " + names, impact.lost);
    read_loops(state);
  }

  // slow stops come to rest, and close if they have to push
  for (const Stop& stop : touching)
    if (std::abs(gap_rate(stop, state)) < options_.rest_speed) resting.push_back(stop);
  std::vector<bool> pushing;
  if (Status status = find_pushing(free, resting, pushing); !status) return status;
  for (std::size_t k = 0; k < resting.size(); ++k)
    if (pushing[k]) holding.push_back(resting[k]);
  for (const Stop& stop : holding)
    if (std::ranges::none_of(closed_before, [&](const Stop& s) { return is_same(s, stop); }))
      record(statistics, state.time, name_of(model_, stop) + " holds");
  for (const Stop& stop : closed_before)
    if (std::ranges::none_of(holding, [&](const Stop& s) { return is_same(s, stop); }))
      record(statistics, state.time, name_of(model_, stop) + " lets go");
  if (Status status = modes_.hold(holding); !status || holding.empty()) return status;
  const RunSnapshot after = modes_.now(state);
  return project_velocity(after.model, state, after.workspace);  // removes the remaining speed
}

Status EventLog::record_step(const StepTaken& step, RunStatistics& statistics) {
  std::vector<EventRecord> found, of_wheels;
  rank_watch_.check_step(step, found);
  if (Status status = freeze_rank_at(step.end); !status) return status;
  wheel_watch_.check_step(
      step, [this](const State& state, auto& out) { return loads_at(state, out); }, of_wheels);
  std::ranges::move(of_wheels, std::back_inserter(found));
  record_passed_limits(step.end, found);
  std::ranges::stable_sort(found, {}, &EventRecord::time);
  for (EventRecord& event_record : found)
    record(statistics, event_record.time, std::move(event_record.what));
  return {};
}

bool EventLog::loads_at(const State& state, std::vector<WheelLoad>& out) {
  const RunSnapshot now = modes_.now(state);
  if (!acting_) acting_.emplace(now.model);
  now.run_inputs.evaluate(state, *acting_);
  return wheel_loads(now.model, state, now.run_inputs.inputs(*acting_), now.workspace, out).ok();
}

void EventLog::record_passed_limits(const State& state, std::vector<EventRecord>& out) {
  for (Passed& passed : limits_) {
    if (passed.is_reported || passed.limit.gap(state) >= 0) continue;
    passed.is_reported = true;
    out.push_back({state.time,
                   fmt::format("{} ({:.6g}) {}", name_of(model_, passed.limit), passed.limit.at,
                               event_words::limit_passed),
                   0});
  }
  const std::vector<double> gaps = loop_gaps(state);
  for (std::size_t k = 0; k < gaps.size(); ++k) {
    PassedLoop& passed = loop_limits_[k];
    if (passed.is_reported || gaps[k] >= 0) continue;
    passed.is_reported = true;
    out.push_back(
        {state.time,
         fmt::format("the {} limit of {} ({:.6g}) {}", passed.is_lower ? "lower" : "upper",
                     name_of(model_, passed.limit), passed.at(), event_words::limit_passed),
         0});
  }
}

}  // namespace trammel
