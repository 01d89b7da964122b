#include <fmt/format.h>

#include "trammel/base/diagnostics.hpp"
#include "trammel/base/file_bytes.hpp"
#include "trammel/write/run/journal.hpp"
#include "trammel/write/run/journal/frame.hpp"
#include "trammel/write/run/journal/records.hpp"

namespace trammel {

namespace {

[[noreturn]] void refuse_begin(const std::string& path) {
  refuse_journal(path, "is no journal: it does not begin like one",
                 "trammel simulate MODEL -o FILE writes FILE.journal while it runs");
}

std::string bytes_of(const std::string& path) {
  FileBytes file = file_bytes(path, largest_run_file, is_journal);
  if (file.problem == FileProblem::rejected) refuse_begin(path);
  if (!file.ok()) refuse_journal(path, file.fact, file.hint);
  return std::move(file.bytes);
}

JournalMetadata first_record(const std::string& path, std::string_view bytes, std::size_t& size) {
  if (!has_mark_at(bytes, 0)) refuse_begin(path);
  const auto nothing = [&] {
    refuse_journal(path, "is damaged in its first record, which says what was recorded",
                   "nothing can be recovered from it: begin the run anew");
  };
  const std::optional<Framed> record = record_at(bytes, 0);
  if (!record || record->kind != RecordKind::metadata) nothing();
  size = record->size;
  try {
    return metadata_of(record->payload);
  } catch (const std::domain_error& version) {
    refuse_journal(
        path,
        fmt::format("is a journal of version {}, this program knows version 1", version.what()),
        "recover it with the program that wrote it");
  } catch (const std::out_of_range&) { nothing(); }
  return {};
}

class Reading {
 public:
  Reading(const std::string& path, std::string_view bytes) : bytes_(bytes) {
    JournalMetadata metadata = first_record(path, bytes, journal.size);
    journal.run.metadata = std::move(metadata.run);
    journal.run.recording.columns = journal.run.metadata.columns;
    journal.run.end = journal.run.metadata.start;
    journal.keeps_states = metadata.keeps_states;
  }

  void go(AtDamage at_damage) {
    std::size_t at = journal.size;
    while (at < bytes_.size()) {
      const std::optional<Framed> record = record_at(bytes_, at);
      if (record && take(record->payload)) {
        at += record->size;
        if (journal.damage.empty()) journal.size = at;
        continue;
      }
      const std::size_t next = next_record(bytes_, at + 1);
      const bool is_cut = next == bytes_.size();
      journal.has_holes |= !is_cut;
      journal.damage.push_back(
          is_cut ? fmt::format("the last {} bytes are no whole block: it was cut short there",
                               bytes_.size() - at)
                 : fmt::format("bytes {} to {} are damaged", at, next));
      if (at_damage == AtDamage::stop) return;
      at = next;
    }
  }

  Journal journal;

 private:
  bool take(std::string_view payload) {
    JournalBlock block;
    try {
      block = block_of(payload);
    } catch (const std::out_of_range&) { return false; }
    RunRecord& run = journal.run;
    const std::size_t width = run.recording.columns.size();
    if (width == 0 || block.values.size() % width != 0) return false;
    if (block.first_sample > next_sample_ && !journal.damage.empty()) report_loss(block);
    next_sample_ = block.first_sample + block.values.size() / width;
    run.recording.values.insert(run.recording.values.end(), block.values.begin(),
                                block.values.end());
    std::ranges::move(block.states, std::back_inserter(journal.states));
    run.statistics = block.statistics;
    run.audit = block.audit;
    run.seconds = block.seconds;
    run.end = std::move(block.end);
    journal.checkpoint = std::move(block.checkpoint);
    journal.has_ended = block.has_ended;
    run.is_complete = block.is_complete;
    run.stopped = std::move(block.stopped);
    return true;
  }
  void report_loss(const JournalBlock& block) {
    const std::vector<double>& values = journal.run.recording.values;
    const std::size_t width = journal.run.recording.columns.size();
    journal.damage.back() += fmt::format(
        ": {} samples are lost{}{}", block.first_sample - next_sample_,
        values.empty() ? "" : fmt::format(", after t = {:.9g} s", values[values.size() - width]),
        block.values.empty() ? "" : fmt::format(", before t = {:.9g} s", block.values[0]));
  }

  std::string_view bytes_;
  std::size_t next_sample_ = 0;
};

}  // namespace

bool is_journal(std::string_view bytes) { return has_mark_at(bytes, 0); }

Journal journal_of(const std::string& path, std::string_view bytes, AtDamage at_damage) {
  Reading reading(path, bytes);
  reading.go(at_damage);
  return std::move(reading.journal);
}

Journal read_journal(const std::string& path, AtDamage at_damage) {
  return journal_of(path, bytes_of(path), at_damage);
}

}  // namespace trammel
