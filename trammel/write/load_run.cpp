#include "trammel/write/load_run.hpp"

#include <fstream>
#include <sstream>

#include "trammel/base/diagnostics.hpp"
#include "trammel/write/csv.hpp"
#include "trammel/write/hdf5.hpp"
#include "trammel/write/journal.hpp"

namespace trammel {

RunRecord load_run(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()).flush() || file.bad()) {
    Diagnostics found;
    found.error({path, 0, 0}, "cannot be read", "is it there, and not a folder?");
    throw ModelError(std::move(found));
  }
  const std::string bytes = std::move(text).str();
  if (is_hdf5(bytes)) return read_hdf5(bytes, path);
  if (is_journal(bytes)) return read_journal(path).run;
  RunRecord run;
  run.recording = read_csv(bytes, path);
  run.card.columns = run.recording.columns;
  return run;
}

}  // namespace trammel
