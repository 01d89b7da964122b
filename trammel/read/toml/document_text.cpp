// From a document back to its text: position of a value in the file, and output as TOML.
#include <cmath>

#include <fmt/format.h>

#include "trammel/read/toml/document.hpp"

namespace trammel::toml {

namespace {

bool continues_character(char c) { return (c & 0xC0) == 0x80; }

std::size_t offset_of(std::string_view text, TextPosition position) {
  std::size_t at = 0;
  for (int line = 1; line < position.line && at < text.size(); ++line)
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  for (int column = 1; column < position.column && at < text.size(); ++column) {
    ++at;
    while (at < text.size() && continues_character(text[at])) ++at;
  }
  return at;
}

// Bytes of the text that one character of a string takes, and bytes of the value that it gives.
struct Step {
  std::size_t written = 1, meant = 1;
};

Step escape(std::string_view text, std::size_t at, bool has_lines) {
  const char c = at + 1 < text.size() ? text[at + 1] : '\0';
  if (c == 'u' || c == 'U') {
    const std::size_t digits = c == 'u' ? 4 : 8;
    unsigned long code = 0;
    for (std::size_t k = 0; k < digits && at + 2 + k < text.size(); ++k) {
      const char digit = text[at + 2 + k];
      code = code * 16 +
             static_cast<unsigned long>(digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10);
    }
    return {2 + digits, code < 0x80 ? 1u : code < 0x800 ? 2u : code < 0x10000 ? 3u : 4u};
  }
  if (has_lines && (c == '\n' || c == '\r' || c == ' ' || c == '\t')) {  // joins lines
    const std::size_t next = text.find_first_not_of(" \t\r\n", at + 1);
    return {(next == std::string_view::npos ? text.size() : next) - at, 0};
  }
  return {2, 1};
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += fmt::format("\\{}", c);
    else if (c == '\n')
      result += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      result += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    else
      result += c;
  }
  return result + "\"";
}

std::string written_key(std::string_view key) {
  const bool is_bare = !key.empty() && key.find_first_not_of(
                                           "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                           "0123456789_-") == std::string_view::npos;
  return is_bare ? std::string(key) : in_quotes(key);
}

std::string written_number(const Value& value) {
  if (value.whole) return fmt::format("{}", *value.whole);
  if (std::isnan(value.number)) return "nan";
  if (std::isinf(value.number)) return value.number > 0 ? "inf" : "-inf";
  const std::string text = fmt::format("{}", value.number);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

// nesting is bounded by that of the document
std::string written(const Value& value) {
  std::string text;
  switch (value.kind) {
    case Value::Kind::number: return written_number(value);
    case Value::Kind::text: return in_quotes(value.text);
    case Value::Kind::truth: return value.truth ? "true" : "false";
    case Value::Kind::date: return value.text;
    case Value::Kind::list:
      for (const Value& inner : value.list) text += (text.empty() ? "" : ", ") + written(inner);
      return "[" + text + "]";
    case Value::Kind::table:
      for (const auto& [key, position, inner] : value.entries)
        text += (text.empty() ? "" : ", ") + written_key(key) + " = " + written(inner);
      return text.empty() ? "{}" : "{ " + text + " }";
  }
  return text;
}

}  // namespace

TextPosition position_inside(const Source& source, const Value& value, std::size_t offset) {
  const std::string_view text = source.text;
  std::size_t at = offset_of(text, value.position);
  if (at >= text.size()) return value.position;
  const char quote = text[at];
  const bool has_lines = text.substr(at, 3) == std::string(3, quote);
  TextPosition position = value.position;
  const auto pass = [&](std::size_t bytes) {
    for (; bytes > 0 && at < text.size(); --bytes, ++at) {
      if (text[at] == '\n')
        position = {position.line + 1, 1};
      else if (!continues_character(text[at]))
        ++position.column;
    }
  };

  pass(has_lines ? 3 : 1);
  if (has_lines && text.substr(at, 1) == "\n") pass(1);
  for (std::size_t meant = 0; meant < offset && at < text.size();) {
    const bool is_escape = quote == '"' && text[at] == '\\';
    const Step step = is_escape ? escape(text, at, has_lines) : Step{};
    if (meant + step.meant > offset) break;
    pass(step.written);
    meant += step.meant;
  }
  return position;
}

std::string to_text(const Value& table) {
  std::string text;
  for (const auto& [key, position, value] : table.entries)
    text += written_key(key) + " = " + written(value) + "\n";
  return text;
}

}  // namespace trammel::toml
