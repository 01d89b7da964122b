// Output files of a run: recorded table (.csv), everything (.h5), summary (.json), animation
// (.gif), video (.webm).
#pragma once

#include <functional>
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
// this build or machine lacks its format; UsageError if no format has such an extension.
void expect_free(const std::vector<std::string>& files, bool force, bool has_animation = false);
bool is_animation(const std::string& file);  // .gif
bool is_video(const std::string& file);      // .webm

// The moving pictures of a run, for those of its files that are some.
struct RunPictures {
  const Animation* animation = nullptr;
  std::function<std::string()> page = {};  // the report page, which a video films
};

// The format follows from the extension. A file that cannot be written does not stop the others:
// WorkFailed is thrown at the end.
void write_run(const RunRecord& run, const std::vector<std::string>& files, bool force,
               Terminal& terminal, const RunPictures& pictures = {});

}  // namespace trammel::cli
