// A TOML document as we read it: every table in the order of the file, every key and every value
// with its place. The one file that knows the parser behind it is document.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/base/diagnostics.hpp"
#include "trammel/read/source.hpp"

namespace trammel {

// Where in the file: from 1; columns count characters.
struct TextPosition {
  int line = 0, column = 0;
};

struct TomlEntry;

struct TomlValue {
  enum class Kind { number, text, truth, date, list, table };
  Kind kind = Kind::table;
  TextPosition position = {};
  double number = 0;
  std::optional<std::int64_t> whole = {};  // of a number without point or exponent
  bool truth = false;
  std::string text = {};  // also of a date
  std::vector<TomlValue> list;
  std::vector<TomlEntry> entries;  // of a table

  bool is_number() const { return kind == Kind::number; }
  bool is_text() const { return kind == Kind::text; }
  bool is_list() const { return kind == Kind::list; }
  bool is_table() const { return kind == Kind::table; }
  const TomlEntry* find(std::string_view key) const;
};

// key = value, or a heading and what stands below it
struct TomlEntry {
  std::string key;
  TextPosition position = {};  // of the key; in a heading, of its last part
  TomlValue value = {};
};

// Tables and lists inside each other, and parts of a key (a.b.c), have bounds: no depth that a file
// chooses becomes a depth of our stack.
inline constexpr int deepest_nesting = 32, longest_key_path = 16;

// The table at the top; nothing, and the first mistake reported, if the text is no TOML.
std::optional<TomlValue> parse_document(const Source& source, Diagnostics& diagnostics);

// Where a character of a text value stands in the file, though it may be written with escapes or on
// several lines. `offset` counts bytes of the value.
TextPosition position_inside(const Source& source, const TomlValue& text, std::size_t offset);

// The table as TOML again: its keys, one a line; tables inside it stand in braces.
std::string to_toml(const TomlValue& table);

}  // namespace trammel
