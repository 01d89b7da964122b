#include "trammel/read/package.hpp"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

namespace trammel {

namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none);
}

std::vector<fs::path> ros_package_path() {
  std::vector<fs::path> folders;
  const char* list = std::getenv("ROS_PACKAGE_PATH");
  for (std::string_view rest = list ? list : ""; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) folders.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return folders;
}

// The folder of the model file, and those above it.
std::vector<fs::path> folders_above(const std::string& model_file) {
  std::vector<fs::path> folders = {fs::path(model_file).parent_path()};
  std::error_code none;
  fs::path folder = fs::absolute(model_file, none).lexically_normal().parent_path();
  while (folder.has_relative_path()) folders.push_back(folder = folder.parent_path());
  return folders;
}

// `folder` may contain the package, or be the package itself.
std::string look_in(const fs::path& folder, std::string_view package, const fs::path& path) {
  if (is_file(folder / package / path)) return (folder / package / path).string();
  std::error_code none;
  const bool is_package = fs::absolute(folder, none).lexically_normal().filename() == package;
  return is_package && is_file(folder / path) ? (folder / path).string() : "";
}

class PackageSearch {
 public:
  PackageSearch(std::string_view uri, const std::string& model_file)
      : name_(uri.substr(0, uri.find('/'))), model_file_(model_file) {
    if (name_.size() < uri.size()) path_ = fs::path(uri.substr(name_.size() + 1));
  }

  FoundFile search(const std::vector<std::pair<std::string, std::string>>& packages) {
    FoundFile found;
    for (const auto& [name, folder] : packages) {
      if (name != name_) continue;
      found.looked += fmt::format("in '{}', ", folder);
      if (is_file(fs::path(folder) / path_)) return {(fs::path(folder) / path_).string(), {}, {}};
    }
    for (const auto& folders : {ros_package_path(), folders_above(model_file_)})
      for (const fs::path& folder : folders)
        if (found.path.empty()) found.path = look_in(folder, name_, path_);
    found.looked += fmt::format(
        "in the folders of ROS_PACKAGE_PATH, and in '{}' beside the file and above it", name_);
    found.hint = fmt::format("say where it is with --package {}=FOLDER", name_);
    return found;
  }

 private:
  std::string name_;
  const std::string& model_file_;
  fs::path path_;
};

}  // namespace

FoundFile find_file(std::string_view uri, const std::string& model_file,
                    const std::vector<std::pair<std::string, std::string>>& packages) {
  constexpr std::string_view package = "package://", file = "file://";
  if (uri.starts_with(package))
    return PackageSearch(uri.substr(package.size()), model_file).search(packages);
  if (uri.starts_with(file)) uri.remove_prefix(file.size());
  const fs::path path = fs::path(model_file).parent_path() / fs::path(uri);
  return {is_file(path) ? path.string() : "", fmt::format("at '{}'", path.string()),
          "a path is taken from the folder of the file"};
}

}  // namespace trammel
