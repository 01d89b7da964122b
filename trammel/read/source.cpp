#include "trammel/read/source.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/base/file_bytes.hpp"
#include "trammel/base/utf8.hpp"

namespace trammel {

namespace {

Place place_at(const Source& source, std::size_t at) {
  const std::string_view before = std::string_view(source.text).substr(0, at);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {source.name, int(std::count(before.begin(), before.end(), '\n')) + 1,
          int(at - line_start) + 1};
}

}  // namespace

bool check_text(const Source& source, Diagnostics& diagnostics) {
  for (std::size_t at = 0; at < source.text.size();) {
    const auto byte = static_cast<unsigned char>(source.text[at]);
    if (byte > 0 && byte < 0x80) {  // ASCII
      ++at;
      continue;
    }
    const std::size_t length = utf8_length(source.text, at);
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
  FileBytes file = file_bytes(path, largest_source);
  if (!file.ok()) {
    if (file.problem == FileProblem::missing)
      file.hint = "check the path; '@name' takes a model of the gallery";
    if (file.problem == FileProblem::folder) file.hint = "name a model file in it";
    if (file.problem == FileProblem::too_large)
      file.fact =
          fmt::format("the file has more than the {} MB a model may have", largest_source >> 20);
    diagnostics.error({path, 0, 0}, file.fact, file.hint);
    return std::nullopt;
  }
  Source source{path, std::move(file.bytes)};
  if (source.text.starts_with("\xef\xbb\xbf")) source.text.erase(0, 3);  // byte order mark
  if (!check_text(source, diagnostics)) return std::nullopt;
  return source;
}

}  // namespace trammel
