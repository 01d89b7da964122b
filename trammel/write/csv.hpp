#pragma once

#include <string>

#include "trammel/simulate/recorder.hpp"

namespace trammel {

// A recording as a table of comma-separated values. The first line names the columns with their
// units, "time [s],q.elbow [rad]"; numbers are the shortest that read back as the same. A name with
// a comma or a quotation mark in it is quoted.
std::string write_csv(const Recording& recording);

// And back. Throws ModelError, with the place of every cell that is no number and of every row that
// has too few or too many; `file` is what messages call it.
Recording read_csv(std::string_view text, const std::string& file);

}  // namespace trammel
