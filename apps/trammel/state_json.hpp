// A state in JSON: {"position": {"elbow": 0.3}, "velocity": {...}}, or as `trammel eval --json`
// prints it.
#pragma once

#include "trammel/model/description.hpp"
#include "trammel/read/source.hpp"

namespace trammel::cli {

// Replaces the start of the description by the file's. Mistakes go to `diagnostics`; what does not
// fit the mechanism, the builder reports.
void read_state_json(const Source& source, Description& description, Diagnostics& diagnostics);

}  // namespace trammel::cli
