#include "trammel/simulate/static.hpp"

#include <algorithm>
#include <stdexcept>

namespace trammel {

Status hold_through(const Model& model, State& state, const SimulationInputs& drives,
                    const RunOptions& options, Workspace& workspace, const Observer& watch,
                    RunStatistics& statistics, const Checkpoints& checkpoints) {
  if (!drives.are_still())
    throw std::invalid_argument("hold_through: the inputs move: call their hold_still() first");
  const auto at_rest = [](State seen) {
    std::ranges::fill(seen.v, 0.0);
    return seen;
  };
  const Status status = drive_through(
      model, state, drives, options, workspace,
      [&](const RunSnapshot& seen) {
        const State still = at_rest(seen.state);
        return watch({still, seen.model, seen.drives, seen.workspace});
      },
      statistics, checkpoints);
  state = at_rest(state);
  return status;
}

}  // namespace trammel
