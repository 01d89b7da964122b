// What the records of a journal say. For the journal only.
#pragma once

#include <optional>

#include "trammel/write/run_record.hpp"

namespace trammel {

// The first record: what was asked.
struct JournalCard {
  RunCard run;
  bool keeps_states = false;  // of every sample, so that a page can be drawn again
};

// Every other record: what was seen since the one before it, and how it went up to there.
struct JournalBlock {
  std::size_t first_sample = 0;
  std::vector<double> values;  // row after row
  std::vector<State> states;   // of the rows, if they are kept
  RunFacts facts;
  AuditNumbers audit;
  double seconds = 0;
  State end;                             // the last that was seen
  std::optional<Checkpoint> checkpoint;  // where the run goes on from here; none at its end
  bool has_ended = false, is_complete = false;
  std::string stopped;
};

std::string payload_of(const JournalCard& card);
std::string payload_of(const JournalBlock& block);
// Throw std::out_of_range where the payload is too short, std::domain_error, with the version it
// has, where a card is of another version of the format.
JournalCard card_of(std::string_view payload);
JournalBlock block_of(std::string_view payload);

}  // namespace trammel
