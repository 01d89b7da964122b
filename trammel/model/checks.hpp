// Can what was said be so? Masses, inertias, axes, springs and limits, at the nominal values of the
// parameters; once for all formats.
#pragma once

#include "trammel/base/diagnostics.hpp"
#include "trammel/model/builder.hpp"

namespace trammel {

// [rad] Neighboring doubles are 1.2e-10 rad apart there; beyond it a start is questioned.
inline constexpr double largest_sound_angle = 1e6;

// Reports what cannot be, and warns of what probably was not meant.
void check_numbers(const Description& description, const BuildOptions& options,
                   Diagnostics& diagnostics);

}  // namespace trammel
