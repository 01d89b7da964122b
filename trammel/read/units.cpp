#include "trammel/read/units.hpp"

#include <charconv>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"

namespace trammel {

namespace {

struct NamedUnit {
  std::string_view name;
  Unit unit;
};
constexpr double pi = std::numbers::pi;
constexpr Dimension energy = dimension::torque, work_rate{2, 1, -3};

constexpr NamedUnit units[] = {
    {"m", {dimension::length}},
    {"mm", {dimension::length, 1, 1e3}},
    {"cm", {dimension::length, 1, 1e2}},
    {"km", {dimension::length, 1e3}},
    {"um", {dimension::length, 1, 1e6}},
    {"in", {dimension::length, 254, 1e4}},
    {"ft", {dimension::length, 3048, 1e4}},
    {"kg", {dimension::mass}},
    {"g", {dimension::mass, 1, 1e3}},
    {"t", {dimension::mass, 1e3}},
    {"lb", {dimension::mass, 45359237, 1e8}},
    {"s", {dimension::time}},
    {"ms", {dimension::time, 1, 1e3}},
    {"us", {dimension::time, 1, 1e6}},
    {"min", {dimension::time, 60}},
    {"h", {dimension::time, 3600}},
    {"rad", {dimension::angle}},
    {"mrad", {dimension::angle, 1, 1e3}},
    {"deg", {dimension::angle, pi, 180}},
    {"turn", {dimension::angle, 2 * pi}},
    {"rev", {dimension::angle, 2 * pi}},
    {"rpm", {dimension::angular_velocity, 2 * pi, 60}},
    {"N", {dimension::force}},
    {"mN", {dimension::force, 1, 1e3}},
    {"kN", {dimension::force, 1e3}},
    {"lbf", {dimension::force, 4.4482216152605}},
    {"Nm", {dimension::torque}},
    {"J", {energy}},
    {"W", {work_rate}},
    {"kW", {work_rate, 1e3}},
    {"Hz", {dimension::frequency}},
};

const NamedUnit* find(std::string_view name) {
  for (const NamedUnit& unit : units)
    if (unit.name == name) return &unit;
  return nullptr;
}

struct NamedDimension {
  Dimension dimension;
  std::string_view name, units;
};
constexpr NamedDimension dimensions[] = {
    {dimension::none, "a plain number", ""},
    {dimension::length, "a length", "m or mm"},
    {dimension::mass, "a mass", "kg or g"},
    {dimension::time, "a time", "s or ms"},
    {dimension::angle, "an angle", "rad or deg"},
    {dimension::velocity, "a velocity", "m/s"},
    {dimension::angular_velocity, "an angular velocity", "rad/s, deg/s or rpm"},
    {dimension::acceleration, "an acceleration", "m/s^2"},
    {dimension::frequency, "a frequency", "Hz"},
    {dimension::force, "a force", "N"},
    {dimension::torque, "a torque", "N*m"},
    {dimension::inertia, "a moment of inertia", "kg*m^2"},
    {dimension::stiffness, "a stiffness", "N/m"},
    {dimension::angular_stiffness, "a stiffness of turning", "N*m/rad"},
    {dimension::damping, "a damping", "N*s/m"},
    {dimension::angular_damping, "a damping of turning", "N*m*s/rad"},
    {dimension::pitch, "a length per turn", "mm/turn or m/rad"},
    {work_rate, "a power", "W"},
    {{2}, "an area", "m^2"},
    {{3}, "a volume", "m^3"},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}
std::size_t end_of_name(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]))) ++at;
  return at;
}

