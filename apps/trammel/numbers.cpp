#include "numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "terminal.hpp"
#include "trammel/scalar/expr_parser.hpp"

namespace trammel::cli {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

double number(std::string_view text, std::string_view option,
              const std::optional<Dimension>& measures) {
  const auto refuse = [&](std::string_view fact, std::string hint) {
    throw UsageError(fmt::format("option {} has '{}': {}", option, text, fact), std::move(hint));
  };
  const std::size_t unit_start = find_unit(text);
  const auto formula =
      parse(text.substr(0, unit_start), [](std::string_view) { return std::nullopt; });
  if (const ParseError* mistake = std::get_if<ParseError>(&formula))
    refuse(mistake->message, mistake->hint.empty() ? hint_about_degree_sign(text) : mistake->hint);
  double value = std::get<Expr>(formula).constant();
  if (unit_start < text.size()) {
    const auto unit = parse_unit(trimmed(text.substr(unit_start)));
    if (const ParseError* mistake = std::get_if<ParseError>(&unit))
      refuse(mistake->message, mistake->hint);
    if (!std::get<Unit>(unit).is_si() && is_sum(trimmed(text.substr(0, unit_start))))
      refuse("its unit could belong to the last term or to all of it",
             fmt::format("write ({}) {}", trimmed(text.substr(0, unit_start)),
                         trimmed(text.substr(unit_start))));
    const Dimension description = std::get<Unit>(unit).dimension;
    if (measures && !fits(description, *measures))
      refuse(fmt::format("{} is given where {} belongs", name_of(description), name_of(*measures)),
             "a plain number is in SI units");
    value = in_si(value, std::get<Unit>(unit)).constant();
  }
  if (!std::isfinite(value)) refuse(fmt::format("that is {}", value), "give a finite number");
  return value;
}

std::vector<std::string> split(std::string_view text) {
  text = trimmed(text);
  if (text.size() > 1 && text.front() == '[' && text.back() == ']')
    text = text.substr(1, text.size() - 2);
  std::vector<std::string> parts;
  int depth = 0;  // parentheses: atan2(1, 2) is one number
  std::size_t from = 0;
  for (std::size_t k = 0; k <= text.size(); ++k) {
    if (k < text.size() && text[k] == '(') ++depth;
    if (k < text.size() && text[k] == ')') --depth;
    if (k < text.size() && (text[k] != ',' || depth > 0)) continue;
    parts.emplace_back(trimmed(text.substr(from, k - from)));
    from = k + 1;
  }
  return parts;
}

std::vector<double> numbers(std::string_view text, std::span<const Dimension> measures,
                            std::string_view option) {
  const std::vector<std::string> parts = split(text);
  if (parts.size() != measures.size())
    throw UsageError(
        fmt::format("option {} takes {} numbers and has {}", option, measures.size(), parts.size()),
        "separate them by commas");
  std::vector<double> values;
  for (std::size_t k = 0; k < parts.size(); ++k)
    values.push_back(number(parts[k], option, measures[k]));
  return values;
}

Vec3<double> vector(std::string_view text, const Dimension& measures, std::string_view option) {
  const std::vector<double> xyz = numbers(text, std::array{measures, measures, measures}, option);
  return {xyz[0], xyz[1], xyz[2]};
}

std::vector<NamedTexts> named_texts(const std::vector<std::string>& given) {
  std::vector<NamedTexts> out;
  for (const std::string& text : given) {
    bool is_first = true;
    for (const std::string& part : split(text)) {
      const std::size_t equals = part.find('=');
      if (equals != std::string::npos && equals > 0)
        out.push_back({std::string(trimmed(std::string_view(part).substr(0, equals))),
                       split(part.substr(equals + 1))});
      else if (is_first || out.empty())
        out.push_back({"", {part}});
      else
        out.back().values.push_back(part);
      is_first = false;
    }
  }
  return out;
}

std::pair<std::string, std::string> name_and_value(const std::string& text,
                                                   std::string_view option) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError(fmt::format("option {} has '{}'", option, text), "it takes name=value");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::string hint_about_position(const std::string& word) {
  if (const std::size_t equals = word.find('='); equals != word.npos && equals > 0)
    return fmt::format("positions are given by --q, as in --q {}; -q is short for --quiet", word);
  const bool is_number = !word.empty() && word.find_first_not_of("0123456789.-+eE") == word.npos;
  return is_number ? fmt::format("a value follows its joint and '=': --q elbow={}", word) : "";
}

std::size_t width(std::string_view text) {
  // later bytes of a character of UTF-8 begin with the bits 10
  return std::size_t(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string duration_text(double seconds) {
  if (!(seconds < 1e8)) return "years";
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 2 * 86400) return fmt::format("{:.0f} hours", seconds / 3600);
  return fmt::format("{:.0f} days", seconds / 86400);
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string number_text(double value, std::optional<int> digits) {
  const std::string text =
      digits && *digits < 17 ? fmt::format("{:.{}g}", value, *digits) : fmt::format("{}", value);
  return text == "-0" ? "0" : text;
}

std::pair<double, std::string> in_degrees(const std::string& unit) {
  constexpr double degrees = 180 / std::numbers::pi;
  if (unit == "rad" || unit.starts_with("rad/")) return {degrees, "deg" + unit.substr(3)};
  if (unit.ends_with("/rad")) return {1 / degrees, unit.substr(0, unit.size() - 3) + "deg"};
  return {1, unit};
}

void NumberFormat::offer_digits(CLI::App& app) {
  app.add_option("--digits", digits_text_,
                 "digits of the text, 1 to 17; default: 6, with rounding errors as 0 (the JSON "
                 "has all)")
      ->type_name("N");
}

void NumberFormat::offer_angles(CLI::App& app, const char* help) {
  app.add_option("--angles", angles_, help)->type_name("UNIT");
}

void NumberFormat::check() {
  if (angles_ != "rad" && angles_ != "deg")
    throw UsageError(fmt::format("option --angles is '{}'", angles_), "it takes rad or deg");
  if (digits_text_.empty()) return;
  const double digits = number(digits_text_, "--digits");
  if (digits < 1 || digits > 17 || digits != int(digits))
    throw UsageError(fmt::format("option --digits is '{}'", digits_text_), "it takes 1 to 17");
  digits_ = int(digits);
}

std::string NumberFormat::text(double value) const {
  return number_text(value, digits_.value_or(text_digits));
}

std::string NumberFormat::text(double value, const std::string& unit) const {
  const auto [factor, name] = has_degrees() ? in_degrees(unit) : std::pair(1.0, unit);
  return text(factor * value) + (name.empty() || name == "1" ? "" : " " + name);
}

}  // namespace trammel::cli
