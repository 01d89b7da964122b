#include "trammel/read/toml/plain_document.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <unordered_map>
#include <vector>

namespace trammel::toml {

namespace {

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }
bool is_bare_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_decimal_digit(c) || c == '_' ||
         c == '-';
}
// Printable ASCII, or a tab.
bool is_plain_text(char c) { return (c >= ' ' && c <= '~') || c == '\t'; }
bool ends_value(char c) {
  return c == ',' || c == ']' || c == '}' || c == '\n' || c == ' ' || c == '\t' || c == '\r' ||
         c == '#';
}

bool has_same_keys(const std::vector<Entry>& entries) {
  constexpr std::size_t few = 16;
  if (entries.size() <= few) {
    for (std::size_t k = 1; k < entries.size(); ++k)
      for (std::size_t j = 0; j < k; ++j)
        if (entries[j].key == entries[k].key) return true;
    return false;
  }
  std::vector<std::string_view> keys;
  keys.reserve(entries.size());
  for (const Entry& entry : entries) keys.push_back(entry.key);
  std::ranges::sort(keys);
  return std::ranges::adjacent_find(keys) != keys.end();
}

// Every function returns false where the text is not plain; then all is given up.
class PlainParser {
 public:
  explicit PlainParser(std::string_view text) : text_(text) { root_.position = {1, 1}; }

  std::optional<Value> run() {
    while (true) {
      skip_blanks();
      if (at_ == text_.size()) break;
      const char c = text_[at_];
      const bool is_line_read = c == '[' ? read_heading() : is_end_of_line(c) || read_entry();
      if (!is_line_read || !end_line()) return std::nullopt;
    }
    store_entries();
    // Headings differ from each other (read_heading); keys of values may be those of a heading.
    for (int table = 0; table < int(headings_.size()); ++table)
      if (headings_[std::size_t(table)].has_values && has_same_keys(table_of(table).entries))
        return std::nullopt;
    return std::move(root_);
  }

 private:
  // A table of a heading: entry number `entry` of its parent. Number 0 is the root.
  struct Heading {
    int parent = 0;
    std::size_t entry = 0;
    bool has_values = false;  // keys with values, not only tables of further headings
  };
  struct Child {
    int table;
    std::string_view key;
    bool operator==(const Child&) const = default;
  };
  struct ChildHash {
    std::size_t operator()(const Child& child) const {
      return std::hash<std::string_view>()(child.key) * 31 + std::size_t(child.table);
    }
  };

  bool is_end() const { return at_ == text_.size(); }
  bool is_next(char c) const { return at_ < text_.size() && text_[at_] == c; }
  static bool is_end_of_line(char c) { return c == '\n' || c == '\r' || c == '#'; }
  TextPosition position() const { return {line_, int(at_ - line_start_) + 1}; }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  // Blanks, a comment, the line break or the end of the text.
  bool end_line() {
    skip_blanks();
    if (is_next('#'))
      for (; !is_end() && text_[at_] != '\n' && text_[at_] != '\r'; ++at_)
        if (!is_plain_text(text_[at_]) && static_cast<unsigned char>(text_[at_]) < 0x80)
          return false;  // a control character
    if (is_end()) return true;
    if (is_next('\r')) ++at_;
    if (!is_next('\n')) return false;
    ++at_;
    ++line_;
    line_start_ = at_;
    return true;
  }

  Value& table_of(int table) {
    if (table == 0) return root_;
    const Heading& heading = headings_[std::size_t(table)];
    return table_of(heading.parent).entries[heading.entry].value;
  }

  bool read_heading() {
    store_entries();
    const TextPosition begin = position();
    int table = 0;
    bool is_new = false;
    do {
      ++at_;  // '[' or '.'
      const TextPosition key_begin = position();
      std::string_view key;
      if (!read_key(key)) return false;
      const auto [child, was_added] = children_.try_emplace({table, key}, int(headings_.size()));
      if (was_added) {
        std::vector<Entry>& entries = table_of(table).entries;
        headings_.push_back({table, entries.size(), false});
        entries.push_back({std::string(key), key_begin, {}});
        entries.back().value.position = begin;
      }
      is_new = was_added;
      table = child->second;
    } while (is_next('.'));
    if (!is_new || !is_next(']')) return false;  // given before, or completed by a later heading
    ++at_;
    current_ = table;
    return true;
  }
  // The keys and values after a heading, before the tables of further headings are added.
  void store_entries() {
    if (entries_.empty()) return;
    headings_[std::size_t(current_)].has_values = true;
    move_to_end(entries_, 0, table_of(current_).entries);
  }
  // Moves what lies on a stack from `first` on into a vector that is not larger than necessary.
  template <class Item>
  static void move_to_end(std::vector<Item>& stack, std::size_t first, std::vector<Item>& to) {
    const auto begin = stack.begin() + std::ptrdiff_t(first);
    to.reserve(to.size() + stack.size() - first);
    to.insert(to.end(), std::move_iterator(begin), std::move_iterator(stack.end()));
    stack.erase(begin, stack.end());
  }

