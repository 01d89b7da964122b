// The bytes of a regular file, read in bounded time and memory: devices, pipes and folders are
// refused at once, and no read waits for a writer.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace trammel {

enum class FileProblem { none, missing, folder, special, unreadable, too_large, rejected };

struct FileBytes {
  std::string bytes;
  FileProblem problem = FileProblem::none;
  std::string fact, hint;  // the problem in words, and the next step for the user
  bool ok() const { return problem == FileProblem::none; }
};

// Judges the first bytes (at most 64 kB) of a file before the rest is read: false refuses it.
using AcceptBeginning = std::function<bool(std::string_view beginning)>;

// All bytes of the file `path`, at most `most` of them. Opened without waiting (a FIFO without a
// writer, /proc/kmsg), and only if it is a regular file after links are followed. The size that the
// file states is not trusted: files of /proc state 0. The messages suit any file; callers may add
// details.
FileBytes file_bytes(const std::string& path, std::size_t most,
                     const AcceptBeginning& accepts = {});

}  // namespace trammel
