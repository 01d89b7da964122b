// A motion that was recorded, on its way to a page: all that is left of it are its columns.
#pragma once

#include "trammel/simulate/recorder.hpp"
#include "trammel/simulate/simulate.hpp"
#include "trammel/write/report.hpp"

namespace trammel {

// Bodies where the recorded positions have them, a plot for each group of columns, arrows for the
// reactions and contacts among them. `facts`: how it went; `stopped`: why it did not reach its end;
// may be empty. Throws std::invalid_argument, and says which, if a coordinate was not recorded.
// A run that is watched by RunReport knows more: what joints carry, and its audit.
[[nodiscard]] MotionReport recorded_report(const Model& model, const Recording& recording,
                                           const RunFacts& facts = {},
                                           const std::string& stopped = {});

}  // namespace trammel
