#pragma once

#include <string>
#include <vector>

#include "trammel/model/model.hpp"

namespace trammel {

// What each row of the constraints counts, in the order of row_names: "rad" or "m". Its multiplier
// is in N m or N then.
std::vector<std::string> row_units(const Model& model);

}  // namespace trammel
