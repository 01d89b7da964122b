// TOML document: every table in the order of the file, every key and every value with its place.
// Only document.cpp depends on the parser library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/base/diagnostics.hpp"
#include "trammel/read/source.hpp"

namespace trammel::toml {

// Position in the file: from 1; columns count characters.
struct TextPosition {
  int line = 0, column = 0;
};

struct Entry;

struct Value {
  enum class Kind { number, text, truth, date, list, table };
  Kind kind = Kind::table;
  TextPosition position = {};
  double number = 0;
  std::optional<std::int64_t> whole = {};  // if the number has no point or exponent
  bool truth = false;
  std::string text = {};  // also of a date
  std::vector<Value> list;
  std::vector<Entry> entries;  // of a table

  bool is_number() const { return kind == Kind::number; }
  bool is_text() const { return kind == Kind::text; }
  bool is_list() const { return kind == Kind::list; }
  bool is_table() const { return kind == Kind::table; }
  const Entry* find(std::string_view key) const;
};

// key = value, or a heading and the table below it
struct Entry {
  std::string key;
  TextPosition position = {};  // of the key; in a heading, of its last part
  Value value = {};
};

// Bounds on the nesting of tables and lists, and on the parts of a key (a.b.c): the recursion depth
// of the reader does not depend on the file.
inline constexpr int deepest_nesting = 32, longest_key_path = 16;

// The root table. Returns nothing and reports the first error if the text is not TOML. Plain texts
// (plain_document.hpp) are read without the parser library.
std::optional<Value> parse_document(const Source& source, Diagnostics& diagnostics);
// The same by the parser library, for any text whose nesting is bounded.
std::optional<Value> parse_whole(const Source& source, Diagnostics& diagnostics);

// Position in the file of a character of a text value, which may contain escapes or span several
// lines. `offset` counts bytes of the value.
TextPosition position_inside(const Source& source, const Value& text, std::size_t offset);

// Writes the table as TOML again: one key per line; nested tables as inline tables in braces.
std::string to_text(const Value& table);

}  // namespace trammel::toml
