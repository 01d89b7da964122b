#include "files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "endings.hpp"
#include "trammel/write/plot/raster/png.hpp"
#include "trammel/write/plot/raster/svg_image.hpp"

namespace trammel::cli {

namespace {

[[noreturn]] void give_up(const std::string& path, int error) {
  throw WorkFailed(fmt::format("{} could not be written: {}", path, std::strerror(error)));
}

// A device or a pipe is written in place: there is no file to rename.
bool is_special(const std::string& path) {
  struct stat statistics;
  return stat(path.c_str(), &statistics) == 0 && !S_ISREG(statistics.st_mode) &&
         !S_ISDIR(statistics.st_mode);
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

bool is_link(const std::string& path) {
  struct stat statistics;
  return lstat(path.c_str(), &statistics) == 0 && S_ISLNK(statistics.st_mode);
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

// errno of the failure, 0 on success; some file systems cannot sync and return EINVAL
int sync_to_disk(int file) { return fsync(file) == 0 || errno == EINVAL ? 0 : errno; }

// After a loss of power a file has its new name only if its folder is on the disk, too.
void sync_folder(const std::string& folder) {
  const int handle = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return;  // a folder that is writable but not readable cannot be synced
  fsync(handle);
  close(handle);
}

// Target of a path, links resolved; the path itself if that fails.
std::string leads_to(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  return error ? path : real.string();
}

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat first, second;
  if (stat(a.c_str(), &first) == 0 && stat(b.c_str(), &second) == 0)
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
  return leads_to(a) == leads_to(b);
}

[[noreturn]] void refuse_to_overwrite(const std::string& path) {
  throw WorkFailed(fmt::format("{} is there already; add --force to overwrite it", path));
}

}  // namespace

void expect_free(const std::string& path, bool force) {
  if (path == "-" || is_special(path)) return;
  if (is_link(path) && access(path.c_str(), F_OK) != 0)
    throw WorkFailed(
        fmt::format("{} is a link to {}, which is not there; name that file, or remove the link",
                    path, std::filesystem::read_symlink(path).string()));
  struct stat statistics;
  if (stat(path.c_str(), &statistics) == 0 && S_ISDIR(statistics.st_mode)) give_up(path, EISDIR);
  if (!force && access(path.c_str(), F_OK) == 0) refuse_to_overwrite(path);
  const std::string folder = folder_of(force ? leads_to(path) : path);
  if (access(folder.c_str(), W_OK | X_OK) != 0) give_up(path, errno);
}

std::vector<NamedFile> named(const std::string& what, const std::vector<std::string>& paths) {
  std::vector<NamedFile> files;
  for (const std::string& path : paths) files.push_back({what, path});
  return files;
}

std::vector<NamedFile> files_of(const Model& model) {
  std::set<std::string> paths;
  const auto add = [&](const auto& items) {
    for (const auto& item : items) paths.insert(item.place.file);
  };
  add(model.description().bodies);
  add(model.description().joints);
  add(model.description().wheels);
  std::vector<NamedFile> files;
  for (const std::string& path : paths) files.push_back({"the included file", path});
  return files;
}

void expect_distinct(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read) {
  const auto counts = [](const NamedFile& file) {
    return !file.path.empty() && (file.path == "-" || !is_special(file.path));
  };
  const auto expect_two = [&](const NamedFile& a, const NamedFile& b) {
    if (!counts(a) || !counts(b)) return;
    if ((a.path == "-" || b.path == "-") ? a.path != b.path : !is_same_file(a.path, b.path)) return;
    throw UsageError(
        a.path == b.path
            ? fmt::format("{} and {} are the same file: {}", a.what, b.what, a.path)
            : fmt::format("{} {} and {} {} are the same file", a.what, a.path, b.what, b.path),
        "name another file for one of them");
  };
  for (std::size_t k = 0; k < written.size(); ++k) {
    for (std::size_t other = 0; other < k; ++other) expect_two(written[other], written[k]);
    for (const NamedFile& file : read)
      if (!file.path.starts_with('@') && file.path != "-") expect_two(written[k], file);
  }
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
  const std::string target = force && is_link(path) ? leads_to(path) : path;
  std::string temporary = target + ".XXXXXX";
  const int file = mkstemp(temporary.data());
  if (file < 0) give_up(path, errno);
  int error = write_all(file, text);
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(file, 0666 & ~mask);  // the mode of any new file; mkstemp's is private
  // before the rename: else a loss of power could leave the new name and no contents
  if (error == 0) error = sync_to_disk(file);
  if (close(file) != 0 && error == 0) error = errno;
  if (error == 0 && force && std::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  // link() fails with EEXIST if the file exists, even if it was created just now
  if (error == 0 && !force && link(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0 || !force) unlink(temporary.c_str());
  if (error == EEXIST) refuse_to_overwrite(path);
  if (error != 0) give_up(path, error);
  sync_folder(folder_of(target));
  terminal.note(fmt::format("wrote {}", path));
}

void write_picture(const std::string& path, const std::string& svg, bool force,
                   Terminal& terminal) {
  const bool is_png = ending_of(path) == ".png";
  write_file(path, is_png ? write_png(rasterize_svg(svg, 2)) : svg, force, terminal);
}

}  // namespace trammel::cli
