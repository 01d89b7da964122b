#pragma once

#include <string>

#include "trammel/write/run/run_record.hpp"

namespace trammel {

// Loads a run from a file of `trammel simulate`: HDF5, a journal (all intact records), or CSV,
// which has only the recording. The first bytes determine the format. Throws ModelError.
RunRecord load_run(const std::string& path);

}  // namespace trammel
