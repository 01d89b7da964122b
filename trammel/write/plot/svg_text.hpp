// Text escaped for SVG.
#pragma once

#include <string>
#include <string_view>

namespace trammel {

// Replaces characters that are reserved in XML by entities.
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
      out += ' ';  // not representable in XML
    else
      out += c;
  }
  return out;
}

}  // namespace trammel
