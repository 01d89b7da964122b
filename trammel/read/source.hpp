// Reads a file as text, in bounded time and memory; refuses files that are not text or too large.
#pragma once

#include <optional>
#include <string>

#include "trammel/base/diagnostics.hpp"

namespace trammel {

struct Source {
  std::string name;  // as given by the user; the file name of every place
  std::string text;  // UTF-8 without NUL
};

inline constexpr std::size_t largest_source = std::size_t(64) << 20;  // [bytes]

// The text of a file. Returns nothing and reports an error if the file is missing, is a folder or a
// pipe, or is not text.
std::optional<Source> open_source(const std::string& path, Diagnostics& diagnostics);
// Checks that the source is text, and reports the first byte that is not.
bool check_text(const Source& source, Diagnostics& diagnostics);

}  // namespace trammel
