#include "trammel/simulate/static.hpp"

#include <algorithm>
#include <stdexcept>

namespace trammel {

Status simulate_static(const Model& model, State& state, const SimulationInputs& run_inputs,
                       const RunOptions& options, Workspace& workspace, const Observer& observer,
                       RunStatistics& statistics, const Checkpoints& checkpoints) {
  if (!run_inputs.is_static())
    throw std::invalid_argument("simulate_static: the inputs move: call their set_static() first");
  const auto at_rest = [](State seen) {
    std::ranges::fill(seen.v, 0.0);
    return seen;
  };
  const Status status = simulate_kinematic(
      model, state, run_inputs, options, workspace,
      [&](const RunSnapshot& seen) {
        const State still = at_rest(seen.state);
        return observer({still, seen.model, seen.run_inputs, seen.workspace});
      },
      statistics, checkpoints);
  state = at_rest(state);
  return status;
}

}  // namespace trammel
