// Mechanisms from compact tables: Denavit and Hartenberg's, van der Merwe's (seed 004), plain
// chains, vehicles on wheels. As CSV, with a row of column names first and units in it if you like,
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
  path  // no mechanism: points, as trammel/read/path.hpp reads them
};
std::string_view to_string(TableNotation notation);  // "dh-modified"
std::optional<TableNotation> find_notation(std::string_view name);
const std::vector<std::string>& notation_names();

// Mistakes and warnings go to `diagnostics`; what was said without them is returned.
[[nodiscard]] Description read_table(TableNotation notation, const std::string& path,
                                     const ReadOptions& options, Diagnostics& diagnostics);
[[nodiscard]] Description read_table(TableNotation notation, const Source& source,
                                     const ReadOptions& options, Diagnostics& diagnostics);

// A table where a model is expected: a vehicle's, which is all there is to it. Of one that fits
// another notation it is told how to make a model of it.
[[nodiscard]] Description read_vehicle(const Source& source, const ReadOptions& options,
                                       Diagnostics& diagnostics);

}  // namespace trammel
