// A state in JSON: {"position": {"elbow": 0.3}, "velocity": {...}}, or as `trammel eval --json`
// prints it.
#pragma once

#include "trammel/model/description/description.hpp"
#include "trammel/read/source.hpp"

namespace trammel::cli {

// Replaces the start of the description by the file's. Syntax errors go to `diagnostics`; values
// that do not fit the mechanism are reported by the builder.
void read_state_json(const Source& source, Description& description, Diagnostics& diagnostics);

}  // namespace trammel::cli
