// Can a run be made with these options? For this room only.
#pragma once

#include "trammel/simulate/simulate.hpp"

namespace trammel {

// From this time on. Says what is wrong and what would be right.
[[nodiscard]] Status check_run(const RunOptions& options, double start);

}  // namespace trammel
