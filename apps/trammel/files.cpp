#include "files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

namespace trammel::cli {

namespace {

[[noreturn]] void give_up(const std::string& path, int error) {
  throw WorkFailed(fmt::format("{} could not be written: {}", path, std::strerror(error)));
}

// A device or a pipe is written to as it is: there is nothing to rename.
bool is_special(const std::string& path) {
  struct stat facts;
  return stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
}

int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count >= 0)
      text.remove_prefix(std::size_t(count));
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

[[noreturn]] void refuse_to_overwrite(const std::string& path) {
  throw WorkFailed(fmt::format("{} is there already; add --force to overwrite it", path));
}

}  // namespace

void expect_free(const std::string& path, bool force) {
  if (path == "-" || is_special(path)) return;
  if (!force && access(path.c_str(), F_OK) == 0) refuse_to_overwrite(path);
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  if (access(folder.c_str(), W_OK | X_OK) != 0) give_up(path, errno);
}

void write_file(const std::string& path, std::string_view text, bool force, Terminal& terminal) {
  if (path == "-") return terminal.answer(text);
  if (is_special(path)) {
    const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) give_up(path, errno);
    const int error = write_all(file, text);
    close(file);
    if (error != 0) give_up(path, error);
    return;
  }
  std::string beside = path + ".XXXXXX";
  const int file = mkstemp(beside.data());
  if (file < 0) give_up(path, errno);
  int error = write_all(file, text);
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(file, 0666 & ~mask);  // as any new file; mkstemp's own are private
  if (close(file) != 0 && error == 0) error = errno;
  if (error == 0 && force && std::rename(beside.c_str(), path.c_str()) != 0) error = errno;
  // a link refuses to replace what is there, even if it came this very moment
  if (error == 0 && !force && link(beside.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0 || !force) unlink(beside.c_str());
  if (error == EEXIST) refuse_to_overwrite(path);
  if (error != 0) give_up(path, error);
  terminal.note(fmt::format("wrote {}", path));
}

}  // namespace trammel::cli
