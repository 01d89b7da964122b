// A state in a file of its own: [state.position], [state.velocity], [state.guess] and
// [state.velocity_guess], as in a model.
#pragma once

#include "trammel/model/description.hpp"
#include "trammel/read/source.hpp"

namespace trammel {

// Puts what the file says in the place of where the description starts. False if it says nothing of
// a state; mistakes go to `diagnostics`. What of it does not fit the mechanism, the builder tells.
bool read_state_file(const Source& source, Description& description, Diagnostics& diagnostics);

}  // namespace trammel
