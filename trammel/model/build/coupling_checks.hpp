// Consistency of couplings with each other, with prescribed motions and with locks. Couplings are
// linear, so this is decided before any motion, at the nominal values of the parameters.
#pragma once

#include "trammel/base/diagnostics.hpp"
#include "trammel/model/description/description.hpp"

namespace trammel {

// Reports couplings that contradict each other, and prescribed motions that couplings tie to each
// other or to a locked joint. Precondition: the names and terms of the description are valid.
void check_couplings(const Description& description, Diagnostics& diagnostics);

}  // namespace trammel
