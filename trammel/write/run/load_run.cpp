#include "trammel/write/run/load_run.hpp"

#include "trammel/base/diagnostics.hpp"
#include "trammel/base/file_bytes.hpp"
#include "trammel/write/run/csv.hpp"
#include "trammel/write/run/hdf5.hpp"
#include "trammel/write/run/journal.hpp"

namespace trammel {

namespace {

// HDF5, a journal, or text: device images and files of other programs are refused by their first
// bytes, not after all of them are in memory.
bool begins_as_run(std::string_view beginning) {
  return is_hdf5(beginning) || is_journal(beginning) || beginning.find('\0') == beginning.npos;
}

}  // namespace

RunRecord load_run(const std::string& path) {
  FileBytes file = file_bytes(path, largest_run_file, begins_as_run);
  if (!file.ok()) {
    if (file.problem == FileProblem::rejected) file.fact = "is no run: neither HDF5 nor text";
    Diagnostics found;
    found.error({path, 0, 0}, file.fact, file.hint);
    throw ModelError(std::move(found));
  }
  const std::string& bytes = file.bytes;
  if (is_hdf5(bytes)) return read_hdf5(bytes, path);
  if (is_journal(bytes)) return read_journal(path).run;
  RunRecord run;
  run.recording = read_csv(bytes, path);
  run.metadata.columns = run.recording.columns;
  return run;
}

}  // namespace trammel
