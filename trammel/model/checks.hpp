// Can what was said be so? Masses, inertias, axes, springs and limits, at the nominal values of the
// parameters; once for all formats.
#pragma once

#include "trammel/base/diagnostics.hpp"
#include "trammel/model/description_numbers.hpp"

namespace trammel {

// Reports what cannot be, and warns of what probably was not meant.
void check_numbers(const Description& description, Diagnostics& diagnostics);

// The parts of it. Numbers that are not finite were reported before and are not looked at again.
void check_body(const BodyDescription& body, const Values<double>& value, Diagnostics& diagnostics);
void check_joint(const JointDescription& joint, const Values<double>& value,
                 Diagnostics& diagnostics);

}  // namespace trammel
