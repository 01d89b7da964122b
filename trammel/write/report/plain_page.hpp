// Pages that need no script: what follows the common head of all pages.
#pragma once

#include <string>
#include <string_view>

#include "trammel/write/report.hpp"

namespace trammel {

// Title, style and heading, up to where what the page shows begins.
std::string plain_beginning(const std::string& title);

// That this build lacks `what` ("the linked plots are"), why, and what to do; empty where it does
// not.
std::string lacks_note(std::string_view what, const std::string& write_again);

// How large the numbers of a series are by nature: the largest of its unit in the report. 0 of
// gaps, whose rounding is what one wants to see.
double natural_size(const MotionReport& report, const MotionReport::Series& of);

std::string plain_report_body(const Model& model, const MotionReport& report);

}  // namespace trammel
