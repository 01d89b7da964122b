#include "trammel/read/toml/repeat.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "trammel/read/toml/keys.hpp"
#include "trammel/read/toml/number.hpp"
#include "trammel/read/units.hpp"

namespace trammel::toml {

namespace {

constexpr int most_copies = 1000;
// A bound on the memory that a small file can ask for: all copies of a file have fewer values.
constexpr std::size_t most_values = 1000000;

constexpr std::array<std::string_view, 17> sections = {
    "body",       "frame",  "joint",      "wheel",   "terrain",   "coupling",
    "constraint", "spring", "bushing",    "contact", "motor",     "wrench",
    "include",    "input",  "controller", "event",   "user_force"};
// Sections whose `at` is a placement.
constexpr std::array<std::string_view, 4> placed = {"frame", "joint", "wheel", "include"};

std::size_t size_of(const Value& value) {
  std::size_t size = 1;
  for (const Value& part : value.list) size += size_of(part);
  for (const Entry& entry : value.entries) size += size_of(entry.value);
  return size;
}

struct Repeat {
  int count = 1;
  std::string index = "i";
  std::string about = {};      // "z"; empty: `at` is as it is written
  std::string step = {};       // formula of the angle from one copy to the next
  TextPosition position = {};  // of `about`
};

// "leg3" of "leg{i}" for i = 3, "leg4" of "leg{i+1}".
std::string numbered(const std::string& text, const std::string& index, int k) {
  std::string out;
  const std::string opening = "{" + index;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t found = text.find(opening, at);
    const std::size_t close = found == text.npos ? text.npos : text.find('}', found);
    if (close == text.npos) return out + text.substr(at);
    int offset = 0;
    const char* first = text.data() + found + opening.size();
    const char* const last = text.data() + close;
    if (first < last && *first == '+' && last[-1] != '+') ++first;
    const bool is_index =
        first == last || (std::from_chars(first, last, offset).ptr == last && offset > -1000000 &&
                          offset < 1000000 && (first[-1] == '+' || *first == '-'));
    out += text.substr(at, found - at);
    out += is_index ? std::to_string(k + offset) : text.substr(found, close + 1 - found);
    at = close + 1;
  }
  return out;
}

void number_texts(Value& value, const std::string& index, int k) {
  if (value.is_text()) value.text = numbered(value.text, index, k);
  for (Value& part : value.list) number_texts(part, index, k);
  for (Entry& entry : value.entries) {
    entry.key = numbered(entry.key, index, k);
    number_texts(entry.value, index, k);
  }
}

Value text_value(std::string text, TextPosition position) {
  Value value;
  value.kind = Value::Kind::text;
  value.position = position;
  value.text = std::move(text);
  return value;
}

class Expander {
 public:
  Expander(Value& document, Report& report) : document_(document), report_(report) {}

  void expand() {
    for (Entry& section : document_.entries) {
      const bool may_repeat = std::ranges::find(sections, section.key) != sections.end();
      if (may_repeat && section.value.is_table()) expand(section);
    }
  }

 private:
  void expand(Entry& section) {
    const auto repeats = [](const Entry& entry) { return entry.value.find("repeat") != nullptr; };
    if (std::ranges::none_of(section.value.entries, repeats)) return;
    std::vector<Entry> out;
    for (Entry& entry : section.value.entries) {
      if (!repeats(entry)) {
        out.push_back(std::move(entry));
        continue;
      }
      const std::optional<Repeat> repeat = read(section.key, entry);
      std::erase_if(entry.value.entries, [](const Entry& key) { return key.key == "repeat"; });
      if (!repeat || !has_room(entry, *repeat)) {
        out.push_back(std::move(entry));
        continue;
      }
      for (int k = 1; k <= repeat->count; ++k) out.push_back(copy(entry, *repeat, k));
    }
    section.value.entries = std::move(out);
  }

  static Entry copy(const Entry& entry, const Repeat& repeat, int k) {
    Entry out = entry;
    out.key = numbered(entry.key, repeat.index, k);
    if (out.key == entry.key) out.key += std::to_string(k);
    number_texts(out.value, repeat.index, k);
    if (!repeat.about.empty()) rotate(out.value, repeat, k);
    return out;
  }
  // at = { ..., around = { axis = about, angle = (k - 1) * step } }
  static void rotate(Value& item, const Repeat& repeat, int k) {
    auto at = std::ranges::find(item.entries, "at", &Entry::key);
    if (at == item.entries.end()) {
      Value table;
      table.position = repeat.position;
      item.entries.push_back({"at", repeat.position, std::move(table)});
      at = std::prev(item.entries.end());
    }
    Value around;
    around.position = repeat.position;
    around.entries.push_back({"axis", repeat.position, text_value(repeat.about, repeat.position)});
    const std::size_t unit = find_unit(repeat.step);
    around.entries.push_back(
        {"angle", repeat.position,
         text_value(fmt::format("{}*({}) {}", k - 1, repeat.step.substr(0, unit),
                                repeat.step.substr(unit)),
                    repeat.position)});
    at->value.entries.push_back({"around", repeat.position, std::move(around)});
  }

