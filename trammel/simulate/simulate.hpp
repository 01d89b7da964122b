#pragma once

#include <functional>

#include "trammel/simulate/event_function.hpp"
#include "trammel/simulate/moment.hpp"
#include "trammel/simulate/stepper.hpp"

namespace trammel {

struct RunOptions {
  double duration = 10;  // [s]
  Method method = Method::dormand_prince;
  // How far one step may be wrong, of methods that choose their step: relative to a radian, to the
  // mechanism's length, to a velocity; and at least.
  double relative = 1e-8, absolute = 1e-10;
  // [s] Of methods with a fixed step, the step; of the others, the longest. 0: they choose.
  double step = 0;
  // [s] From one sample to the next; 0: at every step. The first and the last moment are always
  // there.
  double sample = 0;
  std::vector<double> at = {};  // [s] after the start: samples there too; steps end at them
  long most_steps = 100'000'000;
  // [rad/s] or [m/s] A stop that is met more slowly than this holds, as long as it has to push.
  double rest_speed = 1e-4;
  std::vector<EventFunction> events = {};  // beside those of the description
};

// Something that happened on the way: an event of the description, an impact, a stop that holds or
// lets go, a limit that was passed, a singular pose.
struct Happening {
  double time = 0;
  std::string what;
  double lost = 0;  // kinetic energy [J]
};

// How it went.
struct RunFacts {
  double end = 0;  // time that was reached
  long steps = 0, rejected = 0;
  long slopes = 0;                         // how often accelerations were asked for
  double shortest = 0, longest = 0;        // step that was taken
  std::vector<Happening> happenings = {};  // in order; the first thousand
  long impacts = 0;
};

// What had happened up to a moment, so far as it matters for what comes.
struct PastHappenings {
  struct Event {
    int event = 0;  // of the description; then of the options
    State state;    // that it met
  };
  std::vector<Event> events;     // in their order
  std::vector<int> holding;      // stops
  std::vector<int> over, above;  // events: done with, above their value (2: on it since the start)
  std::vector<int> told, grips;  // limits; wheels
};

// A run in the middle of itself, at the end of a step: all that it needs to go on to the same
// numbers, bit for bit.
struct Checkpoint {
  State state;
  std::vector<double> y_dot;  // the slope there; empty: at a corner, where it jumps
  double start = 0;           // time at which the run began
  double h = 0, last_miss = 0;
  bool was_rejected = false;
  long samples = 0, grid = 0;  // how many are behind
  RunFacts facts;
  PastHappenings past = {};
};
struct Checkpoints {
  const Checkpoint* from = nullptr;  // goes on from there; the state it is given plays no part
  // After a step that is_due, `keep` is shown where it is; of methods that remember earlier steps
  // (radau, bdf) where they forget them. What it returns stops the run if it is a failure. Every
  // sample up to there has been watched.
  std::function<bool()> is_due = {};
  std::function<Status(const Checkpoint& checkpoint)> keep = {};
};

// How does it move from here on, driven so? Leaves `state` where it came to.
//
// The state must be closed (assemble it), the run begins at its time. Between the corners of
// signals steps are as long as the error allows; they end at corners. Where a step cannot be taken
// (a motion that blows up, a singular pose with no way through) it stops there and says when, which
// joint and why; everything up to there has been shown.
//
// What the description says of events happens when it is time, to the last bits of it; limits with
// a restitution are stops. Limits without one are told of when they are passed.
[[nodiscard]] Status simulate(const Model& model, State& state, const Drives& drives,
                              const RunOptions& options, Workspace& workspace, const Watch& watch,
                              RunFacts& facts, const Checkpoints& checkpoints = {});

}  // namespace trammel
