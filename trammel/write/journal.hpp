// A run on its way into a file, while it goes on: what was asked first, then block after block of
// what was seen, each with a checksum and a checkpoint. A run that is killed loses nothing but what
// came after the last block.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "trammel/write/run_record.hpp"

namespace trammel {

// How it went so far.
struct RunProgress {
  RunFacts facts;
  AuditNumbers audit;
  double seconds = 0;
};

struct Journal {
  RunRecord run;
  bool has_ended = false;     // by itself: it came to its end, or could not go on
  bool keeps_states = false;  // of every sample
  std::vector<State> states;
  std::optional<Checkpoint> checkpoint;  // the last, from which the run goes on
  // What is not whole, in words: "bytes 512 to 1024 are damaged: 20 samples are lost".
  std::vector<std::string> damage;
  // Something whole comes after what is damaged: samples are missing between. A run that was killed
  // leaves at most a last block that is cut short.
  bool has_holes = false;
  std::size_t size = 0;  // of what is whole from the beginning on
};

enum class AtDamage {
  go_on,  // everything that is whole
  stop    // what a run that goes on may build on: all up to the first damage
};
// Throws ModelError where nothing can be read: no such file, no journal, of another version, or
// damaged where it says what was recorded.
Journal read_journal(const std::string& path, AtDamage at_damage = AtDamage::go_on);

// The same from bytes in memory; `path` is for messages.
Journal journal_of(const std::string& path, std::string_view bytes,
                   AtDamage at_damage = AtDamage::go_on);

// Whether bytes begin as journals do.
bool is_journal(std::string_view bytes);

class JournalWriter {
 public:
  // A new one. Throws std::system_error where it cannot be written, or where it is there already
  // and is not to be overwritten; ModelError where another run writes it, or where `overwrite`
  // meets a file with contents but without the journal's mark, which is left alone.
  JournalWriter(const std::string& path, const RunCard& card, bool keeps_states, bool overwrite);
  // Goes on behind what is whole.
  JournalWriter(const std::string& path, const Journal& journal);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  // The next sample; kept back until the next block.
  void see(const State& state, std::span<const double> row);
  // Whether it is time for a block: a second has passed, or much has come together.
  bool is_due() const;
  // A block. Fails where it cannot be written; then nothing of it is, and later ones fail too.
  [[nodiscard]] Status keep(const RunProgress& progress, const Checkpoint& checkpoint);
  // The last block; `stopped`: why it did not come to its end.
  [[nodiscard]] Status finish(const RunProgress& progress, const std::string& stopped);
  // Once other files have it all.
  void remove();
  // All that was written, read through the open file: also where its name has been removed.
  Journal read_back() const;
  // Whether someone removed the file while it was written.
  bool is_removed() const;
  // Writes a removed file again under its name. Fails where that cannot be.
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
  std::size_t size_ = 0;  // of what is whole
  bool keeps_states_;
  std::unique_ptr<Block> block_;  // on its way
  std::chrono::steady_clock::time_point last_;
  Status failed_;
};

}  // namespace trammel
