// Events of a run: events of the description and the options, stops that close or open, limits that
// are passed, changes of the rank of the constraint rows. Internal to this module.
#pragma once

#include "trammel/constraint/equations/limits.hpp"
#include "trammel/constraint/solver/freeze_rank.hpp"
#include "trammel/simulate/events/event_values.hpp"
#include "trammel/simulate/events/modes.hpp"
#include "trammel/simulate/events/rank_watch.hpp"
#include "trammel/simulate/events/wheel_watch.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel {

class EventLog {
 public:
  // `rank_slack`: see RankWatch.
  EventLog(const Model& model, const SimulationInputs& run_inputs, Workspace& workspace,
           const RunOptions& options, double rank_slack);
  ~EventLog() { unfreeze_rank(workspace_); }

  Modes& modes() { return modes_; }
  // Times of timed events, at which steps must end.
  std::vector<double> times() const;
  bool is_time(double time) const;
  // Whether each step must be checked for events.
  bool are_watched() const {
    return !stops_.empty() || has_crossings_ || rank_watch_.rank_to_freeze() >= 0 || !status_.ok();
  }

  // Start of a run at this state: fails if it is past a stop, or if an event is not valid. Stops
  // that touch close or open.
  [[nodiscard]] Status begin(State& state, RunStatistics& statistics);
  // Event history for a checkpoint, and its restoration: the model is rebuilt as events and stops
  // had left it.
  PastEvents past() const;
  [[nodiscard]] Status go_on_from(const PastEvents& past);
  // Whether an event lies between the last accepted state and this one. Monotonic: stays true after
  // the event.
  [[nodiscard]] Status has_event(const State& state, bool& out);
  // Whether an event may have happened and reverted before the state that was checked last.
  bool may_have_passed() const {
    return !stops_.empty() || has_crossings_ || rank_watch_.is_near_locking();
  }
  // Executes what is due at this state: events, impacts, stops that close or open; all are
  // recorded.
  [[nodiscard]] Status handle_events(State& state, RunStatistics& statistics);
  RankWatch& rank_watch() { return rank_watch_; }
  bool needs_wheel_loads() const { return wheel_watch_.is_needed(); }
  // Whether an event that ends the run has happened.
  bool is_over() const;
  // Enters the model that is valid at this state, after a change or, with `goes_on`, unchanged.
  [[nodiscard]] Status enter(const State& state, bool goes_on = false);
  // Records what happened in a step without an effect on it: rows that became dependent or
  // independent, wheels that would need tension or would slip, limits without a restitution that
  // were passed (once each). Fails if wheels slip only because the rank is frozen.
  [[nodiscard]] Status record_step(const StepTaken& step, RunStatistics& statistics);
  // No event up to this state: stores on which side of its threshold each event value is.
  [[nodiscard]] Status go_on(const State& state) { return note_sides(state); }

 private:
  struct Crossing {
    const EventDescription* event;
    int number;                               // index in values_; -1: timed event
    double value;                             // threshold, or the time
    const EventFunction* function = nullptr;  // event of the options
    bool is_over = false;
    bool was_above = false;  // at the beginning of the last step
    bool begins = false;     // the run began exactly on the threshold and has not left it
    bool is_timed() const { return number < 0; }
  };
  struct Passed {
    Stop limit;
    bool is_reported = false;
  };
  // The same for a loop joint, whose coordinate follows from the tree.
  struct PassedLoop {
    LoopLimit limit;
    bool is_lower;
    bool is_reported = false;
    double at() const { return is_lower ? limit.range.lower : limit.range.upper; }
  };
  void find_events();
  void find_limits();
  const EventDescription& event(int k) const;  // events of the description, then of the options
  // Per limit of a loop joint: distance to the limit, negative if passed.
  std::vector<double> loop_gaps(const State& state);
  bool is_crossed(const Crossing& crossing) const;  // with the current values_
  bool is_met(const Stop& stop, const State& state) const;
  double gap(const Stop& stop, const State& state) const { return stop.gap(state, seen_.loop_q); }
  double gap_rate(const Stop& stop, const State& state) const {
    return stop.gap_rate(state, seen_.loop_v);
  }
  // Reads the loop joints that stops and events need.
  void read_loops(const State& state) { run_inputs_.read_loops(state, seen_); }
  bool is_holding(const Stop& stop) const;
  [[nodiscard]] Status evaluate_values(const State& state);
  [[nodiscard]] Status note_sides(const State& state);
  Status let_change(const EventFunction& function, State& state);
  Status settle_stops(State& state, RunStatistics& statistics);
  Status lock(State& state, RunStatistics& statistics);
  bool loads_at(const State& state, std::vector<WheelLoad>& out);
  void record_passed_limits(const State& state, std::vector<EventRecord>& out);
  Status freeze_rank_at(const State& state);

  const Model& model_;
  const SimulationInputs& run_inputs_;
  Workspace& workspace_;  // of the initial model
  const RunOptions& options_;
  SimulationInputs::Acting seen_;                   // used for the coordinates of loop joints only
  std::optional<SimulationInputs::Acting> acting_;  // for wheel loads; of the current model
  Modes modes_;
  EventValues values_;
  bool has_crossings_ = false;
  Status status_;
  std::vector<Stop> stops_;
  std::vector<Passed> limits_;
  std::vector<PassedLoop> loop_limits_;
  std::vector<Crossing> crossings_;
  std::vector<PastEvents::Event> events_;  // that have happened
  WheelWatch wheel_watch_;
  RankWatch rank_watch_;
};

}  // namespace trammel
