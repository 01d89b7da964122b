#include "numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

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
    refuse(mistake->message, mistake->hint);
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

std::size_t width(std::string_view text) {
  // later bytes of a character of UTF-8 begin with the bits 10
  return std::size_t(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string number_text(double value, std::optional<int> digits) {
  const std::string text =
      digits && *digits < 17 ? fmt::format("{:.{}g}", value, *digits) : fmt::format("{}", value);
  return text == "-0" ? "0" : text;
}

}  // namespace trammel::cli
