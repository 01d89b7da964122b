// Options of a motion over time: initial state, inputs and mode.
#pragma once

#include "run_options.hpp"
#include "state_options.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel::cli {

class MotionOptions {
 public:
  // Call after RunChoices::offer.
  void offer(CLI::App& app);

  // Throws UsageError for an unknown mode, and for options that apply to a single state only.
  void check() const;
  void use(const ThreadsOption& threads) { state_.use(threads); }
  StateAndInputs state_and_inputs(const Model& model) const {
    return state_.state_and_inputs(model);
  }
  void warn_about_angles(const Model& model, const Terminal& terminal) const {
    state_.warn_about_angles(model, terminal);
  }
  // Moves the start to the beginning of the prescribed motions; throws if given values contradict.
  void set_prescribed_state(const Model& model, const SimulationInputs& run_inputs,
                            StateAndInputs& state_and_inputs) const;
  // Inputs of the model, plus constant efforts and wrenches of the command line.
  SimulationInputs run_inputs(const Model& model, const StateAndInputs& state_and_inputs) const;
  const std::string& state_file() const { return state_.file(); }
  const std::string& mode() const { return mode_; }
  // simulate, simulate_kinematic or simulate_static
  using Follow = Status (*)(const Model& model, State& state, const SimulationInputs& run_inputs,
                            const RunOptions& options, Workspace& workspace,
                            const Observer& observer, RunStatistics& statistics,
                            const Checkpoints& checkpoints);
  Follow follow() const;

 private:
  StateOptions state_;
  std::string mode_ = "dynamic";
};

}  // namespace trammel::cli
