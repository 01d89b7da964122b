// Reads the keys of one table of an item; messages have the item's name and the key's place.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"
#include "trammel/model/description/description.hpp"
#include "trammel/read/toml/keys.hpp"
#include "trammel/read/toml/number.hpp"
#include "trammel/read/toml/synonyms.hpp"

namespace trammel::toml {

// Longer names are refused: they make messages unreadable.
inline constexpr std::size_t longest_name = 200;

// Owner of the table, in messages: "body 'crank'".
struct Owner {
  std::string text;
  ItemPlace place;
};

template <class T> struct Choice {
  std::string_view name;
  T value;
};

class TableReader {
 public:
  // Reports keys that are not in the list. `path` precedes keys in messages, as in
  // "spring.stiffness", and `place_path` precedes those in the item's place.
  TableReader(Owner& owner, const Value& table, std::span<const Key> keys, const Scope& outer,
              Report& report, std::string path = {}, std::string place_path = {});
  TableReader(const TableReader&) = delete;

  bool has(std::string_view key) const { return table_.find(key) != nullptr; }
  bool require(std::string_view key, std::string_view hint);  // reports an error if missing

  Expr number(std::string_view key, const Expected& expected, const Expr& otherwise);
  Vec3<Expr> vector(std::string_view key, const Expected& expected, const Vec3<Expr>& otherwise);
  // One number, or a list of any length. `expected` has one entry per number if they are known, and
  // a single empty one if not.
  std::vector<Expr> numbers(std::string_view key, const std::vector<Expected>& expected);
  Vec3<Expr> axis(std::string_view key, const Vec3<Expr>& otherwise);
  Placement placement(std::string_view key);
  bool truth(std::string_view key);
  std::string text(std::string_view key);  // empty if there is none
  std::string name(std::string_view key);  // a text that is a name
  std::pair<std::string, std::string> two_names(std::string_view key);
  template <class T>
  T choice(std::string_view key, std::span<const Choice<T>> choices, T otherwise);

  // For values without a method of their own; the place of the key is recorded.
  const Entry* entry(std::string_view key);
  Expr number_of(const Value& value, std::string_view key, const Expected& expected);
  std::optional<Vec3<Expr>> vector_of(const Value& value, std::string_view key,
                                      const Expected& expected);
  Vec3<Expr> axis_of(const Value& value, std::string_view key);
  std::string name_of(const Value& value, std::string_view key);
  bool expect_list(const Value& value, std::string_view key, std::string_view of_what);
  bool expect_table(const Value& value, std::string_view key);

  void error(TextPosition position, const std::string& fact, std::string hint = {});
  void note_place(std::string_view key, TextPosition position);

  const Value& table() const { return table_; }
  const Scope& scope() const { return scope_; }
  Report& report() { return report_; }
  Owner& owner() { return owner_; }

 private:
  std::string path_of(std::string_view key) const { return path_ + std::string(key); }
  void check_keys(std::span<const Key> keys);
  void read_own_numbers(std::span<const Key> keys);
  Expr checked(const GivenNumber& number, std::string_view key, const Expected& expected);

  Owner& owner_;
  const Value& table_;
  Report& report_;
  std::string path_, place_path_;
  Scope scope_;
  std::map<std::string_view, GivenNumber> own_numbers_;
};

template <class T>
T TableReader::choice(std::string_view key, std::span<const Choice<T>> choices, T otherwise) {
  const std::string description = text(key);
  if (description.empty()) return otherwise;
  std::vector<std::string> known;
  for (const Choice<T>& candidate : choices) {
    if (candidate.name == description) return candidate.value;
    known.emplace_back(candidate.name);
  }
  auto meant = choice_meant_by(description, known);
  if (!meant) meant = suggest(description, known);
  error(table_.find(key)->value.position,
        fmt::format("{} is '{}', which is not known here", path_of(key), shortened(description)),
        meant ? fmt::format("did you mean '{}'?", *meant)
              : fmt::format("choose one of {}", fmt::join(known, ", ")));
  return otherwise;
}

}  // namespace trammel::toml
