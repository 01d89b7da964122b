// The part of a report that needs no script: what follows the common head of both pages.
#pragma once

#include <string>

#include "trammel/write/report.hpp"

namespace trammel {

std::string plain_report_body(const Model& model, const MotionReport& report);

}  // namespace trammel