  // key = value, onto the stack of entries
  bool read_entry() {
    const TextPosition begin = position();
    std::string_view key;
    if (!read_key(key)) return false;
    skip_blanks();
    if (!is_next('=')) return false;
    ++at_;
    skip_blanks();
    Value value;
    if (!read_value(value)) return false;
    entries_.push_back({std::string(key), begin, std::move(value)});
    return true;
  }

  // bare or in quotes, not empty
  bool read_key(std::string_view& key) {
    if (is_next('"') || is_next('\'')) return read_text(key) && !key.empty();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_bare_key_character(text_[at_])) ++at_;
    key = text_.substr(begin, at_ - begin);
    return !key.empty();
  }

  bool read_text(std::string_view& text) {
    const char quote = text_[at_++];
    const std::size_t begin = at_;
    for (; !is_end() && text_[at_] != quote; ++at_)
      if (!is_plain_text(text_[at_]) || (quote == '"' && text_[at_] == '\\')) return false;
    if (is_end()) return false;
    text = text_.substr(begin, at_ - begin);
    ++at_;
    return !(text.empty() && is_next(quote));  // three quotes begin a text of several lines
  }

  // nesting is bounded by check_nesting
  bool read_value(Value& value) {
    if (is_end()) return false;
    value.position = position();
    switch (text_[at_]) {
      case '[': return read_list(value);
      case '{': return read_table(value);
      case '"':
      case '\'': {
        std::string_view text;
        if (!read_text(text)) return false;
        value.kind = Value::Kind::text;
        value.text = text;
        return true;
      }
      case 't':
      case 'f': return read_truth(value);
      default: return read_number(value);
    }
  }

  // [ value, value, ], over any number of lines
  bool read_list(Value& value) {
    value.kind = Value::Kind::list;
    const std::size_t first = values_.size();
    ++at_;
    while (true) {
      if (!skip_lines()) return false;
      if (!is_next(']')) {
        Value inner;
        if (!read_value(inner) || !skip_lines()) return false;
        values_.push_back(std::move(inner));
        if (is_next(',')) {
          ++at_;
          continue;
        }
      }
      if (!is_next(']')) return false;
      ++at_;
      move_to_end(values_, first, value.list);
      return true;
    }
  }
  bool skip_lines() {
    skip_blanks();
    while (!is_end() && is_end_of_line(text_[at_])) {
      if (!end_line()) return false;
      skip_blanks();
    }
    return !is_end();
  }

  // { key = value, key = value }, on one line
  bool read_table(Value& value) {
    value.kind = Value::Kind::table;
    const std::size_t first = entries_.size();
    ++at_;
    skip_blanks();
    while (!is_next('}')) {
      if (is_end() || !read_entry()) return false;
      skip_blanks();
      if (is_next('}')) break;
      if (!is_next(',')) return false;
      ++at_;
      skip_blanks();
      if (is_next('}')) return false;
    }
    ++at_;
    move_to_end(entries_, first, value.entries);
    return !has_same_keys(value.entries);
  }

  // The rest of the word up to the end of the value.
  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !ends_value(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  bool read_truth(Value& value) {
    value.kind = Value::Kind::truth;
    const std::string_view found = word();
    value.truth = found == "true";
    return value.truth || found == "false";
  }

  // [+-] digits [. digits] [e [+-] digits], or [+-] inf
  bool read_number(Value& value) {
    constexpr std::size_t longest = 100;
    std::string_view number = word();
    if (number.empty() || number.size() > longest) return false;
    value.kind = Value::Kind::number;
    const bool is_negative = number[0] == '-';
    if (number[0] == '+') number.remove_prefix(1);
    const std::string_view size = is_negative ? number.substr(1) : number;
    if (size == "inf") {
      value.number = std::numeric_limits<double>::infinity() * (is_negative ? -1 : 1);
      return true;
    }
    std::size_t k = 0;
    const auto pass_digits = [&] {
      const std::size_t begin = k;
      while (k < size.size() && is_decimal_digit(size[k])) ++k;
      return k - begin;
    };
    const std::size_t before = pass_digits();
    if (before == 0 || (before > 1 && size[0] == '0')) return false;
    const bool is_whole = k == size.size();
    if (k < size.size() && size[k] == '.' && (++k, pass_digits() == 0)) return false;
    if (k < size.size() && (size[k] == 'e' || size[k] == 'E')) {
      ++k;
      if (k < size.size() && (size[k] == '+' || size[k] == '-')) ++k;
      if (pass_digits() == 0) return false;
    }
    if (k != size.size()) return false;
    const char* const end = number.data() + number.size();
    if (!is_whole) return std::from_chars(number.data(), end, value.number).ec == std::errc();
    std::int64_t whole = 0;
    if (std::from_chars(number.data(), end, whole).ec != std::errc()) return false;
    value.whole = whole;
    value.number = double(whole);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0, line_start_ = 0;
  int line_ = 1;
  Value root_;
  int current_ = 0;  // table of the last heading
  // Stacks of the entries and values whose table or list is being read.
  std::vector<Entry> entries_;
  std::vector<Value> values_;
  std::vector<Heading> headings_{Heading{}};
  std::unordered_map<Child, int, ChildHash> children_;  // numbers of the tables of headings
};

}  // namespace

std::optional<Value> parse_plain(std::string_view text) { return PlainParser(text).run(); }

}  // namespace trammel::toml
