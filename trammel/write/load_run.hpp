#pragma once

#include <string>

#include "trammel/write/run_record.hpp"

namespace trammel {

// A run from the file that `trammel simulate` wrote, whatever it is: HDF5, a journal (all of it
// that is whole), or CSV, which has the recording alone. Told by the first bytes. Throws
// ModelError.
RunRecord load_run(const std::string& path);

}  // namespace trammel
