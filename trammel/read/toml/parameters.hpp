// Parameters of a file: symbols with values, and formulas of these symbols.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/description/description.hpp"
#include "trammel/read/toml/number.hpp"

namespace trammel::toml {

// Another value for a parameter, from the command line or from the including file.
struct ParameterSetting {
  std::string name;
  double value = 0;
  bool is_used = false;
};

// Whether a formula may use the name: letters, digits and _, no digit first.
bool is_formula_name(std::string_view name);

// Fills the description's parameters and definitions, and the scope. Settings that match a
// parameter are marked as used.
void read_parameters(const Value& document, std::vector<ParameterSetting>& settings,
                     Description& description, Scope& scope, Report& report);

}  // namespace trammel::toml
