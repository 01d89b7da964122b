// Simulation of a model, with all samples and the statistics of the run.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/equations/closure_error.hpp"
#include "trammel/dynamics/energy.hpp"
#include "trammel/dynamics/momentum.hpp"
#include "trammel/read/load.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel {

struct MotionOf {
  explicit MotionOf(Model model_) : model(std::move(model_)), workspace(model), run_inputs(model) {
    const Status status = assembled_start(model, workspace, state);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  explicit MotionOf(const std::string& gallery) : MotionOf(load_model("@" + gallery)) {}

  // Continues the run for a duration; stores every sample.
  Status go(double duration, RunOptions options = precise()) {
    options.duration = duration;
    return simulate(
        model, state, run_inputs, options, workspace,
        [this](const State& seen) {
          samples.push_back(seen);
          return Status();
        },
        statistics);
  }
  // Continues the run to a time and returns the state there.
  const State& at(double time, const RunOptions& options = precise()) {
    if (time > state.time) {
      const Status status = go(time - state.time, options);
      EXPECT_TRUE(status.ok()) << status.message();
    }
    return state;
  }
  double energy_now() {
    Energy now;
    EXPECT_TRUE(energy(model, state, workspace, now).ok());
    return now.total();
  }
  // Largest change of energy over the samples, and largest constraint violation of the loops.
  double energy_change() {
    Energy first, now;
    EXPECT_TRUE(energy(model, samples.front(), workspace, first).ok());
    double largest = 0;
    for (const State& seen : samples) {
      EXPECT_TRUE(energy(model, seen, workspace, now).ok());
      largest = std::max(largest, std::abs(now.total() - first.total()));
    }
    return largest;
  }
  ClosureError largest_violation() {
    ClosureError largest;
    for (const State& seen : samples) {
      const ClosureError error = closure_error(model, seen, workspace);
      largest.position = std::max(largest.position, error.position);
      largest.velocity = std::max(largest.velocity, error.velocity);
    }
    return largest;
  }
  double q(const std::string& joint, int k = 0) const {
    return state.q[std::size_t(model[*model.find_joint(joint)].q_start + k)];
  }
  double v(const std::string& joint, int k = 0) const {
    return state.v[std::size_t(model[*model.find_joint(joint)].v_start + k)];
  }

  // Tolerances so small that the published digits are the only uncertainty.
  static RunOptions precise() {
    RunOptions options;
    options.relative = 1e-11;
    options.absolute = 1e-13;
    return options;
  }

  Model model;
  Workspace workspace;
  SimulationInputs run_inputs;
  State state;
  RunStatistics statistics;
  std::vector<State> samples;
};

// Checks that every number is within `tolerance` of the published one.
inline void expect_near(std::span<const double> found, const std::vector<double>& published,
                        double tolerance, const std::string& what) {
  ASSERT_EQ(found.size(), published.size()) << what;
  std::size_t k = 0;
  for (const double number : published) {
    EXPECT_NEAR(found[k], number, tolerance) << what << ", entry " << k;
    ++k;
  }
}

// Largest difference between two states of one model, over all degrees of freedom.
inline double apart(const Model& model, const State& one, const State& other) {
  std::vector<double> d(one.v.size());
  difference(model, one.q, other.q, d);
  double largest = 0;
  for (std::size_t k = 0; k < d.size(); ++k)
    largest = std::max({largest, std::abs(d[k]), std::abs(one.v[k] - other.v[k])});
  return largest;
}

}  // namespace trammel
