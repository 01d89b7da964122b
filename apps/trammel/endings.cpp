#include "endings.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "terminal.hpp"

namespace trammel::cli {

std::string ending_of(const std::string& path) {
  const std::size_t slash = path.rfind('/'), begin = slash == std::string::npos ? 0 : slash + 1;
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos || dot <= begin || dot + 1 == path.size()) return {};
  std::string ending = path.substr(dot);
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

void expect_ending(const std::string& path, std::string_view option,
                   std::initializer_list<std::string_view> known) {
  const std::string ending = ending_of(path);
  if (ending.empty() || path.starts_with("/dev/") ||
      std::ranges::find(known, ending) != known.end())
    return;
  throw UsageError(
      fmt::format("option {} is '{}': '{}' files are not written", option, path, ending),
      fmt::format("endings that are written here: {}",
                  fmt::join(known.begin(), known.end(), ", ")));
}

}  // namespace trammel::cli
