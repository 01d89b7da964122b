// Content of the records of a journal. For the journal only.
#pragma once

#include <optional>

#include "trammel/write/run/run_record.hpp"

namespace trammel {

// The first record: the metadata of the run.
struct JournalMetadata {
  RunMetadata run;
  bool keeps_states = false;  // of every sample, for drawing a report page later
};

// Every other record: the samples since the previous one, and the statistics up to there.
struct JournalBlock {
  std::size_t first_sample = 0;
  std::vector<double> values;  // row after row
  std::vector<State> states;   // of the rows, if states are stored
  RunStatistics statistics;
  AuditNumbers audit;
  double seconds = 0;
  State end;                             // the last state
  std::optional<Checkpoint> checkpoint;  // from which the run can resume; none at its end
  bool has_ended = false, is_complete = false;
  std::string stopped;
};

std::string payload_of(const JournalMetadata& metadata);
std::string payload_of(const JournalBlock& block);
// Throw std::out_of_range if the payload is too short, std::domain_error, with its version, if the
// metadata have another version of the format.
JournalMetadata metadata_of(std::string_view payload);
JournalBlock block_of(std::string_view payload);

// Throws a ModelError about the journal `path`.
[[noreturn]] void refuse_journal(const std::string& path, std::string fact, std::string hint);

}  // namespace trammel
