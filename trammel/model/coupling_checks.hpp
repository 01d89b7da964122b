// Can all couplings hold at once, and do they leave planned joints to their plans? Linear, so it is
// known before anything moves; at the nominal values of the parameters.
#pragma once

#include "trammel/base/diagnostics.hpp"
#include "trammel/model/description.hpp"

namespace trammel {

// Reports couplings that contradict each other, and planned motions that couplings tie to each
// other or to a locked joint. Takes a description whose names and terms are sound.
void check_couplings(const Description& description, Diagnostics& diagnostics);

}  // namespace trammel
