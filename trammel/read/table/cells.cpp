#include "trammel/read/table/cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "trammel/base/suggest.hpp"

namespace trammel {

namespace {

constexpr const char* number_hint = "write a number, such as 0.5, 30 deg or pi/2";

// place of a byte of the cell; columns count characters
Place place_in(const TableCell& cell, std::size_t offset) {
  Place place = cell.place;
  for (std::size_t k = 0; k < offset && k < cell.text.size(); ++k)
    place.column += (cell.text[k] & 0xC0) != 0x80 ? 1 : 0;
  return place;
}

}  // namespace

std::optional<double> number_of(const TableCell& cell, const std::string& what,
                                const Dimension& expected, Diagnostics& diagnostics) {
  const auto refuse = [&](std::size_t offset, const std::string& fact, const std::string& hint) {
    diagnostics.error(place_in(cell, offset), fact, hint);
    return std::nullopt;
  };
  Expr number = cell.number.value_or(0);
  Unit unit = cell.unit.value_or(Unit{.dimension = expected});
  std::string unit_name = "the unit of its column";
  std::size_t unit_at = 0;
  if (!cell.number) {
    unit_at = find_unit(cell.text);
    const auto parsed = parse(std::string_view(cell.text).substr(0, unit_at), {});
    if (const auto* mistake = std::get_if<ParseError>(&parsed))
      return refuse(std::size_t(mistake->position), fmt::format("{}: {}", what, mistake->message),
                    mistake->hint.empty() ? number_hint : mistake->hint);
    number = std::get<Expr>(parsed);
    if (unit_at < cell.text.size()) {
      const std::string text = cell.text.substr(unit_at);
      const auto parsed_unit = parse_unit(text);
      if (const auto* mistake = std::get_if<ParseError>(&parsed_unit))
        return refuse(unit_at + std::size_t(mistake->position),
                      fmt::format("{}: {}", what, mistake->message),
                      mistake->hint.empty() ? number_hint : mistake->hint);
      unit = std::get<Unit>(parsed_unit);
      unit_name = fmt::format("'{}'", shortened(text));
    } else {
      unit_at = 0;
    }
  }
  if (!fits(unit.dimension, expected)) {
    const std::string units = units_of(expected);
    return refuse(unit_at,
                  fmt::format("{} is {}, but {} measures {}", what, name_of(expected), unit_name,
                              name_of(unit.dimension)),
                  units.empty() ? "leave the unit out" : "write " + units);
  }
  const double x = in_si(number, unit).constant();
  if (!std::isfinite(x)) return refuse(0, fmt::format("{} is {}", what, x), "give a finite number");
  return x;
}

Place RowReader::place_of(std::string_view column) const {
  const auto found = row_.cells.find(column);
  return found == row_.cells.end() ? row_.place : found->second.place;
}

void RowReader::error(std::string_view column, const std::string& fact,
                      const std::string& hint) const {
  diagnostics_.error(place_of(column), fact, hint);
}

double RowReader::value(std::string_view column, const Dimension& expected,
                        double otherwise) const {
  const auto found = row_.cells.find(column);
  const TableColumn& kind = *find_column(notation_, column);
  if (found == row_.cells.end()) {
    if (kind.is_needed && !table_.absent.contains(column))
      diagnostics_.error(row_.place, fmt::format("row {} has no '{}'", row_.number, kind.name),
                         "write 0 if it is zero");
    return otherwise;
  }
  const std::string what = fmt::format("{} of row {}", kind.name, row_.number);
  return number_of(found->second, what, expected, diagnostics_).value_or(otherwise);
}

double RowReader::number(std::string_view column, double otherwise) const {
  return value(column, find_column(notation_, column)->dimension, otherwise);
}

std::vector<Expr> RowReader::per_joint(std::string_view column, const Dimension& expected) const {
  if (!has(column)) return {};
  return {value(column, expected, 0)};
}

std::string RowReader::text(std::string_view column) const {
  const auto found = row_.cells.find(column);
  if (found == row_.cells.end()) return "";
  return found->second.number ? fmt::format("{}", *found->second.number) : found->second.text;
}

std::size_t RowReader::choice(std::string_view column,
                              const std::vector<std::string>& words) const {
  if (!has(column)) return 0;
  const std::string description = text(column);
  const auto found = std::find(words.begin(), words.end(), description);
  if (found != words.end()) return std::size_t(found - words.begin());
  const auto meant = suggest(description, words);
  std::string list;
  for (std::size_t k = 0; k < words.size(); ++k)
    list += (k == 0 ? "" : k + 1 == words.size() ? " or " : ", ") + words[k];
  error(column, fmt::format("{} of row {} is '{}'", column, row_.number, shortened(description)),
        meant ? fmt::format("did you mean '{}'?", *meant) : "it is " + list);
  return 0;
}

Vec3<Expr> RowReader::axis(std::string_view column, const Vec3<Expr>& otherwise) const {
  if (!has(column)) return otherwise;
  switch (choice(column, {"x", "y", "z", "-x", "-y", "-z"})) {
    case 0: return {1.0, 0.0, 0.0};
    case 1: return {0.0, 1.0, 0.0};
    case 2: return {0.0, 0.0, 1.0};
    case 3: return {-1.0, 0.0, 0.0};
    case 4: return {0.0, -1.0, 0.0};
    default: return {0.0, 0.0, -1.0};
  }
}

Solid RowReader::solid() const {
  return {number("mass"),
          {number("com x"), number("com y"), number("com z")},
          {number("inertia xx"), number("inertia xy"), number("inertia xz"), number("inertia yy"),
           number("inertia yz"), number("inertia zz")}};
}

JointKind RowReader::kind(const std::vector<JointKind>& kinds) const {
  std::vector<std::string> words;
  for (const JointKind kind : kinds) words.push_back(to_string(kind));
  return kinds[choice("type", words)];
}

void RowReader::read_joint(JointKind kind, JointOptions& how) const {
  const bool slides = kind == JointKind::prismatic;
  how.damping = per_joint("damping", slides ? dimension::damping : dimension::angular_damping);
  const Dimension position = slides ? dimension::length : dimension::angle;
  how.limits.lower = per_joint("lower", position);
  how.limits.upper = per_joint("upper", position);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (how.limits.lower.empty() && !how.limits.upper.empty()) how.limits.lower = {-infinity};
  if (how.limits.upper.empty() && !how.limits.lower.empty()) how.limits.upper = {infinity};
  how.limits.velocity =
      per_joint("velocity", slides ? dimension::velocity : dimension::angular_velocity);
  how.limits.effort = per_joint("effort", slides ? dimension::force : dimension::torque);
}

ItemPlace RowReader::place_with(
    std::initializer_list<std::pair<std::string_view, std::string_view>> keys) const {
  ItemPlace place(row_.place);
  for (const auto& [key, column] : keys)
    if (has(column)) place.key(std::string(key), place_of(column));
  return place;
}

ItemPlace RowReader::body_place() const {
  return place_with({{"mass", "mass"}, {"com", "com x"}, {"inertia", "inertia xx"}});
}
ItemPlace RowReader::joint_place() const {
  return place_with({{"damping", "damping"},
                     {"stiffness", "stiffness"},
                     {"limits.position", "lower"},
                     {"limits.lower", "lower"},
                     {"limits.upper", "upper"},
                     {"limits.velocity", "velocity"},
                     {"limits.effort", "effort"}});
}

}  // namespace trammel
