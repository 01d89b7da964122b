#include "run_files.hpp"

#include <fmt/format.h>

#include "endings.hpp"
#include "files.hpp"
#include "run_summary.hpp"
#include "trammel/write/run/csv.hpp"
#include "trammel/write/run/hdf5.hpp"

namespace trammel::cli {

namespace {

bool is_hdf5_name(const std::string& file) {
  const std::string ending = ending_of(file);
  return ending == ".h5" || ending == ".hdf5";
}

std::string content(const RunRecord& run, const std::string& file, const Animation* animation) {
  if (is_animation(file) && animation != nullptr) return animation->gif();
  if (is_hdf5_name(file)) return write_hdf5(run);
  if (ending_of(file) == ".json") return json_text(summary_json(run));
  return write_csv(run.recording);
}

}  // namespace

bool is_animation(const std::string& file) { return ending_of(file) == ".gif"; }

void expect_free(const std::vector<std::string>& files, bool force, bool has_animation) {
  for (const std::string& file : files) {
    if (has_animation)
      expect_ending(file, "-o", {".csv", ".h5", ".hdf5", ".json", ".gif"});
    else
      expect_ending(file, "-o", {".csv", ".h5", ".hdf5", ".json"});
    if (is_hdf5_name(file) && !hdf5_lacks().empty())
      throw WorkFailed(fmt::format("{} cannot be written: {}", file, hdf5_lacks()));
    expect_free(file, force);
  }
}

void write_run(const RunRecord& run, const std::vector<std::string>& files, bool force,
               Terminal& terminal, const Animation* animation) {
  std::string failed;
  for (const std::string& file : files) {
    try {
      write_file(file, content(run, file, animation), force, terminal);
    } catch (const WorkFailed& error) {
      failed += (failed.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  if (!failed.empty()) throw WorkFailed(failed);
}

}  // namespace trammel::cli
