// Reads the table of a path, in a model file or in a text.
#pragma once

#include "trammel/model/description/path_description.hpp"
#include "trammel/read/toml/items.hpp"

namespace trammel::toml {

struct GivenPath {
  PathDescription path;
  Value table;  // as written, but a file of points is replaced by its points
};
// Errors are reported; missing values are then replaced by harmless ones.
GivenPath read_path_table(Owner& owner, const Value& table, const Scope& scope,
                          const Description& description, Report& report);

// Value of a formula at the nominal values of the parameters.
double nominal_value(const Description& description, const Expr& formula);

}  // namespace trammel::toml
