// Validation of run options. Internal to this module.
#pragma once

#include "trammel/simulate/simulate.hpp"

namespace trammel {

// For a run from time `start`. The failure has the wrong value and the remedy.
[[nodiscard]] Status check_run(const RunOptions& options, double start);
// Checks a step (0: none given) for a run from `start` over `duration`: it must advance time at the
// end of the run, t + step > t in double precision, and take at most `most` steps. `what` begins
// the message: "the step is".
[[nodiscard]] Status check_step(const char* what, double step, double start, double duration,
                                double most);

}  // namespace trammel
