#include "trammel/write/csv.hpp"

#include <charconv>

namespace trammel {

namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

void append_number(std::string& out, double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value == 0 ? 0.0 : value).ptr;
  out.append(text, end);
}

}  // namespace

std::string write_csv(const Recording& recording) {
  std::string out;
  const std::size_t n = recording.columns.size();
  for (std::size_t c = 0; c < n; ++c) {
    const auto& [name, unit, group] = recording.columns[c];
    out += (c > 0 ? "," : "") + quoted(unit == "1" ? name : name + " [" + unit + "]");
  }
  for (std::size_t k = 0; k < recording.values.size(); ++k) {
    out += k % n == 0 ? '\n' : ',';
    append_number(out, recording.values[k]);
  }
  return out + '\n';
}

}  // namespace trammel
