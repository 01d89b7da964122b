#pragma once

#include <string>

#include "trammel/simulate/recorder.hpp"

namespace trammel {

// Writes a recording as comma-separated values. The first line has the column names and units,
// "time [s],q.elbow [rad]"; each number is the shortest that reads back exactly. A name with a
// comma or a quotation mark is quoted.
std::string write_csv(const Recording& recording);

// Reads it back. Throws ModelError with the place of every cell that is not a number and of every
// row with too few or too many cells; `file` is its name in messages.
Recording read_csv(std::string_view text, const std::string& file);

}  // namespace trammel
