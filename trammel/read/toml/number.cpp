#include "trammel/read/toml/number.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace trammel::toml {

namespace {

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// visit(name) for every name in a formula that is not a function call
template <class Visit> void each_name(std::string_view formula, const Visit& visit) {
  for (std::size_t at = 0; at < formula.size();) {
    if (is_digit(formula[at])) {  // the e of 1e3 is not a name
      double number = 0;
      const char* begin = formula.data() + at;
      at +=
          std::size_t(std::from_chars(begin, formula.data() + formula.size(), number).ptr - begin);
    } else if (begins_name(formula[at])) {
      std::size_t end = at;
      while (end < formula.size() && (begins_name(formula[end]) || is_digit(formula[end]))) ++end;
      const std::size_t next = formula.find_first_not_of(" \t\r\n", end);
      const bool is_called = next != std::string_view::npos && formula[next] == '(';
      if (!is_called) visit(formula.substr(at, end - at));
      at = end;
    } else {
      ++at;
    }
  }
}
std::string_view formula_of(std::string_view text) { return text.substr(0, find_unit(text)); }

// Hint for a unit in place of a number or a name: "deg", "2*mm".
std::string hint_about_unit(std::string_view text, const ParseError& error) {
  if (const std::string hint = hint_about_degree_sign(text); !hint.empty()) return hint;
  const std::string_view rest = text.substr(std::min(std::size_t(error.position), text.size()));
  std::size_t end = 0;
  while (end < rest.size() && (begins_name(rest[end]) || is_digit(rest[end]))) ++end;
  if (!is_unit(rest.substr(0, end))) return error.hint;
  return fmt::format("a unit follows a number and a blank: \"2 {}\"", rest.substr(0, end));
}

// Topological order of numbers that refer to each other, and their circles (depth-first search).
// Time and memory are linear in the number of references.
class DependencyOrder {
 public:
  explicit DependencyOrder(std::vector<std::vector<int>> uses)
      : uses_(std::move(uses)), mark_(uses_.size()), is_in_circle_(uses_.size(), false) {}

  // Every number after those it uses; found_circle(numbers) for circles that share no number.
  template <class Found> std::vector<int> run(const Found& found_circle) {
    for (int start = 0; start < int(uses_.size()); ++start) {
      if (mark_[std::size_t(start)] == Mark::fresh) enter(start);
      while (!path_.empty()) {
        auto& [number, next] = path_.back();
        const std::vector<int>& used = uses_[std::size_t(number)];
        if (next == used.size()) {
          leave();
          continue;
        }
        const int other = used[next++];
        if (mark_[std::size_t(other)] == Mark::fresh)
          enter(other);
        else if (mark_[std::size_t(other)] == Mark::open)
          close_circle(other, found_circle);
      }
    }
    return std::move(order_);
  }
  bool is_in_circle(int number) const { return is_in_circle_[std::size_t(number)]; }

 private:
  enum class Mark { fresh, open, done };
  void enter(int number) {
    mark_[std::size_t(number)] = Mark::open;
    path_.emplace_back(number, 0);
  }
  void leave() {
    mark_[std::size_t(path_.back().first)] = Mark::done;
    order_.push_back(path_.back().first);
    path_.pop_back();
  }
  // back along the path to the first; no number is in two circles
  template <class Found> void close_circle(int first, const Found& found_circle) {
    std::vector<int> circle;
    for (std::size_t k = path_.size(); k-- > 0;) {
      const int number = path_[k].first;
      if (is_in_circle(number)) return;
      is_in_circle_[std::size_t(number)] = true;
      circle.push_back(number);
      if (number == first) break;
    }
    std::reverse(circle.begin(), circle.end());
    found_circle(circle);
  }

  std::vector<std::vector<int>> uses_;
  std::vector<Mark> mark_;
  std::vector<bool> is_in_circle_;
  std::vector<std::pair<int, std::size_t>> path_;  // a number, and the index of its next reference
  std::vector<int> order_;
};

std::string joined_names(std::span<const NamedNumber> numbers, const std::vector<int>& circle) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(circle.size(), most); ++k)
    text += shortened(numbers[std::size_t(circle[k])].name) + " -> ";
  if (circle.size() > most) text += "... -> ";
  return text + shortened(numbers[std::size_t(circle[0])].name);
}

}  // namespace

std::string to_string(const NumberName& name) {
  return name.key.empty() ? std::string(name.owner)
                          : fmt::format("{}: {}", name.owner, shortened(name.key));
}

std::string_view kind_of(const Value& value) {
  switch (value.kind) {
    case Value::Kind::number: return "a number";
    case Value::Kind::text: return "a text";
    case Value::Kind::truth: return "true or false";
    case Value::Kind::date: return "a date";
    case Value::Kind::list: return "a list";
    case Value::Kind::table: break;
  }
  return "a table";
}

