// What may happen in a run, besides motion: events of the description, stops that are met or let
// go, limits that are passed, rows that begin to depend on each other. For this room only.
#pragma once

#include "trammel/simulate/modes.hpp"
#include "trammel/simulate/rank_watch.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel {

class Happenings {
 public:
  Happenings(const Model& model, const Drives& drives, Workspace& workspace, double rest_speed);

  Modes& modes() { return modes_; }
  // Times of events, at which steps have to end.
  std::vector<double> times() const;
  bool is_time(double time) const;
  // Whether something is to be looked for in each step.
  bool are_watched() const { return !stops_.empty() || has_crossings_; }

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
  // At the moment: events, impacts, stops that hold or let go; all of it goes to facts.
  [[nodiscard]] Status happen(State& state, RunFacts& facts);
  // Whether an event has happened that ends the run.
  bool is_over() const;
  // Limits without a restitution, told of once each, and wheels that would have to be pulled down.
  void look_at_limits(const State& state, RunFacts& facts);
  void look_at_wheels(const State& state, RunFacts& facts);
  // Whether rows began or ceased to depend on each other in a step.
  void look_at_rank(const StepTaken& step, RunFacts& facts);

 private:
  struct Crossing {
    const EventDescription* event;
    int q;         // the coordinate; -1: it is a time
    double value;  // of the coordinate, or the time
    bool is_over = false;
    bool was_above = false;  // where it was when the last step began
  };
  struct Passed {
    Stop limit;
    bool is_told = false;
  };
  bool is_crossed(const Crossing& crossing, const State& state) const;
  bool is_met(const Stop& stop, const State& state) const;
  bool is_holding(const Stop& stop) const;
  void note_sides(const State& state);
  Status settle_stops(State& state, RunFacts& facts);

  const Model& model_;
  Modes modes_;
  double rest_speed_;
  bool has_crossings_ = false;
  Status stops_status_;
  std::vector<Stop> stops_;
  std::vector<Passed> limits_;
  std::vector<Crossing> crossings_;
  std::vector<PastHappenings::Event> events_;  // that have happened
  enum class Grip { holds, slips, lifts };
  std::vector<Grip> grips_;  // per wheel; none: no wheel carries anything
  RankWatch rank_watch_;
  bool is_rank_watched_ = false;  // it knows the mechanism as it is
};

}  // namespace trammel
