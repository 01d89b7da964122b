#pragma once

#include <string>
#include <vector>

#include "trammel/model/model.hpp"

namespace trammel {

// Unit of each constraint row, in the order of row_names: "rad" or "m". Its multiplier is then in
// N m or N.
std::vector<std::string> row_units(const Model& model);

}  // namespace trammel
