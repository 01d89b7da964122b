#include "run_journal.hpp"

#include <sys/stat.h>

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "files.hpp"
#include "trammel/base/file_bytes.hpp"

namespace trammel::cli {

namespace {

bool is_there(const std::string& path) {
  struct stat statistics;
  return stat(path.c_str(), &statistics) == 0;
}
// Any other file is never overwritten, with or without --force.
bool is_journal_or_empty(const std::string& path) {
  const FileBytes found = file_bytes(path, 1, [](std::string_view beginning) {
    return beginning.empty() || is_journal(beginning);
  });
  return found.ok() || found.problem == FileProblem::too_large;  // its first bytes suffice
}
bool is_special(const std::string& path) {  // stdout or a device: cannot be resumed from
  struct stat statistics;
  return path == "-" || (stat(path.c_str(), &statistics) == 0 && !S_ISREG(statistics.st_mode));
}

}  // namespace

void RunJournal::offer(CLI::App& app) {
  app.add_option("--journal", path_,
                 "write the run to this journal while it goes on, and keep it; default: "
                 "FILE.journal next to the FILE of -o, deleted once that is written")
      ->type_name("FILE");
  app.add_flag("--resume", resumes_, "continue a run that was interrupted");
}

void RunJournal::choose(const std::vector<std::string>& files, bool force) {
  is_requested_ = !path_.empty();
  overwrites_ = force;
  for (const std::string& file : files)
    if (path_.empty() && !is_special(file)) path_ = file + ".journal";
  if (path_.empty()) {
    if (resumes_)
      throw UsageError("option --resume needs the journal of the run",
                       "repeat the -o or --journal of its start");
    return;
  }
  if (resumes_ && !is_there(path_))
    throw WorkFailed(
        fmt::format("there is no {} to go on from; leave --resume out to begin", path_));
  if (is_there(path_) && !is_journal_or_empty(path_))
    throw WorkFailed(fmt::format(
        "{} is there already and is no journal: it is left alone; name another --journal", path_));
  if (!resumes_ && !force && is_there(path_))
    throw WorkFailed(
        fmt::format("{0} is there already: a run that did not come to its end; add --resume to go "
                    "on with it, --force to begin anew, or trammel recover {0}",
                    path_));
  expect_free(path_, force || resumes_);
}

void RunJournal::open(const RunMetadata& metadata, bool draws, Terminal& terminal) {
  if (path_.empty()) return;
  if (resumes_) {
    before_ = read_journal(path_, AtDamage::stop);
    const RunMetadata& then = before_->run.metadata;
    if (const std::string other = what_differs(then, metadata); !other.empty())
      throw WorkFailed(fmt::format(
          "{} is of another run: {}; use the same options as when it began", path_, other));
    if (draws && !before_->keeps_states)
      throw WorkFailed(
          fmt::format("{} was begun without --report: go on without it, or begin anew", path_));
    if (then.program != metadata.program)
      terminal.note(fmt::format("{} was begun by another build, last digits may differ: {}", path_,
                                then.program));
    for (const std::string& damage : before_->damage)
      terminal.note(fmt::format("{}: {}; the run goes on from before it", path_, damage));
    terminal.note(before_->has_ended
                      ? fmt::format("{} has the whole run", path_)
                      : fmt::format("going on at t = {:.9g} s", before_->run.end.time));
  }
  writer_ = before_ ? std::make_unique<JournalWriter>(path_, *before_)
                    : std::make_unique<JournalWriter>(path_, metadata, draws, overwrites_);
}

Status RunJournal::keep(const RunProgress& progress, const Checkpoint& checkpoint) {
  Status status = writer_->keep(progress, checkpoint);
  is_left_ = !status.ok();
  return status;
}

Status RunJournal::finish(const RunProgress& progress, const std::string& stopped) {
  Status status = writer_->finish(progress, stopped);
  is_left_ = !status.ok();
  return status;
}

std::string RunJournal::what_next() const {
  const Journal left = writer_->read_back();
  if (writer_->is_removed())
    if (const Status status = writer_->restore(); !status)
      return fmt::format("the journal was removed while the run went on, and {}", status.message());
  return fmt::format(
      "{0} has all up to t = {1:.9g} s: add --resume to go on from there, or trammel recover {0}",
      path_, left.run.end.time);
}

bool RunJournal::is_newly_removed() {
  return writer_ && !is_removed_ && (is_removed_ = writer_->is_removed());
}

void RunJournal::discard() {
  if (writer_) writer_->remove();
}

void RunJournal::close() {
  if (writer_ && !is_requested_) writer_->remove();
}

}  // namespace trammel::cli
