#include "trammel/write/toml/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace trammel::toml_text {

namespace {

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

}  // namespace

std::string string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\b': out += "\\b"; break;
      case '\t': out += "\\t"; break;
      case '\n': out += "\\n"; break;
      case '\f': out += "\\f"; break;
      case '\r': out += "\\r"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
          out += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
        else
          out += c;
    }
  }
  return out + '"';
}

std::string key(std::string_view name) {
  const bool is_plain = !name.empty() && std::all_of(name.begin(), name.end(), is_bare);
  return is_plain ? std::string(name) : string(name);
}

std::string number(double x) {
  if (x == 0) return "0";
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  char buffer[32];  // the longest is -2.2250738585072014e-308
  std::string out(buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr);
  // without a point it is an integer, which must not exceed 64 bits
  const bool looks_whole = out.find_first_of(".e") == std::string::npos;
  return looks_whole && std::abs(x) > 1e15 ? out + ".0" : out;
}

}  // namespace trammel::toml_text
