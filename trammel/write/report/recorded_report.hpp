// Report of a recorded motion, made from its columns only.
#pragma once

#include "trammel/simulate/recorder.hpp"
#include "trammel/simulate/simulate.hpp"
#include "trammel/write/report/report.hpp"

namespace trammel {

// Bodies at the recorded positions, one plot per group of columns, arrows for the recorded
// reactions and contacts. `facts`: statistics of the run; `stopped`: the reason why it did not
// reach its end; may be empty. Throws std::invalid_argument, naming it, if a coordinate was not
// recorded. A run observed by RunReport has more: the joint reactions, and its audit.
[[nodiscard]] MotionReport recorded_report(const Model& model, const Recording& recording,
                                           const RunStatistics& statistics = {},
                                           const std::string& stopped = {});

}  // namespace trammel
