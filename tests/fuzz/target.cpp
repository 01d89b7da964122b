#include "tests/fuzz/target.hpp"

#include <algorithm>

namespace trammel::fuzz {

void expect(bool holds, const std::string& fact) {
  if (!holds) throw Finding(fact);
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = [&](std::size_t k) -> std::uint32_t {
      return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0;
    };
    const std::uint32_t first = byte(0);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xc2 && first < 0xe0 ? 2
                               : first >= 0xe0 && first < 0xf0 ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    if (length == 0) return false;
    std::uint32_t code = length == 1 ? first : first & (0xffu >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
      if ((byte(k) & 0xc0u) != 0x80u) return false;
      code = code << 6 | (byte(k) & 0x3fu);
    }
    const bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    if (is_overlong || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
    at += length;
  }
  return true;
}

void expect_readable(const Diagnostics& diagnostics, std::string_view file, std::string_view text) {
  const auto lines = std::ranges::count(text, '\n') + 1;
  for (const Diagnostic& each : diagnostics.list()) {
    expect(!each.message.empty(), "a message has no words");
    expect(is_utf8(each.message) && is_utf8(each.hint), "a message is not UTF-8");
    expect(each.place.line >= 0 && each.place.column >= 0, "a place is negative");
    if (each.place.file == file)
      expect(each.place.line <= lines, "a place lies behind the end: " + to_string(each));
  }
}

}  // namespace trammel::fuzz
