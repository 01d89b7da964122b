#include "trammel/read/source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>

namespace trammel {

namespace {

// How many bytes a UTF-8 character has that begins here; 0 if none does.
std::size_t character_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[at + k]); };
  const std::size_t length = byte(0) < 0x80             ? 1
                             : (byte(0) & 0xe0) == 0xc0 ? 2
                             : (byte(0) & 0xf0) == 0xe0 ? 3
                             : (byte(0) & 0xf8) == 0xf0 ? 4
                                                        : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xc0) != 0x80) return 0;
  return length;
}

Place place_at(const Source& source, std::size_t at) {
  const std::string_view before = std::string_view(source.text).substr(0, at);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {source.name, int(std::count(before.begin(), before.end(), '\n')) + 1,
          int(at - line_start) + 1};
}

}  // namespace

bool check_text(const Source& source, Diagnostics& diagnostics) {
  for (std::size_t at = 0; at < source.text.size();) {
    const std::size_t length = character_length(source.text, at);
    if (length == 0 || source.text[at] == '\0') {
      diagnostics.error(
          place_at(source, at),
          fmt::format("byte 0x{:02x} is not text", static_cast<unsigned char>(source.text[at])),
          "a model file is text in UTF-8; is this the right file?");
      return false;
    }
    at += length;
  }
  return true;
}

std::optional<Source> open_source(const std::string& path, Diagnostics& diagnostics) {
  namespace fs = std::filesystem;
  const auto refuse = [&](const std::string& fact, const std::string& hint) {
    diagnostics.error({path, 0, 0}, fact, hint);
    return std::nullopt;
  };
  std::error_code none;
  const fs::file_status status = fs::status(path, none);
  if (status.type() == fs::file_type::not_found)
    return refuse("there is no such file", "check the path; '@name' takes a model of the gallery");
  if (status.type() == fs::file_type::directory)
    return refuse("this is a folder", "name a model file in it");
  if (status.type() != fs::file_type::regular)
    return refuse("this is not a regular file", "copy its contents into a file first");

  // what a file says of its size is not always so: read, and see
  Source source{path, {}};
  std::ifstream file(path, std::ios::binary);
  std::vector<char> piece(std::size_t(1) << 16);
  while (file && source.text.size() <= largest_source) {
    file.read(piece.data(), std::streamsize(piece.size()));
    source.text.append(piece.data(), std::size_t(file.gcount()));
  }
  if (!file.eof() && !file.good())
    return refuse(fmt::format("the file cannot be read: {}", std::strerror(errno)),
                  "check its permissions");
  if (source.text.size() > largest_source)
    return refuse(
        fmt::format("the file has more than the {} MB a model may have", largest_source >> 20),
        "is this the right file?");
  if (source.text.starts_with("\xef\xbb\xbf")) source.text.erase(0, 3);  // byte order mark
  if (!check_text(source, diagnostics)) return std::nullopt;
  return source;
}

}  // namespace trammel
