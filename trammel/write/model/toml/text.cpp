#include "trammel/write/model/toml/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace trammel::toml {

namespace {

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

}  // namespace

std::string string_text(std::string_view text) {
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

std::string key_text(std::string_view name) {
  const bool is_plain = !name.empty() && std::all_of(name.begin(), name.end(), is_bare);
  return is_plain ? std::string(name) : string_text(name);
}

std::string number_text(double x) {
  if (x == 0) return "0";
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  // 0.0003 and 120000 rather than 3e-04 and 1.2e+05
  const bool is_near_one = std::abs(x) >= 1e-5 && std::abs(x) < 1e15;
  char buffer[32];  // the longest is -2.2250738585072014e-308
  const auto format = is_near_one ? std::chars_format::fixed : std::chars_format::scientific;
  std::string out(buffer, std::to_chars(buffer, buffer + sizeof buffer, x, format).ptr);
  // 1e-06 is 1e-6, and 1e+20 is 1e20
  if (const std::size_t e = out.find('e'); e != std::string::npos) {
    const bool is_small = out[e + 1] == '-';
    const std::size_t digits = std::min(out.find_first_not_of("+-0", e + 1), out.size() - 1);
    out.erase(e + 1 + (is_small ? 1 : 0), digits - e - 1 - (is_small ? 1 : 0));
  }
  return out;
}

}  // namespace trammel::toml
