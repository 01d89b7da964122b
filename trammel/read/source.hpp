// A file as text: what is no text, or too much of it, is refused in bounded time and memory.
#pragma once

#include <optional>
#include <string>

#include "trammel/base/diagnostics.hpp"

namespace trammel {

struct Source {
  std::string name;  // as the user gave it: it begins every place
  std::string text;  // UTF-8 without NUL
};

inline constexpr std::size_t largest_source = std::size_t(64) << 20;  // [bytes]

// The text of a file; nothing, and a mistake reported, if there is none, if it is a folder or a
// pipe, or if what it holds is no text.
std::optional<Source> open_source(const std::string& path, Diagnostics& diagnostics);
// Is it text? Reports what is not.
bool check_text(const Source& source, Diagnostics& diagnostics);

}  // namespace trammel
