// Text as SVG wants it.
#pragma once

#include <string>
#include <string_view>

namespace trammel {

// Letters that mean something in XML are spelled out.
inline std::string svg_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) < ' ')
      out += ' ';  // XML has no way to say them
    else
      out += c;
  }
  return out;
}

}  // namespace trammel
