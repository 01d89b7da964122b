// The table of a path, wherever it stands.
#pragma once

#include "trammel/model/path_description.hpp"
#include "trammel/read/toml/items.hpp"

namespace trammel {

struct SaidPath {
  PathDescription path;
  TomlValue table;  // as it was said, but with the points of a file in the place of its name
};
// Mistakes are reported; what is missing then is some harmless value.
SaidPath read_path_table(TomlOwner& owner, const TomlValue& table, const Scope& scope,
                         const Description& description, Report& report);

// What a formula is worth with the parameters as they were said.
double nominal_value(const Description& description, const Expr& formula);

}  // namespace trammel