// Grammar: a product of powers, with '*' or a blank between factors, '/' before divisors,
// parentheses.
class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  std::variant<Unit, ParseError> run() {
    while (!error_) {
      at_ = skip_blanks(text_, at_);
      if (at_ == text_.size()) break;
      if (wants_unit_)
        read_unit();
      else
        read_operator();
    }
    if (!error_ && wants_unit_) fail(at_, "a unit is missing at the end", "");
    if (!error_ && signs_.size() > 1) fail(at_, "')' is missing in the unit", "");
    if (error_) return *error_;
    return unit_;
  }

 private:
  void read_unit() {
    const char c = text_[at_];
    if (c == '(') {
      signs_.push_back(signs_.back() * next_sign_);
      next_sign_ = 1;
      ++at_;
      return;
    }
    if (c == '1') {  // as in 1/s
      ++at_;
      next_sign_ = 1;
      wants_unit_ = false;
      return;
    }
    const std::size_t start = at_;
    at_ = end_of_name(text_, at_);
    const std::string_view name = text_.substr(start, at_ - start);
    const NamedUnit* found = name.empty() || is_digit(name[0]) ? nullptr : find(name);
    if (!found) return fail_at_name(start, name);
    multiply(found->unit, signs_.back() * next_sign_ * read_exponent());
    wants_unit_ = false;
    next_sign_ = 1;
  }

  int read_exponent() {
    if (at_ == text_.size() || text_[at_] != '^') return 1;
    const std::size_t start = ++at_;
    const int sign = at_ < text_.size() && text_[at_] == '-' ? -1 : 1;
    if (sign < 0) ++at_;
    if (at_ == text_.size() || !is_digit(text_[at_]) ||
        (at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
      fail(start, "the power of a unit is a whole number from -9 to 9", "");
      return 1;
    }
    return sign * (text_[at_++] - '0');
  }

  void read_operator() {
    const char c = text_[at_];
    if (c == ')' && signs_.size() > 1) {
      signs_.pop_back();
      ++at_;
      return;
    }
    if (c == '*' || c == '/') {
      ++at_;
      next_sign_ = c == '/' ? -1 : 1;
    } else if (!is_letter(c) && c != '(') {  // a blank between two units is a product
      return fail(at_, fmt::format("'{}' has no meaning in a unit", character()),
                  "a unit ends the text: \"(2 + 3) kg\"");
    }
    wants_unit_ = true;
  }

  void multiply(const Unit& unit, int power) {
    unit_.dimension.length += power * unit.dimension.length;
    unit_.dimension.mass += power * unit.dimension.mass;
    unit_.dimension.time += power * unit.dimension.time;
    unit_.dimension.angle += power * unit.dimension.angle;
    const double times = std::pow(unit.times, std::abs(power));
    const double over = std::pow(unit.over, std::abs(power));
    unit_.times *= power > 0 ? times : over;
    unit_.over *= power > 0 ? over : times;
  }

  void fail_at_name(std::size_t start, std::string_view name) {
    at_ = start;
    if (name.empty())
      return fail(start, fmt::format("'{}' stands where a unit is expected", character()), "");
    std::vector<std::string> known;
    for (const NamedUnit& unit : units) known.emplace_back(unit.name);
    const auto meant = suggest(name, known);
    fail(start, fmt::format("'{}' is not a unit", name),
         meant
             ? fmt::format("did you mean '{}'? a product is written with '*'", *meant)
             : "units are m mm cm in ft kg g lb s ms min h rad deg turn rpm N J W Hz, and products "
               "and powers of them; a product of numbers is written with '*'");
  }
  // the whole character, if it has more than one byte
  std::string_view character() const {
    std::size_t length = 1;
    while (at_ + length < text_.size() && (text_[at_ + length] & 0xC0) == 0x80) ++length;
    return text_.substr(at_, length);
  }
  void fail(std::size_t where, std::string message, std::string hint) {
    if (!error_) error_ = ParseError{int(where), std::move(message), std::move(hint)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool wants_unit_ = true;
  int next_sign_ = 1;             // -1 after a '/'
  std::vector<int> signs_ = {1};  // of the open parentheses
  Unit unit_;
  std::optional<ParseError> error_;
};

}  // namespace

Expr in_si(const Expr& number, const Unit& unit) {
  if (number.is_constant()) return number.constant() * unit.times / unit.over;
  return (unit.times / unit.over) * number;
}

std::variant<Unit, ParseError> parse_unit(std::string_view text) { return UnitParser(text).run(); }

bool is_unit(std::string_view name) { return find(name) != nullptr; }

bool fits(const Dimension& unit, const Dimension& expected) {
  if (unit == expected) return true;
  Dimension without_angle = expected;
  without_angle.angle = 0;
  return expected.mass != 0 && unit == without_angle;
}

std::string name_of(const Dimension& dimension) {
  for (const NamedDimension& known : dimensions)
    if (known.dimension == dimension) return std::string(known.name);
  std::string text;
  const auto multiply = [&](std::string_view unit, int power) {
    if (power == 0) return;
    if (!text.empty()) text += "*";
    text += unit;
    if (power != 1) text += fmt::format("^{}", power);
  };
  multiply("kg", dimension.mass);
  multiply("m", dimension.length);
  multiply("s", dimension.time);
  multiply("rad", dimension.angle);
  return "a quantity in " + text;
}

std::string units_of(const Dimension& dimension) {
  for (const NamedDimension& known : dimensions)
    if (known.dimension == dimension) return std::string(known.units);
  return {};
}

std::string hint_about_degree_sign(std::string_view text) {
  // the degree sign, and the ordinal indicator that some keyboards have in its place
  const bool has_sign = text.find("\u00b0") != text.npos || text.find("\u00ba") != text.npos;
  return has_sign ? "degrees are written with a unit: \"90 deg\"" : "";
}

std::size_t find_unit(std::string_view text) {
  bool wants_operand = true;
  std::size_t at = skip_blanks(text, 0);
  for (; at < text.size(); at = skip_blanks(text, at)) {
    const char c = text[at];
    if (is_letter(c)) {
      if (!wants_operand) return at;
      at = end_of_name(text, at);
      wants_operand = false;
    } else if (is_digit(c) || c == '.') {
      const std::size_t next = skip_blanks(text, at + 1);
      if (!wants_operand && c == '1' && next < text.size() && text[next] == '/') return at;  // 1/s
      double number = 0;
      const char* begin = text.data() + at;
      const char* end = std::from_chars(begin, text.data() + text.size(), number).ptr;
      at += std::max<std::size_t>(1, std::size_t(end - begin));
      wants_operand = false;
    } else {
      wants_operand = c != ')';
      ++at;
    }
  }
  return text.size();
}

bool is_sum(std::string_view formula) {
  bool wants_operand = true;
  int depth = 0;
  for (std::size_t at = skip_blanks(formula, 0); at < formula.size();
       at = skip_blanks(formula, at)) {
    const char c = formula[at];
    if (is_letter(c)) {
      at = end_of_name(formula, at);
      wants_operand = false;
    } else if (is_digit(c) || c == '.') {  // the minus of 1e-3 does not make a sum
      double number = 0;
      const char* begin = formula.data() + at;
      const char* end = std::from_chars(begin, formula.data() + formula.size(), number).ptr;
      at += std::max<std::size_t>(1, std::size_t(end - begin));
      wants_operand = false;
    } else {
      if (depth == 0 && !wants_operand && (c == '+' || c == '-')) return true;
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      wants_operand = c != ')';
      ++at;
    }
  }
  return false;
}

}  // namespace trammel
