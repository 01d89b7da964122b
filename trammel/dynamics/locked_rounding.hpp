// Rounding tolerance of velocities. For this module only.
#pragma once

namespace trammel {

// A locked joint counts as at rest if its speed is at most this fraction of the largest speed:
// velocities from a solver satisfy the lock to rounding, not exactly.
inline constexpr double locked_rounding = 1e-12;

}  // namespace trammel
