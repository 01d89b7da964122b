#include "trammel/read/toml/document.hpp"

#include <algorithm>
#include <sstream>

#include "trammel/read/toml/parser.hpp"
#include "trammel/read/toml/plain_document.hpp"
#include "trammel/read/toml/syntax.hpp"

namespace trammel::toml {

namespace {

TextPosition position_of(const ::toml::source_region& region) {
  return {int(region.begin.line), int(region.begin.column)};
}

// nesting is bounded by check_nesting
Value converted(const ::toml::node& node) {
  using Kind = Value::Kind;
  Value value;
  value.position = position_of(node.source());
  if (const ::toml::table* table = node.as_table()) {
    value.kind = Kind::table;
    for (const auto& [key, inner] : *table)
      value.entries.push_back(
          {std::string(key.str()), position_of(key.source()), converted(inner)});
    // the parser sorts by name; restore the order of the file
    std::stable_sort(
        value.entries.begin(), value.entries.end(), [](const Entry& a, const Entry& b) {
          return a.position.line != b.position.line ? a.position.line < b.position.line
                                                    : a.position.column < b.position.column;
        });
  } else if (const ::toml::array* array = node.as_array()) {
    value.kind = Kind::list;
    for (const ::toml::node& inner : *array) value.list.push_back(converted(inner));
  } else if (const auto* whole = node.as_integer()) {
    value.kind = Kind::number;
    value.whole = whole->get();
    value.number = double(whole->get());
  } else if (const auto* number = node.as_floating_point()) {
    value.kind = Kind::number;
    value.number = number->get();
  } else if (const auto* text = node.as_string()) {
    value.kind = Kind::text;
    value.text = text->get();
  } else if (const auto* truth = node.as_boolean()) {
    value.kind = Kind::truth;
    value.truth = truth->get();
  } else {
    value.kind = Kind::date;
    std::ostringstream written;
    node.visit([&](const auto& date) {
      if constexpr (::toml::is_value<decltype(date)>) written << date.get();
    });
    value.text = written.str();
  }
  return value;
}

}  // namespace

std::optional<Value> parse_document(const Source& source, Diagnostics& diagnostics) {
  if (!check_nesting(source, diagnostics)) return std::nullopt;
  if (std::optional<Value> document = parse_plain(source.text)) return document;
  return parse_whole(source, diagnostics);
}

std::optional<Value> parse_whole(const Source& source, Diagnostics& diagnostics) {
  try {
    return converted(::toml::parse(std::string_view(source.text)));
  } catch (const ::toml::parse_error& error) {
    const TextPosition position = position_of(error.source());
    report_syntax(source, position, error.description(), diagnostics);
    return std::nullopt;
  }
}

const Entry* Value::find(std::string_view key) const {
  for (const Entry& entry : entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

}  // namespace trammel::toml
