// Cells of a table, by row and column, independent of the file format.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/model/description/description.hpp"
#include "trammel/read/source.hpp"
#include "trammel/read/table/table.hpp"
#include "trammel/read/units.hpp"

namespace trammel {

inline constexpr std::size_t most_rows = 10000;

struct TableCell {
  std::string text = {};
  std::optional<double> number = {};  // if the format has numbers of its own
  std::optional<Unit> unit = {};      // of the whole column; a unit in the text has precedence
  Place place = {};
};

struct TableRow {
  int number = 1;  // from 1
  Place place = {};
  std::map<std::string, TableCell, std::less<>> cells = {};  // by key of the column; never empty
};

// Settings of the whole chain.
struct TableSettings {
  std::string name = {};
  std::optional<Vec3<Expr>> gravity = {};
  Placement base_at = {}, tool = {};
};

struct Table {
  Place place = {};  // of the header, or of the file
  TableSettings settings = {};
  std::vector<TableRow> rows = {};
  std::set<std::string, std::less<>> absent = {};  // columns already reported as missing
};

// Returns nothing if no valid rows are left.
std::optional<Table> read_csv_rows(TableNotation notation, const Source& source,
                                   Diagnostics& diagnostics);
std::optional<Table> read_toml_rows(TableNotation notation, const Source& source,
                                    Diagnostics& diagnostics);

}  // namespace trammel
