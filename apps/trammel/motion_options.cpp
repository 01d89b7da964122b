#include "motion_options.hpp"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "trammel/simulate/inputs/prescribed_start.hpp"
#include "trammel/simulate/kinematic.hpp"
#include "trammel/simulate/static.hpp"

namespace trammel::cli {

void MotionOptions::offer(CLI::App& app) {
  state_.offer_over_time(app);
  app.add_option("--mode", mode_,
                 "dynamic; kinematic: along the prescribed motions, without forces; or "
                 "static: the same, with the efforts that hold it still")
      ->type_name("MODE");
}

void MotionOptions::check() const {
  if (mode_ != "dynamic" && mode_ != "kinematic" && mode_ != "static")
    throw UsageError(fmt::format("option --mode is '{}'", mode_),
                     "it takes dynamic, kinematic or static");
  for (const char* option : {"--a", "--ground-velocity", "--ground-acceleration"})
    if (state_.gives(option))
      throw UsageError(fmt::format("option {} gives a value at one state only", option),
                       "give a motion over time in the model, as [input.NAME]");
}

SimulationInputs MotionOptions::run_inputs(const Model& model,
                                           const StateAndInputs& state_and_inputs) const {
  SimulationInputs run_inputs(model);
  try {
    for (std::size_t f = 0; f < state_and_inputs.tau.size(); ++f)
      if (state_and_inputs.tau[f] != 0)
        run_inputs.add_effort(int(f), Signal::constant(state_and_inputs.tau[f]));
    for (std::size_t f = 0; f < state_and_inputs.loop_tau.size(); ++f)
      if (state_and_inputs.loop_tau[f] != 0)
        run_inputs.add_loop_effort(int(f), Signal::constant(state_and_inputs.loop_tau[f]));
  } catch (const std::invalid_argument& error) {  // a joint with prescribed motion
    throw UsageError(std::string("option --tau: ") + error.what());
  }
  for (const Wrench& wrench : state_and_inputs.wrenches) run_inputs.add_wrench(wrench);
  if (mode_ == "static") run_inputs.set_static();
  return run_inputs;
}

void MotionOptions::set_prescribed_state(const Model& model, const SimulationInputs& run_inputs,
                                         StateAndInputs& state_and_inputs) const {
  Workspace workspace(model);
  const Status status = start_prescribed(model, run_inputs, state_and_inputs.assembly,
                                         state_and_inputs.state, workspace);
  if (!status.ok()) throw WorkFailed("simulate: " + status.message());
}

MotionOptions::Follow MotionOptions::follow() const {
  return mode_ == "kinematic" ? simulate_kinematic : mode_ == "static" ? simulate_static : simulate;
}

}  // namespace trammel::cli
