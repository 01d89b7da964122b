#include "trammel/simulate/static.hpp"

#include <algorithm>
#include <stdexcept>

namespace trammel {

Status hold_through(const Model& model, State& state, const Drives& drives,
                    const RunOptions& options, Workspace& workspace, const Watch& watch,
                    RunFacts& facts, const Checkpoints& checkpoints) {
  if (!drives.are_still())
    throw std::invalid_argument("hold_through: the inputs move: call their hold_still() first");
  const auto at_rest = [](State seen) {
    std::ranges::fill(seen.v, 0.0);
    return seen;
  };
  const Status status = drive_through(
      model, state, drives, options, workspace,
      [&](const Moment& seen) {
        const State still = at_rest(seen.state);
        return watch({still, seen.model, seen.drives, seen.workspace});
      },
      facts, checkpoints);
  state = at_rest(state);
  return status;
}

}  // namespace trammel
