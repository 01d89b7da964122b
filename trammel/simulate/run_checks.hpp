// Can a run be made with these options? For this room only.
#pragma once

#include "trammel/simulate/simulate.hpp"

namespace trammel {

// From this time on. Says what is wrong and what would be right.
[[nodiscard]] Status check_run(const RunOptions& options, double start);
// Does a step of this length (0: none is given) lead from `start` through `duration`? It has to
// change the time at the run's end, t + step > t in double precision, and take at most `most`
// steps. `what` names it: "the step is".
[[nodiscard]] Status check_step(const char* what, double step, double start, double duration,
                                double most);

}  // namespace trammel
