#include "trammel/read/table/heading.hpp"

#include <variant>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"

namespace trammel {

std::size_t unit_bracket(std::string_view heading) { return heading.find_first_of("[("); }

std::string heading_name(std::string_view heading) {
  std::string_view name = heading.substr(0, unit_bracket(heading));
  while (name.ends_with(' ') || name.ends_with('\t')) name.remove_suffix(1);
  return std::string(name);
}

std::optional<Unit> heading_unit(std::string_view heading, std::string_view column,
                                 const std::optional<Dimension>& expected, const Place& place,
                                 Diagnostics& diagnostics) {
  const std::size_t bracket = unit_bracket(heading);
  if (bracket == std::string_view::npos) return std::nullopt;
  const auto refuse = [&](std::size_t within, const std::string& fact, const std::string& hint) {
    diagnostics.error({place.file, place.line, place.column + int(within)}, fact, hint);
    return std::nullopt;
  };
  const char closing = heading[bracket] == '[' ? ']' : ')';
  if (heading.back() != closing)
    return refuse(bracket, fmt::format("the unit of column '{}' has no '{}'", column, closing),
                  fmt::format("write {} [m]", column));
  const std::string text(heading.substr(bracket + 1, heading.size() - bracket - 2));
  const auto parsed = parse_unit(text);
  if (const auto* mistake = std::get_if<ParseError>(&parsed))
    return refuse(bracket + 1 + std::size_t(mistake->position),
                  fmt::format("column '{}': {}", column, mistake->message), mistake->hint);
  const Unit unit = std::get<Unit>(parsed);
  if (!expected || fits(unit.dimension, *expected)) return unit;
  const std::string units = units_of(*expected);
  return refuse(bracket + 1,
                fmt::format("column '{}' is {}, but '{}' measures {}", column, name_of(*expected),
                            shortened(text), name_of(unit.dimension)),
                units.empty() ? "leave the unit out" : "write " + units);
}

}  // namespace trammel
