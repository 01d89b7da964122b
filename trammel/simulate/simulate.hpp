#pragma once

#include <functional>

#include "trammel/simulate/event_function.hpp"
#include "trammel/simulate/moment.hpp"
#include "trammel/simulate/stepper.hpp"

namespace trammel {

// Where a run is after one trial step, accepted or rejected.
struct StepReport {
  double time = 0;  // [s] reached
  double step = 0;  // [s] length of the step
  long steps = 0, rejected = 0;
};
using StepWatch = std::function<Status(const StepReport& report)>;

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
  // [s] Wall-clock time after which the run ends, as an interruption does. 0: no limit.
  double wall_limit = 0;
  // Called after every trial step, in a run along prescribed motion after every sample. A failure
  // ends the run as an interruption: it is the way to cancel from outside.
  StepWatch each_step = {};
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
  // Ended by RunOptions::wall_limit or RunOptions::each_step: the run could have gone on.
  bool is_interrupted = false;
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
//
// A run that is interrupted (wall_limit, each_step) fails with the time it reached, and sets
// facts.is_interrupted. With `checkpoints.keep` it goes on to the next place where the method can
// be continued, and keeps a checkpoint there.
[[nodiscard]] Status simulate(const Model& model, State& state, const Drives& drives,
                              const RunOptions& options, Workspace& workspace, const Watch& watch,
                              RunFacts& facts, const Checkpoints& checkpoints = {});

}  // namespace trammel
