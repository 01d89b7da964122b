// A report as JSON for the page's script: viewer/src/data.ts reads it. Columns of numbers are
// base64: doubles for times and series, single precision for data that are only drawn.
#pragma once

#include <string>

#include "trammel/write/report/report.hpp"

namespace trammel {

// For a report that has been checked. Safe inside a script element: it contains no "<".
std::string page_data(const Model& model, const MotionReport& report);

// One of its series; `natural` is the natural magnitude of its values.
std::string series_json(const MotionReport::Series& series, double natural);

}  // namespace trammel
