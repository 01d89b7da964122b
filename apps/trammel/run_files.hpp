// Files that a run is written into: a table (.csv), all of it (.h5), how it went (.json), an
// animated picture (.gif).
#pragma once

#include <string>
#include <vector>

#include "terminal.hpp"
#include "trammel/write/animation.hpp"
#include "trammel/write/run_record.hpp"

namespace trammel::cli {

constexpr const char* run_files_help =
    "write the run: what is recorded as CSV, all of it as HDF5 (.h5), how it went (.json); may be "
    "repeated";

// Before a run that takes long: throws WorkFailed where one is there already or cannot be written,
// or where this build has not its format; UsageError where nothing is written by such an ending.
void expect_free(const std::vector<std::string>& files, bool force, bool has_animation = false);
bool is_animation(const std::string& file);

// Each by the ending of its name. One that cannot be written does not stop the others: throws
// WorkFailed at the end.
void write_run(const RunRecord& run, const std::vector<std::string>& files, bool force,
               Terminal& terminal, const Animation* animation = nullptr);

}  // namespace trammel::cli
