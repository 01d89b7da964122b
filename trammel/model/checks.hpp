// Can what was said be so? Masses, inertias, axes, springs and limits, at the nominal values of the
// parameters; once for all formats.
#pragma once

#include "trammel/base/diagnostics.hpp"
#include "trammel/model/description.hpp"

namespace trammel {

// Reports what cannot be, and warns of what probably was not meant.
void check_numbers(const Description& description, Diagnostics& diagnostics);

}  // namespace trammel
