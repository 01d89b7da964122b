// A run as it is kept: what was asked, what was recorded, how it went.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/simulate/audit.hpp"
#include "trammel/simulate/recorder.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel {

inline constexpr std::size_t largest_run_file = std::size_t(1) << 36;  // [bytes] that is read

// What was asked, and of which program: enough to ask it again.
struct RunCard {
  std::string program;  // version and instruction set: on another, last digits may differ
  std::string model_name, model_text;  // the second as a model file (TOML)
  bool has_loops = false;
  std::string mode = "dynamic";  // or kinematic
  RunOptions options = {};
  State start = {};
  // What acts beside the model's inputs, by name: {"tau.elbow", "1.5"}.
  std::vector<std::pair<std::string, std::string>> acting = {};
  std::vector<Column> columns = {};  // of the recording
};

struct RunRecord {
  RunCard card;
  Recording recording;
  State end;  // the last that was seen
  RunFacts facts;
  AuditNumbers audit;
  double seconds = 0;        // that it took
  bool is_complete = false;  // it reached its end
  std::string stopped = {};  // why it did not; empty also where nothing could be told any more
};

// What differs between what was asked then and now, as words for people: "the duration is 10 s, and
// was 20 s". Empty: nothing does. Programs are not compared.
std::string what_differs(const RunCard& then, const RunCard& now);

}  // namespace trammel
