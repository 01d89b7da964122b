// Stored run: its metadata, recording and statistics.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/simulate/checks/audit.hpp"
#include "trammel/simulate/recorder.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel {

inline constexpr std::size_t largest_run_file = std::size_t(1) << 36;  // [bytes] that are read

// Metadata of a run: model, options and program, enough to repeat it.
struct RunMetadata {
  std::string program;  // version and instruction set: on another, last digits may differ
  std::string model_name, model_text;  // model_text: the model file (TOML)
  bool has_loops = false;
  std::string mode = "dynamic";  // or kinematic
  RunOptions options = {};
  State start = {};
  // Efforts and wrenches besides the model's inputs, by name: {"tau.elbow", "1.5"}.
  std::vector<std::pair<std::string, std::string>> acting = {};
  std::vector<Column> columns = {};  // of the recording
};

// Record of a run, as files of runs store it: metadata, samples, final state, statistics and audit.
struct RunRecord {
  RunMetadata metadata;
  Recording recording;
  State end;  // the last state
  RunStatistics statistics;
  AuditNumbers audit;
  double seconds = 0;        // computing time
  bool is_complete = false;  // it reached its end
  std::string stopped = {};  // reason why not; empty also for a run that was killed
};

// Differences between the metadata of two runs, as text: "the duration is 10 s, and was 20 s".
// Empty if there are none. Programs are not compared.
std::string what_differs(const RunMetadata& then, const RunMetadata& now);

}  // namespace trammel
