// The columns of each table notation.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "trammel/read/table/table.hpp"
#include "trammel/read/units.hpp"

namespace trammel {

struct TableColumn {
  enum class Holds { text, number, either };  // either: a length or an angle, by the joint
  std::string_view name;                      // as written in a header: "com x"
  Holds holds = Holds::number;
  Dimension dimension = {};  // of a number
  bool is_needed = false;
};

std::span<const TableColumn> columns_of(TableNotation notation);

// "Com X", "com.x" and "com_x" are the column "com x".
std::string column_key(std::string_view written);
const TableColumn* find_column(TableNotation notation, std::string_view written);

// For hints: "did you mean 'theta'?", or a list of all columns.
std::string column_hint(TableNotation notation, std::string_view wrong);
std::string list_of_columns(TableNotation notation);

}  // namespace trammel
