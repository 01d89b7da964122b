// Where a run is kept while it goes on, and what it goes on from.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "terminal.hpp"
#include "trammel/write/journal.hpp"

namespace trammel::cli {

class RunJournal {
 public:
  void offer(CLI::App& app);  // --journal, --resume

  // Beside the first file that the run is written into, unless said; no file, no journal. Throws
  // UsageError and WorkFailed, before anything runs.
  void choose(const std::vector<std::string>& files, bool force);
  const std::string& path() const { return path_; }  // empty: there is none
  // Begins it, or goes on with the one that is there, which must be of the same run. `draws`: there
  // is to be a page, too.
  void open(const RunCard& card, bool draws, Terminal& terminal);
  bool is_open() const { return writer_ != nullptr; }
  // What is there of a run that goes on; none of one that begins.
  const std::optional<Journal>& before() const { return before_; }
  bool has_ended() const { return before_ && before_->has_ended; }
  const Checkpoint* from() const {
    return before_ && before_->checkpoint ? &*before_->checkpoint : nullptr;
  }

  void see(const State& state, std::span<const double> row) { writer_->see(state, row); }
  bool is_due() const { return writer_->is_due(); }
  [[nodiscard]] Status keep(const RunProgress& progress, const Checkpoint& checkpoint);
  [[nodiscard]] Status finish(const RunProgress& progress, const std::string& stopped);
  // The journal is all there is, because the run was interrupted or the disk is full; how to go on.
  bool is_left() const { return is_left_; }
  void leave() { is_left_ = true; }
  std::string what_next() const;

  RunRecord record() const { return writer_->read_back().run; }
  // Once: the journal's name has been removed while the run goes on.
  bool is_newly_removed();
  void discard();  // the run never began: nothing is to be left of it
  void close();    // the run's files are there: one that nobody asked for goes

 private:
  std::string path_;
  bool is_asked_for_ = false, resumes_ = false, overwrites_ = false, is_left_ = false,
       is_removed_ = false;
  std::optional<Journal> before_;
  std::unique_ptr<JournalWriter> writer_;
};

}  // namespace trammel::cli
