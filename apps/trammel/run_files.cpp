#include "run_files.hpp"

#include <fmt/format.h>

#include "files.hpp"
#include "run_summary.hpp"
#include "trammel/write/csv.hpp"
#include "trammel/write/hdf5.hpp"

namespace trammel::cli {

namespace {

bool is_hdf5_name(const std::string& file) {
  return file.ends_with(".h5") || file.ends_with(".hdf5");
}

std::string content(const RunRecord& run, const std::string& file) {
  if (is_hdf5_name(file)) return write_hdf5(run);
  if (file.ends_with(".json")) return summary_json(run).dump(2) + "\n";
  return write_csv(run.recording);
}

}  // namespace

void expect_free(const std::vector<std::string>& files, bool force) {
  for (const std::string& file : files) {
    if (is_hdf5_name(file) && !hdf5_lacks().empty())
      throw WorkFailed(fmt::format("{} cannot be written: {}", file, hdf5_lacks()));
    expect_free(file, force);
  }
}

void write_run(const RunRecord& run, const std::vector<std::string>& files, bool force,
               Terminal& terminal) {
  std::string failed;
  for (const std::string& file : files) {
    try {
      write_file(file, content(run, file), force, terminal);
    } catch (const WorkFailed& error) {
      failed += (failed.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  if (!failed.empty()) throw WorkFailed(failed);
}

}  // namespace trammel::cli
