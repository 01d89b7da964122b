// What a message repeats of a file: never more than a line of it.
#pragma once

#include <string>
#include <string_view>

namespace trammel {

inline std::string excerpt(std::string_view text, std::size_t longest = 60) {
  if (text.size() <= longest) return std::string(text);
  std::size_t end = longest;
  while (end > 0 && (text[end] & 0xc0) == 0x80) --end;  // not in the middle of a character
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace trammel
