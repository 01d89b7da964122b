#include "trammel/read/toml/table_reader.hpp"

#include <algorithm>

#include "trammel/read/toml/placement.hpp"

namespace trammel::toml {

namespace {

// A text anywhere inside; nesting is bounded by that of the document.
bool has_text(const Value& value) {
  return value.is_text() || std::ranges::any_of(value.list, has_text) ||
         std::ranges::any_of(value.entries,
                             [](const Entry& entry) { return has_text(entry.value); });
}

}  // namespace

TableReader::TableReader(Owner& owner, const Value& table, std::span<const Key> keys,
                         const Scope& outer, Report& report, std::string path,
                         std::string place_path)
    : owner_(owner),
      table_(table),
      report_(report),
      path_(std::move(path)),
      place_path_(std::move(place_path)),
      scope_(&outer) {
  check_keys(keys);
  read_own_numbers(keys);
}

void TableReader::check_keys(std::span<const Key> keys) {
  for (const Entry& entry : table_.entries) {
    if (std::ranges::find(keys, entry.key, &Key::name) != keys.end()) continue;
    std::vector<std::string> known;
    for (const Key& key : keys) known.emplace_back(key.name);
    const auto synonym = report_.is_full() ? std::nullopt : hint_for_key(entry.key, keys);
    const auto meant = report_.is_full() || synonym ? std::nullopt : suggest(entry.key, known);
    error(entry.position,
          fmt::format("'{}' is not a key known here", shortened(path_of(entry.key))),
          synonym ? *synonym
          : meant ? fmt::format("did you mean '{}'?", *meant)
                  : fmt::format("the keys here are {}", fmt::join(known, ", ")));
  }
}

void TableReader::read_own_numbers(std::span<const Key> keys) {
  const auto is_named = [&](const Entry& entry) {
    // a list has one entry per dof, and no single value to name
    return !entry.value.is_list() && std::ranges::any_of(keys, [&](const Key& key) {
      return key.is_number && key.name == entry.key;
    });
  };
  if (!has_text(table_)) return;  // no formula that could name them
  std::vector<NamedNumber> numbers;
  for (const Entry& entry : table_.entries)
    if (is_named(entry))
      numbers.push_back({entry.key, &entry.value, owner_.text, path_of(entry.key), {}});
  if (!numbers.empty()) read_together(numbers, owner_.text + ": numbers", scope_, report_);
  for (const NamedNumber& number : numbers) {
    owner_.place.has_mistakes |= !number.description.is_sound;
    own_numbers_.emplace(table_.find(number.name)->key, number.description);
  }
}

bool TableReader::require(std::string_view key, std::string_view hint) {
  if (has(key)) return true;
  const Place& place = owner_.place;
  owner_.place.has_mistakes = true;
  report_.error({place.line, place.column}, fmt::format("{} has no {}", owner_.text, path_of(key)),
                std::string(hint));
  return false;
}

const Entry* TableReader::entry(std::string_view key) {
  const Entry* found = table_.find(key);
  if (found) note_place(key, found->value.position);
  return found;
}

Expr TableReader::number(std::string_view key, const Expected& expected, const Expr& otherwise) {
  const Entry* found = entry(key);
  if (!found) return otherwise;
  const auto own = own_numbers_.find(key);
  return own != own_numbers_.end() ? checked(own->second, key, expected)
                                   : number_of(found->value, key, expected);
}

Expr TableReader::number_of(const Value& value, std::string_view key, const Expected& expected) {
  if (value.is_number()) return value.number;  // in SI, and of any dimension
  return checked(read_number(value, {owner_.text, path_of(key)}, scope_, report_), key, expected);
}

Expr TableReader::checked(const GivenNumber& number, std::string_view key,
                          const Expected& expected) {
  const bool is_right =
      number.is_sound && check_unit(number, {owner_.text, path_of(key)}, expected, report_);
  owner_.place.has_mistakes |= !is_right;
  return number.value;
}

Vec3<Expr> TableReader::vector(std::string_view key, const Expected& expected,
                               const Vec3<Expr>& otherwise) {
  const Entry* found = entry(key);
  return found ? vector_of(found->value, key, expected).value_or(otherwise) : otherwise;
}

std::optional<Vec3<Expr>> TableReader::vector_of(const Value& value, std::string_view key,
                                                 const Expected& expected) {
  if (!expect_list(value, key, "3 numbers")) return std::nullopt;
  if (value.list.size() != 3) {
    error(value.position, fmt::format("{} has {} entr{}, it takes 3 numbers", path_of(key),
                                      value.list.size(), value.list.size() == 1 ? "y" : "ies"));
    return std::nullopt;
  }
  return Vec3<Expr>(number_of(value.list[0], key, expected),
                    number_of(value.list[1], key, expected),
                    number_of(value.list[2], key, expected));
}

std::vector<Expr> TableReader::numbers(std::string_view key,
                                       const std::vector<Expected>& expected) {
  const Entry* found = entry(key);
  if (!found) return {};
  if (!found->value.is_list()) {
    // one value for all: its unit must fit every one of them
    const bool are_alike = std::all_of(expected.begin(), expected.end(), [&](const Expected& one) {
      return one == expected.front();
    });
    const bool knows = !expected.empty() && are_alike;
    const Expr value = number(key, knows ? expected.front() : Expected{}, 0.0);
    const auto own = own_numbers_.find(key);
    const bool has_unit = own != own_numbers_.end() && own->second.dimension;
    if (!are_alike && has_unit)
      error(own->second.unit_position,
            fmt::format("{} is one number for turns and slides, but '{}' measures {}", path_of(key),
                        own->second.unit, trammel::name_of(*own->second.dimension)),
            "give a list with one for each");
    return {value};
  }
  std::vector<Expr> values;
  const std::vector<Value>& list = found->value.list;
  for (std::size_t k = 0; k < list.size(); ++k)
    values.push_back(
        number_of(list[k], key, list.size() == expected.size() ? expected[k] : Expected{}));
  return values;
}

Vec3<Expr> TableReader::axis(std::string_view key, const Vec3<Expr>& otherwise) {
  const Entry* found = entry(key);
  return found ? axis_of(found->value, key) : otherwise;
}

Vec3<Expr> TableReader::axis_of(const Value& value, std::string_view key) {
  const Vec3<Expr> anything{0.0, 0.0, 1.0};
  if (value.is_list()) return vector_of(value, key, dimension::none).value_or(anything);
  const std::string_view description = value.is_text() ? std::string_view(value.text) : "";
  const bool is_signed = description.starts_with('-') || description.starts_with('+');
  const double sign = description.starts_with('-') ? -1 : 1;
  const std::string_view symbol = description.substr(is_signed ? 1 : 0);
  if (symbol == "x") return {sign, 0.0, 0.0};
  if (symbol == "y") return {0.0, sign, 0.0};
  if (symbol == "z") return {0.0, 0.0, sign};
  error(value.position,
        value.is_text()
            ? fmt::format("{} is '{}', which is no axis", path_of(key), shortened(description))
            : fmt::format("{} is {}, it must be an axis", path_of(key), kind_of(value)),
        "an axis is \"x\", \"y\", \"z\", \"-x\", \"-y\", \"-z\" or three numbers");
  return anything;
}

Placement TableReader::placement(std::string_view key) {
  const Entry* found = entry(key);
  if (!found || !expect_table(found->value, key)) return {};
  TableReader inner(owner_, found->value, keys::placement, scope_, report_, path_of(key) + ".",
                    place_path_ + std::string(key) + ".");
  return read_placement(inner);
}

bool TableReader::truth(std::string_view key) {
  const Entry* found = entry(key);
  if (!found) return false;
  if (found->value.kind != Value::Kind::truth)
    error(found->value.position,
          fmt::format("{} is {}, it must be true or false", path_of(key), kind_of(found->value)));
  return found->value.truth;
}

std::string TableReader::text(std::string_view key) {
  const Entry* found = entry(key);
  if (!found) return {};
  if (!found->value.is_text())
    error(found->value.position,
          fmt::format("{} is {}, it must be a text", path_of(key), kind_of(found->value)),
          "a text stands in quotes");
  else if (found->value.text.empty())
    error(found->value.position, fmt::format("{} is an empty text", path_of(key)),
          "fill it in, or leave the key out");
  return found->value.text;
}

std::string TableReader::name(std::string_view key) {
  const Entry* found = entry(key);
  return found ? name_of(found->value, key) : std::string{};
}

std::string TableReader::name_of(const Value& value, std::string_view key) {
  if (!value.is_text() || value.text.empty()) {
    error(value.position,
          fmt::format("{} is {}, it must be a name", path_of(key),
                      value.is_text() ? "an empty text" : kind_of(value)),
          "a name stands in quotes: \"shoulder\"");
    return {};
  }
  if (value.text.size() > longest_name) {
    error(value.position,
          fmt::format("{} is a name of {} characters: '{}'", path_of(key), value.text.size(),
                      shortened(value.text)),
          fmt::format("names have at most {}", longest_name));
    return shortened(value.text, longest_name);  // as the item of that name is stored
  }
  return value.text;
}

std::pair<std::string, std::string> TableReader::two_names(std::string_view key) {
  const Entry* found = entry(key);
  if (!found || !expect_list(found->value, key, "two names")) return {};
  const std::vector<Value>& list = found->value.list;
  if (list.size() != 2) {
    error(found->value.position,
          fmt::format("{} has {} entr{}, it takes two names", path_of(key), list.size(),
                      list.size() == 1 ? "y" : "ies"),
          "name two frames or bodies; \"ground\" is one");
    return {};
  }
  return {name_of(list[0], key), name_of(list[1], key)};
}

bool TableReader::expect_list(const Value& value, std::string_view key, std::string_view of_what) {
  if (value.is_list()) return true;
  error(value.position,
        fmt::format("{} is {}, it must be a list of {}", path_of(key), kind_of(value), of_what));
  return false;
}

bool TableReader::expect_table(const Value& value, std::string_view key) {
  if (value.is_table()) return true;
  error(value.position, fmt::format("{} is {}, it must be a table", path_of(key), kind_of(value)),
        "a table stands in braces: { key = value }");
  return false;
}

void TableReader::error(TextPosition position, const std::string& fact, std::string hint) {
  owner_.place.has_mistakes = true;
  report_.error(position, fmt::format("{}: {}", owner_.text, fact), std::move(hint));
}

void TableReader::note_place(std::string_view key, TextPosition position) {
  owner_.place.key(place_path_ + std::string(key), report_.place(position));
}

}  // namespace trammel::toml
