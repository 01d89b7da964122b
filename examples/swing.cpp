// A four-bar swings for ten seconds: its loop stays closed, energy is conserved, nothing drifts.
#include <algorithm>
#include <cstdio>

#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/read/load.hpp"
#include "trammel/simulate/recorder.hpp"
#include "trammel/simulate/simulate.hpp"

using namespace trammel;

int main() {
  const Model model = load_model("@four_bar");
  Workspace workspace(model);
  State state;
  if (const Status closed = assembled_start(model, workspace, state); !closed)
    return std::puts(closed.message().c_str()), 1;

  // the inputs of the file; add_effort, prescribe and add_controller add to them
  const SimulationInputs run_inputs(model);
  Recorder recorder(model, run_inputs, {"positions", "energy", "violations"});
  RunStatistics statistics;
  const Status went = simulate(
      model, state, run_inputs, {.duration = 10, .sample = 0.01}, workspace,
      [&](const State& seen) { return recorder.observe(seen, workspace); }, statistics);
  if (!went) return std::puts(went.message().c_str()), 1;

  const std::vector<double> motor = recorder.recording().column("q.motor");
  const std::vector<double> violation = recorder.recording().column("violation.position");
  const auto [lowest, highest] = std::minmax_element(motor.begin(), motor.end());
  std::printf("%zu samples; the motor swings from %.4f to %.4f rad; the loop stays closed: %s\n",
              motor.size(), *lowest, *highest,
              *std::max_element(violation.begin(), violation.end()) < 1e-12 ? "yes" : "no");
}
