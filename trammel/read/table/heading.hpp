// The first row of a table: "alpha [deg]", a name and perhaps a unit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "trammel/base/diagnostics.hpp"
#include "trammel/read/units.hpp"

namespace trammel {

// Where the bracket before the unit is; npos if it has none.
std::size_t unit_bracket(std::string_view heading);
std::string heading_name(std::string_view heading);

// The unit behind the name of a column, which `expected` is measured in (nothing: in anything), if
// it has one. Nothing, and the mistake reported, if that makes no sense; `place` is where the
// heading begins.
std::optional<Unit> heading_unit(std::string_view heading, std::string_view column,
                                 const std::optional<Dimension>& expected, const Place& place,
                                 Diagnostics& diagnostics);

}  // namespace trammel
