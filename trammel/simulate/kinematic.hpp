#pragma once

#include "trammel/simulate/simulate.hpp"

namespace trammel {

// Takes a mechanism through its range, as the plans of its drives say and loops make the others
// follow: no forces, no inertia (coupler curves, dead points). Needs as many planned joints as it
// has ways to move, and says how many it lacks. Samples every options.sample, of which the step is
// closed from the one before; method and tolerances play no part.
//
// Where the loops cannot follow, as at a dead point, it stops there and says when and which; what
// was up to there has been shown.
[[nodiscard]] Status drive_through(const Model& model, State& state, const Drives& drives,
                                   const RunOptions& options, Workspace& workspace,
                                   const Watch& watch, RunFacts& facts,
                                   const Checkpoints& checkpoints = {});

}  // namespace trammel
