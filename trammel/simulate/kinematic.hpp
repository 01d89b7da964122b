#pragma once

#include "trammel/simulate/simulate.hpp"

namespace trammel {

// Kinematic simulation: moves the mechanism along its prescribed motions; the other joints follow
// from the loop constraints. No forces, no inertia (coupler curves, dead points). The prescribed
// motions must determine all degrees of freedom; otherwise the failure has the number of those
// left. Samples every options.sample, each assembled from the one before; method and tolerances are
// ignored.
//
// If the loops cannot be assembled, as at a dead point, it stops and the failure has the time
// and the reason; all samples up to there have been passed to the observer.
[[nodiscard]] Status simulate_kinematic(const Model& model, State& state,
                                        const SimulationInputs& run_inputs,
                                        const RunOptions& options, Workspace& workspace,
                                        const Observer& observer, RunStatistics& statistics,
                                        const Checkpoints& checkpoints = {});

}  // namespace trammel
