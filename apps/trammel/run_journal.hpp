// Journal of a running simulation, from which it can be resumed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "terminal.hpp"
#include "trammel/write/run/journal.hpp"

namespace trammel::cli {

class RunJournal {
 public:
  void offer(CLI::App& app);  // --journal, --resume

  // Default: next to the first output file of the run; without one there is no journal. Throws
  // UsageError and WorkFailed, before anything runs.
  void choose(const std::vector<std::string>& files, bool force);
  const std::string& path() const { return path_; }  // empty: there is none
  // Begins a journal, or continues the existing one, which must belong to the same run. `draws`:
  // the states are stored too, for a page.
  void open(const RunMetadata& metadata, bool draws, Terminal& terminal);
  bool is_open() const { return writer_ != nullptr; }
  // Stored part of a resumed run; none if the run is new.
  const std::optional<Journal>& before() const { return before_; }
  bool has_ended() const { return before_ && before_->has_ended; }
  const Checkpoint* from() const {
    return before_ && before_->checkpoint ? &*before_->checkpoint : nullptr;
  }

  void observe(const State& state, std::span<const double> row) { writer_->observe(state, row); }
  bool is_due() const { return writer_->is_due(); }
  [[nodiscard]] Status keep(const RunProgress& progress, const Checkpoint& checkpoint);
  [[nodiscard]] Status finish(const RunProgress& progress, const std::string& stopped);
  // Whether the journal is the only output, because the run was interrupted or the disk is full;
  // what_next() tells how to continue.
  bool is_left() const { return is_left_; }
  void leave() { is_left_ = true; }
  std::string what_next() const;

  RunRecord record() const { return writer_->read_back().run; }
  // True once, after the journal's file has been removed during the run.
  bool is_newly_removed();
  void discard();  // the run never began: removes the journal
  void close();    // the run's files are written: removes a journal that --journal did not request

 private:
  std::string path_;
  bool is_requested_ = false, resumes_ = false, overwrites_ = false, is_left_ = false,
       is_removed_ = false;
  std::optional<Journal> before_;
  std::unique_ptr<JournalWriter> writer_;
};

}  // namespace trammel::cli
