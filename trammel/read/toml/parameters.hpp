// The parameters of a file: letters, and formulas of letters.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/description.hpp"
#include "trammel/read/toml/number.hpp"

namespace trammel {

// A parameter given another value, from the command line or by the file that includes this one.
struct ParameterSetting {
  std::string name;
  double value = 0;
  bool is_used = false;
};

// May a formula use it? Letters, digits and _, no digit first.
bool is_formula_name(std::string_view name);

// Fills the description's parameters and definitions, and the scope. Settings that meet a parameter
// are marked as used.
void read_parameters(const TomlValue& document, std::vector<ParameterSetting>& settings,
                     Description& description, Scope& scope, Report& report);

}  // namespace trammel
