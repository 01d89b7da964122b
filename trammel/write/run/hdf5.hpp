#pragma once

#include <string>
#include <string_view>

#include "trammel/write/run/run_record.hpp"

namespace trammel {

// Writes a run as the bytes of a self-describing HDF5 file:
//
//   /            format, program
//   /model       the model file as text; name
//   /options     method, duration, tolerances, ...; efforts and wrenches besides the model's inputs
//   /columns/    one dataset of doubles per column, in chunks, compressed: name, unit, group and
//                index as attributes
//   /start /end  time, q, v, z
//   /summary     is_complete, stopped, steps, energy, loops, ...
//
// HDF5 reserves '/': in a dataset's name it is "%2F" (and '%' is "%25"); the attribute has the
// original name. Throws std::runtime_error in a build without HDF5.
std::string write_hdf5(const RunRecord& run);

// Reads it back exactly. Throws ModelError if it is not such a file, or damaged; `file` is its name
// in messages.
RunRecord read_hdf5(std::string_view bytes, const std::string& file);

// Whether bytes begin like an HDF5 file.
bool is_hdf5(std::string_view bytes);

// Reason why this build has no HDF5; empty if it has.
std::string hdf5_lacks();

}  // namespace trammel
