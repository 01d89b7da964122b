// Validation of a description: masses, inertias, axes, springs and limits, at the nominal values of
// the parameters. Independent of the file format.
#pragma once

#include "trammel/base/diagnostics.hpp"
#include "trammel/model/build/builder.hpp"

namespace trammel {

// [rad] Neighboring doubles are 1.2e-10 rad apart there; a larger initial angle gives a warning.
inline constexpr double largest_sound_angle = 1e6;

// Reports errors for impossible values, and warnings for values that are probably a mistake.
void check_numbers(const Description& description, const BuildOptions& options,
                   Diagnostics& diagnostics);

// Reports items that a reader marked as wrong. For descriptions whose diagnostics were not passed
// on: such an item may lack its names.
void check_read_without_errors(const Description& description, Diagnostics& diagnostics);

}  // namespace trammel
