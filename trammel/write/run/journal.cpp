#include "trammel/write/run/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fmt/format.h>

#include "trammel/base/diagnostics.hpp"
#include "trammel/write/run/journal/frame.hpp"
#include "trammel/write/run/journal/records.hpp"

namespace trammel {

namespace {

constexpr std::size_t much = 1 << 20;  // numbers in a block

[[noreturn]] void give_up(const std::string& path, int error, const char* what) {
  throw std::system_error(error, std::generic_category(), path + " " + what);
}

// The new name of a file survives a loss of power only after its folder has been synchronized.
void sync_folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
  const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return;
  fsync(handle);
  close(handle);
}

// returns errno of the failure, or 0
int write_all(int file, std::string_view rest) {
  while (!rest.empty()) {
    const ssize_t count = ::write(file, rest.data(), rest.size());
    if (count >= 0)
      rest.remove_prefix(std::size_t(count));
    else if (errno != EINTR)
      return errno;
  }
  return fdatasync(file) != 0 && errno != EINVAL ? errno : 0;
}

}  // namespace

struct JournalWriter::Block : JournalBlock {
  std::size_t rows = 0;
};

void JournalWriter::open(int flags) {
  // nonblocking: a pipe without a reader must not wait
  file_ = ::open(path_.c_str(), flags | O_RDWR | O_CLOEXEC | O_NONBLOCK, 0666);
  if (file_ < 0) give_up(path_, errno, "could not be written");
  // two runs writing one journal would destroy both
  if (flock(file_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  close(file_);
  if (error == EWOULDBLOCK)
    refuse_journal(path_, "is being written by another run",
                   "wait for its end, or give this run another -o or --journal");
  give_up(path_, error, "could not be locked");
}

// Only a journal or an empty file may be overwritten.
void JournalWriter::expect_journal() {
  struct stat statistics;
  std::array<char, 64> begin;
  const bool is_file = fstat(file_, &statistics) == 0 && S_ISREG(statistics.st_mode);
  const ssize_t count = is_file ? pread(file_, begin.data(), begin.size(), 0) : -1;
  if (count == 0 || (count > 0 && is_journal({begin.data(), std::size_t(count)}))) return;
  close(file_);
  refuse_journal(path_, is_file ? "is no journal: it is left alone" : "is not a regular file",
                 "name another file: --journal run.journal");
}

JournalWriter::JournalWriter(const std::string& path, const RunMetadata& metadata,
                             bool keeps_states, bool overwrite)
    : path_(path),
      keeps_states_(keeps_states),
      block_(std::make_unique<Block>()),
      last_(std::chrono::steady_clock::now()) {
  open(O_CREAT | (overwrite ? 0 : O_EXCL));
  expect_journal();
  const bool is_empty = ftruncate(file_, 0) == 0;
  const int error = errno;
  if (const Status status =
          is_empty ? append(framed(RecordKind::metadata, payload_of({metadata, keeps_states})))
                   : Status::failure("");
      !status) {
    const int why = is_empty ? errno : error;
    close(file_);
    unlink(path_.c_str());
    give_up(path_, why, "could not be written");
  }
  sync_folder_of(path_);
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
  const int error = write_all(file_, record);
  if (error == 0) {
    size_ += record.size();
    return {};
  }
  // remove a partial block; if that fails, its checksum marks it as damaged
  if (ftruncate(file_, off_t(size_)) == 0) lseek(file_, off_t(size_), SEEK_SET);
  errno = error;
  failed_ =
      Status::failure(fmt::format("{} could not be written: {}", path_, std::strerror(error)));
  return failed_;
}

void JournalWriter::observe(const State& state, std::span<const double> row) {
  block_->values.insert(block_->values.end(), row.begin(), row.end());
  if (keeps_states_) block_->states.push_back(state);
  block_->end = state;
  ++block_->rows;
}

bool JournalWriter::is_due() const {
  return block_->values.size() >= much || std::chrono::steady_clock::now() - last_ >= every;
}

Status JournalWriter::write_block(const RunProgress& progress) {
  block_->statistics = progress.statistics;
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

void JournalWriter::remove() {
  if (!is_removed()) unlink(path_.c_str());
}

bool JournalWriter::is_removed() const {
  struct stat statistics;
  return fstat(file_, &statistics) == 0 && statistics.st_nlink == 0;
}

std::string JournalWriter::written() const {
  std::string bytes(size_, '\0');
  std::size_t at = 0;
  while (at < bytes.size()) {
    const ssize_t count = pread(file_, bytes.data() + at, bytes.size() - at, off_t(at));
    if (count > 0)
      at += std::size_t(count);
    else if (count == 0 || errno != EINTR)
      break;
  }
  bytes.resize(at);
  return bytes;
}

Journal JournalWriter::read_back() const { return journal_of(path_, written()); }

Status JournalWriter::restore() const {
  const int file = ::open(path_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  int error = file < 0 ? errno : write_all(file, written());
  if (file >= 0) close(file);
  if (error == 0) sync_folder_of(path_);
  return error == 0 ? Status()
                    : Status::failure(
                          fmt::format("{} could not be written: {}", path_, std::strerror(error)));
}

}  // namespace trammel
