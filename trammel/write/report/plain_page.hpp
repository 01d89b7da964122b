// Pages without scripts: the part after the common head of all pages.
#pragma once

#include <string>
#include <string_view>

#include "trammel/write/report/report.hpp"

namespace trammel {

// Title, style and heading, up to the content of the page.
std::string plain_beginning(const std::string& title);

// Note that this build lacks `what` ("the linked plots are"), with reason and remedy; empty if it
// does not.
std::string lacks_note(std::string_view what, const std::string& write_again);

// Natural magnitude of a series: the largest value of its unit in the report. 0 for constraint
// violations, whose rounding errors should be visible.
double natural_size(const MotionReport& report, const MotionReport::Series& of);

std::string plain_report_body(const Model& model, const MotionReport& report);

}  // namespace trammel
