// What may happen in a run, besides motion: events of the description, stops that are met or let
// go, limits that are passed, rows that begin to depend on each other. For this room only.
#pragma once

#include "trammel/constraint/hold_rank.hpp"
#include "trammel/constraint/limits.hpp"
#include "trammel/simulate/event_values.hpp"
#include "trammel/simulate/modes.hpp"
#include "trammel/simulate/rank_watch.hpp"
#include "trammel/simulate/simulate.hpp"
#include "trammel/simulate/wheel_watch.hpp"

namespace trammel {

class Happenings {
 public:
  // `rank_slack`: as RankWatch has it.
  Happenings(const Model& model, const Drives& drives, Workspace& workspace,
             const RunOptions& options, double rank_slack);
  ~Happenings() { release_rank(workspace_); }

  Modes& modes() { return modes_; }
  // Times of events, at which steps have to end.
  std::vector<double> times() const;
  bool is_time(double time) const;
  // Whether something is to be looked for in each step.
  bool are_watched() const {
    return !stops_.empty() || has_crossings_ || rank_watch_.held() >= 0 || !status_.ok();
  }

  // A run begins at this state: fails where it is beyond a stop, or with stops that are not
  // followed. Stops that are met hold or let go.
  [[nodiscard]] Status begin(State& state, RunFacts& facts);
  // All that a run which goes on has to know of them, and how it comes to know: the mechanism is
  // made anew as events and stops had left it.
  PastHappenings past() const;
  [[nodiscard]] Status go_on_from(const PastHappenings& past);
  // Does a state lie behind something that happens on the way from where it was last? Stays so from
  // the moment it happens on.
  [[nodiscard]] Status has_happened(const State& state, bool& out);
  // Might something have been there and back before the state that was last asked for?
  bool may_have_passed() const {
    return !stops_.empty() || has_crossings_ || rank_watch_.is_near_locking();
  }
  // At the moment: events, impacts, stops that hold or let go; all of it goes to facts.
  [[nodiscard]] Status happen(State& state, RunFacts& facts);
  // As RankWatch has it.
  RankWatch& rank_watch() { return rank_watch_; }
  // Whether an event has happened that ends the run.
  bool is_over() const;
  // The mechanism is at this state, and it may be another one from here on, or go on as it was.
  [[nodiscard]] Status enter(const State& state, bool goes_on = false);
  // What is told of a step and changes nothing: rows that began or ceased to depend on each other,
  // wheels that would have to be pulled down or would slip, limits without a restitution that were
  // passed (once each). Fails where wheels slip that nothing but the rank of a run let them.
  [[nodiscard]] Status look_back(const StepTaken& step, RunFacts& facts);
  // Nothing has happened up to here: notes on which side of its value everything is that events
  // wait for.
  [[nodiscard]] Status go_on(const State& state) { return note_sides(state); }

 private:
  struct Crossing {
    const EventDescription* event;
    int number;    // of what it waits for among values_; -1: it is a time
    double value;  // that this crosses, or the time
    const EventFunction* function = nullptr;  // of an event of the options
    bool is_over = false;
    bool was_above = false;  // where it was when the last step began
    bool begins = false;     // the run began on the very value, which it has not left yet
    bool is_timed() const { return number < 0; }
  };
  struct Passed {
    Stop limit;
    bool is_told = false;
  };
  // The same of a joint that closes a loop, whose coordinate follows from the others.
  struct PassedLoop {
    LoopLimit limit;
    bool is_lower;
    bool is_told = false;
    double at() const { return is_lower ? limit.range.lower : limit.range.upper; }
  };
  void find_events();
  void find_limits();
  const EventDescription& event(int k) const;  // of the description, then of the options
  // Per loop limit: how far it is from being passed, below 0 if it is.
  std::vector<double> loop_gaps(const State& state);
  bool is_crossed(const Crossing& crossing) const;  // as values_ are now
  bool is_met(const Stop& stop, const State& state) const;
  double gap(const Stop& stop, const State& state) const { return stop.gap(state, seen_.loop_q); }
  double gap_rate(const Stop& stop, const State& state) const {
    return stop.gap_rate(state, seen_.loop_v);
  }
  // What all these ask of joints that close loops.
  void see(const State& state) { drives_.read_loops(state, seen_); }
  bool is_holding(const Stop& stop) const;
  [[nodiscard]] Status look_at_values(const State& state);
  [[nodiscard]] Status note_sides(const State& state);
  Status let_change(const EventFunction& function, State& state);
  Status settle_stops(State& state, RunFacts& facts);
  Status lock(State& state, RunFacts& facts);
  bool contacts_at(const State& state, std::vector<WheelContact>& out);
  void look_at_limits(const State& state, std::vector<Happening>& out);
  Status hold_rank_at(const State& state);

  const Model& model_;
  const Drives& drives_;
  Workspace& workspace_;  // of the model as it began
  const RunOptions& options_;
  Drives::Acting seen_;                   // only where loop joints stand is of interest
  std::optional<Drives::Acting> acting_;  // on the wheels; of the mechanism as it is
  Modes modes_;
  EventValues values_;
  bool has_crossings_ = false;
  Status status_;
  std::vector<Stop> stops_;
  std::vector<Passed> limits_;
  std::vector<PassedLoop> loop_limits_;
  std::vector<Crossing> crossings_;
  std::vector<PastHappenings::Event> events_;  // that have happened
  WheelWatch wheel_watch_;
  RankWatch rank_watch_;
};

}  // namespace trammel
