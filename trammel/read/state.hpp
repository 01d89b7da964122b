// Initial state from a file of its own: [state.position], [state.velocity], [state.guess] and
// [state.velocity_guess], as in a model.
#pragma once

#include "trammel/model/description/description.hpp"
#include "trammel/read/source.hpp"

namespace trammel {

// Replaces the initial values of the description by those of the file. Returns false if the file
// has no state; errors go to `diagnostics`. Values that do not fit the mechanism are reported by
// build_model.
bool read_state_file(const Source& source, Description& description, Diagnostics& diagnostics);

}  // namespace trammel
