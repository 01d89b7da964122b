// Output files of a run: recorded table (.csv), everything (.h5), summary (.json), animation
// (.gif).
#pragma once

#include <string>
#include <vector>

#include "terminal.hpp"
#include "trammel/write/plot/animation.hpp"
#include "trammel/write/run/run_record.hpp"

namespace trammel::cli {

constexpr const char* run_files_help =
    "write the run: recorded columns (.csv), everything (.h5, HDF5), summary (.json); may be "
    "repeated";

// Check before a long run: throws WorkFailed if a file exists already or cannot be written, or if
// this build lacks its format; UsageError if no format has such an extension.
void expect_free(const std::vector<std::string>& files, bool force, bool has_animation = false);
bool is_animation(const std::string& file);

// The format follows from the extension. A file that cannot be written does not stop the others:
// WorkFailed is thrown at the end.
void write_run(const RunRecord& run, const std::vector<std::string>& files, bool force,
               Terminal& terminal, const Animation* animation = nullptr);

}  // namespace trammel::cli
