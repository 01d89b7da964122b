#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>

#include "trammel/dynamics/batch.hpp"
#include "trammel/simulate/simulate.hpp"
#include "trammel/simulate/stepper.hpp"

namespace trammel {

struct BatchRunOptions {
  double duration = 10;         // [s]
  Method method = Method::rk4;  // or semi_implicit_euler: all runs take the same steps
  double step = 1e-3;           // [s]
  double sample = 0;            // [s] from one sample to the next; 0: only the start and the end
  // [s] Wall-clock time after which all runs end where they are. 0: no limit.
  double wall_limit = 0;
  // Called now and then from the caller's thread; a failure ends all runs where they are.
  std::function<Status()> interrupt = {};
};

// Where every run was, sample by sample: column r of q (nq x runs) and v (nv x runs) is run r.
struct BatchMotion {
  std::vector<double> times;
  std::vector<Eigen::MatrixXd> q, v;  // one a time
  // By run: when and why it could not go on, and empty if it could; it stays where it was then.
  std::vector<std::string> stopped;
  // By run: singular poses that it passed; with them, and of models with events and stops,
  // everything that simulate() reports.
  std::vector<std::vector<Happening>> happenings;
};

// How do many runs of one model move, each from its own start at time 0, all driven the same way?
//
// The same steps as simulate() with the same method and step, and the same numbers to rounding;
// runs stand side by side in vector registers and are shared among the threads of the workspace,
// with the same bits for any number of them. Where lanes cannot honour something (joints driven by
// motion, springs between points, wrenches, drives of loop joints) every run is asked by itself;
// with events and stops each goes its own way, as simulate() does. So does a run whose loops come
// near a singular pose: it is followed again from its start by simulate(), which crosses the pose
// on the branch of continuous velocity and reports it.
// Functions of the drives are called from several threads at once. Cost O(runs steps bodies /
// lanes). Fails, naming the first, if runs stopped or were interrupted; `out` holds what there is.
[[nodiscard]] Status simulate_batch(const Model& model, const States& starts, const Drives& drives,
                                    const BatchRunOptions& options, BatchWorkspace& workspace,
                                    BatchMotion& out);

}  // namespace trammel
