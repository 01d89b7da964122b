#include "run_files.hpp"

#include <fmt/format.h>

#include "chromium_film.hpp"
#include "endings.hpp"
#include "files.hpp"
#include "run_summary.hpp"
#include "trammel/write/report/report.hpp"
#include "trammel/write/run/csv.hpp"
#include "trammel/write/run/hdf5.hpp"

namespace trammel::cli {

namespace {

bool is_hdf5_name(const std::string& file) {
  const std::string ending = ending_of(file);
  return ending == ".h5" || ending == ".hdf5";
}

std::string content(const RunRecord& run, const std::string& file, const RunPictures& pictures) {
  if (is_animation(file) && pictures.animation != nullptr) return pictures.animation->gif();
  if (is_video(file) && pictures.page) return film_of_page(find_chromium(), pictures.page());
  if (is_hdf5_name(file)) return write_hdf5(run);
  if (ending_of(file) == ".json") return json_text(summary_json(run));
  return write_csv(run.recording);
}

// Throws WorkFailed, with what to do, where no video can be made.
void expect_camera(const std::string& file) {
  if (const std::string lacks = report_page_lacks(); !lacks.empty())
    throw WorkFailed(fmt::format("{} cannot be written: {}", file, lacks));
  if (find_chromium().empty())
    throw WorkFailed(
        fmt::format("{} cannot be written: no Chromium is on the PATH, which films the page of the "
                    "run; install "
                    "it (Debian: apt install chromium), or write an animated picture, -o FILE.gif",
                    file));
}

}  // namespace

bool is_animation(const std::string& file) { return ending_of(file) == ".gif"; }
bool is_video(const std::string& file) { return ending_of(file) == ".webm"; }

void expect_free(const std::vector<std::string>& files, bool force, bool has_animation) {
  for (const std::string& file : files) {
    if (has_animation)
      expect_ending(file, "-o", {".csv", ".h5", ".hdf5", ".json", ".gif", ".webm"});
    else
      expect_ending(file, "-o", {".csv", ".h5", ".hdf5", ".json"});
    if (is_hdf5_name(file) && !hdf5_lacks().empty())
      throw WorkFailed(fmt::format("{} cannot be written: {}", file, hdf5_lacks()));
    if (has_animation && is_video(file)) expect_camera(file);
    expect_free(file, force);
  }
}

void write_run(const RunRecord& run, const std::vector<std::string>& files, bool force,
               Terminal& terminal, const RunPictures& pictures) {
  std::string failed;
  for (const std::string& file : files) {
    try {
      write_file(file, content(run, file, pictures), force, terminal);
    } catch (const WorkFailed& error) {
      failed += (failed.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  if (!failed.empty()) throw WorkFailed(failed);
}

}  // namespace trammel::cli
