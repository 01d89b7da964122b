#include "trammel/write/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include <fmt/format.h>

#include "trammel/write/journal/frame.hpp"
#include "trammel/write/journal/records.hpp"

namespace trammel {

namespace {

constexpr std::size_t much = 1 << 20;  // numbers in a block

[[noreturn]] void give_up(const std::string& path, int error, const char* what) {
  throw std::system_error(error, std::generic_category(), path + " " + what);
}

}  // namespace

struct JournalWriter::Block : JournalBlock {
  std::size_t rows = 0;
};

void JournalWriter::open(int flags) {
  file_ = ::open(path_.c_str(), flags | O_RDWR | O_CLOEXEC, 0666);
  if (file_ < 0) give_up(path_, errno, "could not be written");
  // two runs in one journal would be the end of both
  if (flock(file_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  close(file_);
  give_up(path_, error,
          error == EWOULDBLOCK ? "is being written by another run" : "could not be locked");
}

JournalWriter::JournalWriter(const std::string& path, const RunCard& card, bool keeps_states,
                             bool overwrite)
    : path_(path),
      keeps_states_(keeps_states),
      block_(std::make_unique<Block>()),
      last_(std::chrono::steady_clock::now()) {
  open(O_CREAT | (overwrite ? 0 : O_EXCL));
  const bool is_empty = ftruncate(file_, 0) == 0;
  const int error = errno;
  if (const Status status = is_empty
                                ? append(framed(RecordKind::card, payload_of({card, keeps_states})))
                                : Status::failure("");
      !status) {
    const int why = is_empty ? errno : error;
    close(file_);
    unlink(path_.c_str());
    give_up(path_, why, "could not be written");
  }
}

JournalWriter::JournalWriter(const std::string& path, const Journal& journal)
    : path_(path),
      size_(journal.size),
      keeps_states_(journal.keeps_states),
      block_(std::make_unique<Block>()),
      last_(std::chrono::steady_clock::now()) {
  open(0);
  block_->first_sample = journal.run.recording.samples();
  if (ftruncate(file_, off_t(size_)) == 0 && lseek(file_, off_t(size_), SEEK_SET) >= 0) return;
  const int error = errno;
  close(file_);
  give_up(path_, error, "could not be written");
}

JournalWriter::~JournalWriter() { close(file_); }

Status JournalWriter::append(const std::string& record) {
  if (!failed_) return failed_;
  std::string_view rest = record;
  int error = 0;
  while (!rest.empty() && error == 0) {
    const ssize_t count = ::write(file_, rest.data(), rest.size());
    if (count >= 0)
      rest.remove_prefix(std::size_t(count));
    else if (errno != EINTR)
      error = errno;
  }
  if (error == 0 && fdatasync(file_) != 0 && errno != EINVAL) error = errno;
  if (error == 0) {
    size_ += record.size();
    return {};
  }
  // half a block is none; if it stays, its checksum tells
  if (ftruncate(file_, off_t(size_)) == 0) lseek(file_, off_t(size_), SEEK_SET);
  errno = error;
  failed_ =
      Status::failure(fmt::format("{} could not be written: {}", path_, std::strerror(error)));
  return failed_;
}

void JournalWriter::see(const State& state, std::span<const double> row) {
  block_->values.insert(block_->values.end(), row.begin(), row.end());
  if (keeps_states_) block_->states.push_back(state);
  block_->end = state;
  ++block_->rows;
}

bool JournalWriter::is_due() const {
  return block_->values.size() >= much || std::chrono::steady_clock::now() - last_ >= every;
}

Status JournalWriter::write_block(const RunProgress& progress) {
  block_->facts = progress.facts;
  block_->audit = progress.audit;
  block_->seconds = progress.seconds;
  if (Status status = append(framed(RecordKind::block, payload_of(*block_))); !status)
    return status;
  block_->first_sample += block_->rows;
  block_->rows = 0;
  block_->values.clear();
  block_->states.clear();
  last_ = std::chrono::steady_clock::now();
  return {};
}

Status JournalWriter::keep(const RunProgress& progress, const Checkpoint& checkpoint) {
  block_->checkpoint = checkpoint;
  return write_block(progress);
}

Status JournalWriter::finish(const RunProgress& progress, const std::string& stopped) {
  block_->checkpoint.reset();
  block_->has_ended = true;
  block_->is_complete = stopped.empty();
  block_->stopped = stopped;
  return write_block(progress);
}

void JournalWriter::remove() { unlink(path_.c_str()); }

}  // namespace trammel
