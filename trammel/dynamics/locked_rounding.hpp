// How much of a velocity is rounding. For this module only.
#pragma once

namespace trammel {

// A locked joint is at rest where its speed is at most this share of the largest speed: velocities
// that a solver found hold it to its rounding, not to the last bit.
inline constexpr double locked_rounding = 1e-12;

}  // namespace trammel
