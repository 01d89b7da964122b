#pragma once

#include "trammel/simulate/kinematic.hpp"

namespace trammel {

// Takes a mechanism through its range as drive_through does, and shows it at rest everywhere:
// velocities are zero, and accelerations are counted as zero by drives that hold still. What is
// worked out there (efforts, reactions) holds it against gravity, springs, wrenches and the efforts
// of other joints. Throws std::invalid_argument if the drives do not hold_still().
[[nodiscard]] Status hold_through(const Model& model, State& state, const Drives& drives,
                                  const RunOptions& options, Workspace& workspace,
                                  const Watch& watch, RunFacts& facts,
                                  const Checkpoints& checkpoints = {});

}  // namespace trammel
