// Journal of a run: a file written while the run goes on. It begins with the metadata of the run,
// followed by blocks of samples, each with a checksum and a checkpoint. A run that is killed loses
// only the samples after the last block.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "trammel/write/run/run_record.hpp"

namespace trammel {

// Statistics up to now.
struct RunProgress {
  RunStatistics statistics;
  AuditNumbers audit;
  double seconds = 0;
};

// Contents of a journal: the run as far as it was written, its last checkpoint, and damage found in
// the file.
struct Journal {
  RunRecord run;
  bool has_ended = false;     // without being killed: it reached its end, or failed
  bool keeps_states = false;  // the states of all samples are stored
  std::vector<State> states;
  std::optional<Checkpoint> checkpoint;  // the last one, from which the run can resume
  // Damaged parts, as messages: "bytes 512 to 1024 are damaged: 20 samples are lost".
  std::vector<std::string> damage;
  // Intact records follow a damaged part: samples are missing in between. A killed run leaves at
  // most a truncated last block.
  bool has_holes = false;
  std::size_t size = 0;  // of the intact part from the beginning
};

// Reaction of a reader to a damaged record of a journal.
enum class AtDamage {
  go_on,  // read all intact records
  stop    // read up to the first damage, as needed to resume a run
};
// Throws ModelError if nothing can be read: the file is missing, is not a journal, is of another
// version, or its metadata are damaged.
Journal read_journal(const std::string& path, AtDamage at_damage = AtDamage::go_on);

// The same from bytes in memory; `path` is for messages.
Journal journal_of(const std::string& path, std::string_view bytes,
                   AtDamage at_damage = AtDamage::go_on);

// Whether bytes begin like a journal.
bool is_journal(std::string_view bytes);

// Writer of the journal of one run. It locks the file, so that no other run writes it. Samples that
// neither keep() nor finish() has written are lost when it is destroyed.
class JournalWriter {
 public:
  // Creates a journal. Throws std::system_error if it cannot be written, or if it exists and must
  // not be overwritten; ModelError if another run writes it, or if `overwrite` meets a nonempty
  // file without the mark of a journal, which is left unchanged.
  JournalWriter(const std::string& path, const RunMetadata& metadata, bool keeps_states,
                bool overwrite);
  // Appends after the intact part.
  JournalWriter(const std::string& path, const Journal& journal);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  // Adds a sample, which is buffered until the next block.
  void observe(const State& state, std::span<const double> row);
  // Whether a block should be written: a second has passed, or the buffer is large.
  bool is_due() const;
  // Writes a block. On failure nothing of it is written, and later blocks fail too.
  [[nodiscard]] Status keep(const RunProgress& progress, const Checkpoint& checkpoint);
  // Writes the last block; `stopped`: the reason why the run did not reach its end.
  [[nodiscard]] Status finish(const RunProgress& progress, const std::string& stopped);
  // Removes the journal, once other files have all its data.
  void remove();
  // Reads all that was written through the open file, which works even if its name has been
  // removed.
  Journal read_back() const;
  // Whether the file was removed while it was written.
  bool is_removed() const;
  // Writes a removed file again under its name. Fails if that is not possible.
  [[nodiscard]] Status restore() const;

  const std::string& path() const { return path_; }
  static constexpr std::chrono::milliseconds every{1000};

 private:
  struct Block;
  void open(int flags);
  void expect_journal();
  std::string written() const;
  Status append(const std::string& record);
  Status write_block(const RunProgress& progress);

  std::string path_;
  int file_ = -1;
  std::size_t size_ = 0;  // of the intact part
  bool keeps_states_;
  std::unique_ptr<Block> block_;  // in the buffer
  std::chrono::steady_clock::time_point last_;
  Status failed_;
};

}  // namespace trammel
