#include "trammel/base/file_bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fmt/format.h>

namespace trammel {

namespace {

constexpr std::size_t piece_size = std::size_t(1) << 16;

FileBytes refused(FileProblem problem, std::string fact, std::string hint) {
  return {{}, problem, std::move(fact), std::move(hint)};
}

FileBytes read_error(int error) {
  return refused(FileProblem::unreadable,
                 fmt::format("the file cannot be read: {}", std::strerror(error)),
                 error == EAGAIN ? "it gives nothing now: copy its contents into a file first"
                                 : "check its permissions");
}

FileBytes read_open_file(int file, std::size_t most, const AcceptBeginning& accepts) {
  struct stat status;
  if (fstat(file, &status) != 0) return read_error(errno);
  if (S_ISDIR(status.st_mode))
    return refused(FileProblem::folder, "this is a folder", "name a file in it");
  if (!S_ISREG(status.st_mode))
    return refused(FileProblem::special, "this is not a regular file",
                   "copy its contents into a file first");
  FileBytes out;
  std::vector<char> piece(piece_size);
  bool is_beginning = true;
  while (out.bytes.size() <= most) {
    const ssize_t count = ::read(file, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return read_error(errno);
    if (is_beginning && accepts && !accepts({piece.data(), std::size_t(count)}))
      return refused(FileProblem::rejected, "does not begin as expected",
                     "is this the right file?");
    if (is_beginning && status.st_size > count)
      out.bytes.reserve(std::min(std::size_t(status.st_size), most));
    is_beginning = false;
    if (count == 0) return out;
    out.bytes.append(piece.data(), std::size_t(count));
  }
  return refused(FileProblem::too_large, fmt::format("the file has more than {} MB", most >> 20),
                 "is this the right file?");
}

}  // namespace

FileBytes file_bytes(const std::string& path, std::size_t most, const AcceptBeginning& accepts) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0)
    return errno == ENOENT
               ? refused(FileProblem::missing, "there is no such file", "check the path")
               : read_error(errno);
  FileBytes out = read_open_file(file, most, accepts);
  close(file);
  return out;
}

}  // namespace trammel
