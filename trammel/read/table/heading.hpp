// Header cells of a table: "alpha [deg]", a name and an optional unit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "trammel/base/diagnostics.hpp"
#include "trammel/read/units.hpp"

namespace trammel {

// Position of the bracket before the unit; npos if there is none.
std::size_t unit_bracket(std::string_view heading);
std::string heading_name(std::string_view heading);

// Unit of a column heading, if it has one; it must fit the dimension `expected` (nullopt: any).
// Returns nothing and reports an error if the unit is invalid; `place` is the beginning of the
// heading.
std::optional<Unit> heading_unit(std::string_view heading, std::string_view column,
                                 const std::optional<Dimension>& expected, const Place& place,
                                 Diagnostics& diagnostics);

}  // namespace trammel
