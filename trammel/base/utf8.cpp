#include "trammel/base/utf8.hpp"

namespace trammel {

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[at + k]); };
  const std::size_t length = byte(0) < 0x80                       ? 1
                             : byte(0) >= 0xc2 && byte(0) <= 0xdf ? 2
                             : (byte(0) & 0xf0) == 0xe0           ? 3
                             : byte(0) >= 0xf0 && byte(0) <= 0xf4 ? 4
                                                                  : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xc0) != 0x80) return 0;
  const bool is_overlong =
      (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xf0 && byte(1) < 0x90);
  const bool is_surrogate = byte(0) == 0xed && byte(1) >= 0xa0;
  const bool is_above = byte(0) == 0xf4 && byte(1) >= 0x90;
  return is_overlong || is_surrogate || is_above ? 0 : length;
}

std::string as_utf8(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    out += length > 0 ? text.substr(at, length) : "\xef\xbf\xbd";
    at += length > 0 ? length : 1;
  }
  return out;
}

}  // namespace trammel
