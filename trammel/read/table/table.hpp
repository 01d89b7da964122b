// Mechanisms from compact tables: Denavit-Hartenberg, SDOF [van der Merwe 1995], serial chains,
// wheeled vehicles. As CSV, with a header of column names and optional units,
//
//   name,  theta, d [mm], a [mm], alpha [deg]
//   waist, 0,     0,      0,      90
//
// or as TOML with one [[row]] for each link. docs/tables.md has all columns.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/read/load.hpp"
#include "trammel/read/source.hpp"

namespace trammel {

enum class TableNotation {
  dh,
  dh_modified,
  sdof,
  chain,
  platform,
  path  // no mechanism: points, see trammel/read/toml/load_path.hpp
};
std::string_view to_string(TableNotation notation);  // "dh-modified"
std::optional<TableNotation> find_notation(std::string_view name);
const std::vector<std::string>& notation_names();

// Errors and warnings go to `diagnostics`; the valid part of the description is returned.
[[nodiscard]] Description read_table(TableNotation notation, const std::string& path,
                                     const ReadOptions& options, Diagnostics& diagnostics);
[[nodiscard]] Description read_table(TableNotation notation, const Source& source,
                                     const ReadOptions& options, Diagnostics& diagnostics);

// Reads a table where a model is expected: only a vehicle's table is a complete model. For a table
// of another notation the error message says how to generate a model from it.
[[nodiscard]] Description read_vehicle(const Source& source, const ReadOptions& options,
                                       Diagnostics& diagnostics);

}  // namespace trammel
