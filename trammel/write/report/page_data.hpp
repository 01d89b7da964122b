// A report as JSON for the page's script: viewer/src/data.ts reads what is written here. Columns of
// numbers are base64: doubles for times and series, single precision for what is only drawn.
#pragma once

#include <string>

#include "trammel/write/report.hpp"

namespace trammel {

// Of a report that has been checked. Safe inside a script element: no "<" in it.
std::string page_data(const Model& model, const MotionReport& report);

// One of its series; `natural` is how large such numbers are by nature.
std::string series_json(const MotionReport::Series& series, double natural);

}  // namespace trammel