GivenNumber read_number(const Value& value, const NumberName& name, const Scope& scope,
                        Report& report, std::string_view own_name) {
  GivenNumber number;
  if (value.is_number()) {
    number.value = value.number;
    return number;
  }
  number.is_sound = false;
  if (!value.is_text()) {
    report.error(value.position, fmt::format("{} is {}, it must be a number or a formula",
                                             to_string(name), kind_of(value)));
    return number;
  }

  const std::string_view text = value.text;
  const std::size_t unit_start = find_unit(text);
  const auto complain = [&](std::size_t start, const ParseError& error, const std::string& hint) {
    if (report.is_full()) return report.error(value.position, {});
    report.error(position_inside(report.source(), value, start + std::size_t(error.position)),
                 fmt::format("{}: {}", to_string(name), error.message), hint);
  };

  bool uses_only_sound = true;
  std::string_view in_si_already;  // a name whose value has a unit
  const auto resolve = [&](std::string_view used) -> std::optional<Expr> {
    const Scope* where = used == own_name ? scope.outer() : &scope;
    const Scope::Meaning* meaning = where ? where->find(used) : nullptr;
    if (!meaning) return std::nullopt;
    uses_only_sound &= meaning->is_sound;
    if (meaning->has_unit) in_si_already = used;
    return meaning->value;
  };
  auto result = parse(text.substr(0, unit_start), resolve);
  if (std::holds_alternative<ParseError>(result)) {
    if (!report.is_full())  // parse again, with names to suggest
      result = parse(text.substr(0, unit_start), resolve, scope.known());
    const ParseError& error = std::get<ParseError>(result);
    complain(0, error, hint_about_unit(text, error));
    return number;
  }
  number.value = std::get<Expr>(result);
  if (unit_start < text.size()) {
    const auto unit = parse_unit(text.substr(unit_start));
    if (const ParseError* error = std::get_if<ParseError>(&unit)) {
      complain(unit_start, *error, error->hint);
      return number;
    }
    if (!std::get<Unit>(unit).is_si()) {
      const std::string_view formula =
          text.substr(0, text.find_last_not_of(" \t", unit_start - 1) + 1);
      const std::string_view description = text.substr(unit_start);
      if (is_sum(formula)) {
        complain(unit_start,
                 {0,
                  fmt::format("the unit '{}' could belong to the last term or to the whole of '{}'",
                              shortened(description), shortened(formula)),
                  ""},
                 fmt::format("write ({}) {}, or give the last term in SI: names are in SI already",
                             shortened(formula), shortened(description)));
        return number;
      }
      if (!in_si_already.empty()) {
        complain(unit_start,
                 {0,
                  fmt::format("the unit '{}' would convert '{}' again, which is given with a unit "
                              "and is in SI here",
                              shortened(description), shortened(in_si_already)),
                  ""},
                 "leave the unit out, or multiply by the factor: pi/180, 0.001");
        return number;
      }
    }
    number.value = in_si(number.value, std::get<Unit>(unit));
    number.dimension = std::get<Unit>(unit).dimension;
    number.unit = shortened(text.substr(unit_start));
    number.unit_position = position_inside(report.source(), value, unit_start);
  }
  number.has_unit = number.dimension || !in_si_already.empty();
  number.is_sound = uses_only_sound;
  return number;
}

bool check_unit(const GivenNumber& number, const NumberName& name, const Expected& expected,
                Report& report) {
  if (!expected || !number.dimension || fits(*number.dimension, *expected)) return true;
  const std::string units = units_of(*expected);
  report.error(number.unit_position,
               fmt::format("{} is {}, but '{}' measures {}", to_string(name), name_of(*expected),
                           number.unit, name_of(*number.dimension)),
               units.empty() ? "leave the unit out" : fmt::format("give it in {}", units));
  return false;
}

void read_together(std::span<NamedNumber> numbers, std::string_view these, Scope& scope,
                   Report& report) {
  std::unordered_map<std::string_view, int> index;
  for (std::size_t k = 0; k < numbers.size(); ++k) index.emplace(numbers[k].name, int(k));

  // References between the numbers; a name in its own formula refers to the outer scope, if defined
  // there.
  std::vector<std::vector<int>> uses(numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (!numbers[k].value->is_text()) continue;
    each_name(formula_of(numbers[k].value->text), [&](std::string_view used) {
      const auto found = index.find(used);
      if (found == index.end()) return;
      const bool is_from_outside =
          found->second == int(k) && scope.outer() && scope.outer()->find(used);
      if (!is_from_outside) uses[k].push_back(found->second);
    });
  }

  DependencyOrder dependencies(std::move(uses));
  const std::vector<int> order = dependencies.run([&](const std::vector<int>& circle) {
    report.error(numbers[std::size_t(circle[0])].value->position,
                 fmt::format("{} in a circle: {}", these, joined_names(numbers, circle)),
                 "give one of them a number");
  });

  for (const int k : order) {
    NamedNumber& number = numbers[std::size_t(k)];
    if (dependencies.is_in_circle(k))
      number.description.is_sound = false;
    else
      number.description =
          read_number(*number.value, {number.owner, number.key}, scope, report, number.name);
    scope.add(number.name,
              {number.description.value, number.description.is_sound, number.description.has_unit});
  }
}

bool uses_names(const Value& value) {
  bool has_names = false;
  if (value.is_text())
    each_name(formula_of(value.text), [&](std::string_view name) { has_names |= name != "pi"; });
  return has_names;
}

}  // namespace trammel::toml
