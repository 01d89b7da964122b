// The part of each terrain that the wheels of a motion visit, for the report page.
#pragma once

#include <string>

#include "trammel/write/report/report.hpp"

namespace trammel {

// A JSON list: the body of each terrain, the pose of its plane, and heights over a grid.
std::string terrain_list(const Model& model, const MotionReport& report);

}  // namespace trammel