  // All copies of the file together.
  bool has_room(const Entry& entry, const Repeat& repeat) {
    values_ += std::size_t(repeat.count) * size_of(entry.value);
    if (values_ <= most_values) return true;
    error(entry.position, fmt::format("the repeated items have more than {} values", most_values),
          "repeat fewer, or smaller items");
    return false;
  }

  std::optional<Repeat> read(const std::string& section, const Entry& item) {
    const Entry& given = *item.value.find("repeat");
    Repeat repeat;
    repeat.position = given.value.position;
    if (!given.value.is_table()) {
      if (!read_count(given.value, "repeat", repeat)) return std::nullopt;
      return repeat;
    }
    for (const Entry& entry : given.value.entries)
      if (std::ranges::find(keys::repeat, entry.key, &Key::name) == std::end(keys::repeat))
        return refuse(entry.position,
                      fmt::format("'repeat.{}' is not a key known here", shortened(entry.key)),
                      "the keys here are count, about, angle, index");
    const Entry* const count = given.value.find("count");
    if (!count)
      return refuse(given.position, "repeat has no count", "as in repeat = { count = 6 }");
    if (!read_count(count->value, "repeat.count", repeat)) return std::nullopt;
    if (const Entry* index = given.value.find("index")) {
      if (!index->value.is_text() || index->value.text.empty() ||
          index->value.text.find_first_of("{}+-") != std::string::npos)
        return refuse(index->value.position, "repeat.index is no name", "as in index = \"k\"");
      repeat.index = index->value.text;
    }
    return read_about(section, item, given, std::move(repeat));
  }

  std::optional<Repeat> read_about(const std::string& section, const Entry& item,
                                   const Entry& given, Repeat repeat) {
    const Entry* const about = given.value.find("about");
    const Entry* const angle = given.value.find("angle");
    if (!about) {
      if (!angle) return repeat;
      return refuse(angle->position, "repeat.angle rotates about an axis, and none is given",
                    "give about, as in repeat = { count = 6, about = \"z\" }");
    }
    repeat.position = about->value.position;
    if (!about->value.is_text() || std::ranges::find(axes_, about->value.text) == std::end(axes_))
      return refuse(about->value.position, "repeat.about is no axis",
                    "it is \"x\", \"y\", \"z\", \"-x\", \"-y\" or \"-z\"");
    const Entry* const at = item.value.find("at");
    if (std::ranges::find(placed, section) == placed.end() || (at && !at->value.is_table()))
      return refuse(
          about->position,
          fmt::format("repeat.about rotates the placement at, which a {} does not have", section),
          "use {i} in its formulas");
    if (at && at->value.find("around"))
      return refuse(about->position, "repeat.about rotates at, which has an around of its own",
                    "leave out the one or the other");
    repeat.about = about->value.text;
    repeat.step = fmt::format("360/{}", repeat.count) + " deg";
    if (!angle) return repeat;
    if (!angle->value.is_number() && !angle->value.is_text())
      return refuse(angle->value.position, "repeat.angle must be a number or a formula",
                    "as in angle = \"60 deg\"");
    repeat.step =
        angle->value.is_text() ? angle->value.text : fmt::format("{}", angle->value.number);
    return repeat;
  }

  bool read_count(const Value& value, const char* key, Repeat& repeat) {
    if (value.whole && *value.whole >= 1 && *value.whole <= most_copies) {
      repeat.count = int(*value.whole);
      return true;
    }
    error(value.position, fmt::format("{} is no whole number from 1 to {}", key, most_copies),
          "it is the number of copies, as in repeat = 6");
    return false;
  }

  std::nullopt_t refuse(TextPosition position, const std::string& fact, const std::string& hint) {
    error(position, fact, hint);
    return std::nullopt;
  }
  void error(TextPosition position, const std::string& fact, const std::string& hint) {
    report_.error(position, fact, hint);
  }

  static constexpr std::string_view axes_[] = {"x", "y", "z", "-x", "-y", "-z"};
  Value& document_;
  Report& report_;
  std::size_t values_ = 0;
};

}  // namespace

void expand_repeats(Value& document, Report& report) { Expander(document, report).expand(); }

}  // namespace trammel::toml
