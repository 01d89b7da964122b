#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>

#include "trammel/dynamics/batch.hpp"
#include "trammel/simulate/integrate/integrator.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel {

// Options of simulate_batch(), the same for all runs; methods with fixed steps only.
struct BatchRunOptions {
  double duration = 10;         // [s]
  Method method = Method::rk4;  // or semi_implicit_euler: all runs take the same steps
  double step = 1e-3;           // [s]
  double sample = 0;            // [s] sampling interval; 0: only the start and the end
  // [s] Limit of the wall-clock time, after which all runs end where they are. 0: no limit.
  double wall_limit = 0;
  // Called repeatedly from the caller's thread; a failure ends all runs where they are.
  std::function<Status()> interrupt = {};
};

// Samples of all runs: column r of q (nq x runs) and v (nv x runs) belongs to run r.
struct BatchMotion {
  std::vector<double> times;
  std::vector<Eigen::MatrixXd> q, v;  // one per time
  // Per run: time and reason of an early end, empty if there was none; the state then stays
  // constant.
  std::vector<std::string> stopped;
  // Per run: event records. All that simulate() reports, for runs that pass singular poses and for
  // models with events or stops; otherwise empty.
  std::vector<std::vector<EventRecord>> events;
};

// Simulation of many runs of one model, each from its own start at time 0, all with the same
// inputs.
//
// Takes the same steps as simulate() with the same method and step, with results equal to rounding.
// Runs are packed into SIMD lanes and distributed over the threads of the workspace; results are
// bitwise independent of the number of threads. For models and inputs outside the SIMD kernels
// (wheels, joints driven by motion, springs between points, contacts, wrenches, inputs of loop
// joints) every run is evaluated by itself. With events or stops each run is a separate call of
// simulate(). A run whose loops come near a singular pose is repeated from its start by simulate(),
// which crosses the pose on the branch of continuous velocity and reports it. User-defined
// functions of the inputs are called from several threads at once. Cost O(runs steps bodies /
// lanes). Fails, naming the first, if runs stopped or were interrupted; `out` holds the results up
// to there.
[[nodiscard]] Status simulate_batch(const Model& model, const States& starts,
                                    const SimulationInputs& run_inputs,
                                    const BatchRunOptions& options, BatchWorkspace& workspace,
                                    BatchMotion& out);

}  // namespace trammel
