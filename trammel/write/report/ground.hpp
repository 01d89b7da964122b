// The part of each terrain that a motion has seen, as the page draws it.
#pragma once

#include <string>

#include "trammel/write/report.hpp"

namespace trammel {

// A JSON list: on which body, where its plane is, and heights over a grid.
std::string terrain_list(const Model& model, const MotionReport& report);

}  // namespace trammel
