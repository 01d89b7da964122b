#pragma once

#include <functional>

#include "trammel/simulate/events/event_function.hpp"
#include "trammel/simulate/integrate/integrator.hpp"
#include "trammel/simulate/run_snapshot.hpp"

namespace trammel {

// Progress of a run after one trial step, accepted or rejected.
struct StepReport {
  double time = 0;  // [s] reached
  double step = 0;  // [s] length of the step
  long steps = 0, rejected = 0;
};
using StepObserver = std::function<Status(const StepReport& report)>;

// Options of simulate(): duration, integration method and its accuracy, sample times, events, and
// limits of the run.
struct RunOptions {
  double duration = 10;  // [s]
  Method method = Method::dormand_prince;
  // Tolerances of the local error, for methods with step size control. Allowed per step: for a
  // position (relative + absolute) * unit, with unit = 1 rad or the characteristic length of the
  // mechanism; for a velocity or a state z of a controller relative * |value| + absolute * unit.
  double relative = 1e-8, absolute = 1e-10;
  // [s] Methods with fixed steps: the step size. Others: the largest step; 0: no limit.
  double step = 0;
  // [s] Sampling interval; 0: a sample at every step. The start and the end are always sampled.
  double sample = 0;
  std::vector<double> at = {};  // [s] additional sample times after the start; steps end there
  long most_steps = 100'000'000;
  // [rad/s] or [m/s] A stop that is touched with less speed than this stays closed for as long as
  // it has to push.
  double rest_speed = 1e-4;
  std::vector<EventFunction> events = {};  // in addition to those of the description
  // [s] Limit of the wall-clock time; the run then ends as interrupted. 0: no limit.
  double wall_limit = 0;
  // Called after every trial step; in a run along prescribed motion, after every sample. A failure
  // ends the run as interrupted: this is the way to cancel a run from outside.
  StepObserver each_step = {};
};

// Record of an event in a run: an event of the description, an impact, a stop that closes or opens,
// a joint limit that is passed, a singular pose.
struct EventRecord {
  double time = 0;
  std::string what;
  double lost = 0;  // [J] kinetic energy lost
};

// Statistics of a run.
struct RunStatistics {
  double end = 0;  // time reached
  long steps = 0, rejected = 0;
  long evaluations = 0;                  // evaluations of the right-hand side
  double shortest = 0, longest = 0;      // accepted step
  std::vector<EventRecord> events = {};  // in order of time; the first 1000
  long impacts = 0;
  // Ended by RunOptions::wall_limit or RunOptions::each_step: the run can be continued.
  bool is_interrupted = false;
};

// Event history up to a checkpoint, as far as the rest of the run depends on it.
struct PastEvents {
  struct Event {
    int event = 0;  // index: events of the description, then those of the options
    State state;    // at which it happened
  };
  std::vector<Event> events;         // in order of time
  std::vector<int> holding;          // indices of closed stops
  std::vector<int> over, above;      // per event: finished; above its threshold (2: on it since the
                                     // start)
  std::vector<int> reported, grips;  // limits already reported; grip of wheels
};

// Checkpoint of a run at the end of a step: all data needed to continue it with bitwise identical
// results.
struct Checkpoint {
  State state;
  std::vector<double> y_dot;  // dy/dt at the state; empty at a breakpoint, where it jumps
  double start = 0;           // time at which the run began
  double h = 0, last_miss = 0;
  bool was_rejected = false;
  long samples = 0, grid = 0;  // samples and fixed steps completed
  RunStatistics statistics;
  PastEvents past = {};
};
struct Checkpoints {
  const Checkpoint* from = nullptr;  // continues from there; the `state` argument is ignored
  // After a step for which is_due() holds, `keep` receives a checkpoint; for methods with a history
  // (radau, bdf) at the next step after which the history is discarded. A failure of `keep` stops
  // the run. All samples up to the checkpoint have been passed to the observer.
  std::function<bool()> is_due = {};
  std::function<Status(const Checkpoint& checkpoint)> keep = {};
};

// Time integration of the equations of motion from `state`, with the given inputs. Leaves `state`
// at the last state reached.
//
// The state must satisfy the loop constraints (assemble it first); the run begins at its time.
// Between the breakpoints of the signals the step size follows from the local error; steps end at
// breakpoints. If no step is possible (the solution diverges, or a singular pose cannot be
// crossed), the run stops and the failure names the time, the joint and the reason; all samples up
// to there have been passed to the observer.
//
// Events of the description are located to the last bits of the time. Joint limits with a
// restitution are stops; limits without one are only reported when they are passed.
//
// An interrupted run (wall_limit, each_step) fails with the time reached and sets
// RunStatistics::is_interrupted. With `checkpoints.keep` it first continues to the next point at
// which the method can be restarted, and writes a checkpoint there.
[[nodiscard]] Status simulate(const Model& model, State& state, const SimulationInputs& run_inputs,
                              const RunOptions& options, Workspace& workspace,
                              const Observer& observer, RunStatistics& statistics,
                              const Checkpoints& checkpoints = {});

}  // namespace trammel
