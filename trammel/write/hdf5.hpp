#pragma once

#include <string>
#include <string_view>

#include "trammel/write/run_record.hpp"

namespace trammel {

// A run as the bytes of an HDF5 file that says itself what it is:
//
//   /            format, program
//   /model       the model file as text; name
//   /options     method, duration, tolerances, ...; what acts beside the model's inputs
//   /columns/    one dataset of doubles for each column, in chunks, compressed: name, unit, group
//                and index as attributes
//   /start /end  time, q, v, z
//   /summary     is_complete, stopped, steps, energy, loops, ...
//
// A '/' in a name, which HDF5 keeps for itself, is "%2F" in the dataset's (and '%' is "%25"); the
// attribute has it as it is. Throws std::runtime_error in a build without HDF5.
std::string write_hdf5(const RunRecord& run);

// And back, to the last bit. Throws ModelError where it is no such file, or damaged; `file` is what
// messages call it.
RunRecord read_hdf5(std::string_view bytes, const std::string& file);

// Whether bytes begin as HDF5 files do.
bool is_hdf5(std::string_view bytes);

// Why there is no HDF5 in this build; empty where there is.
std::string hdf5_lacks();

}  // namespace trammel
