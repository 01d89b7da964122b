// Steps of a run with fixed step size, cut at breakpoints of the signals and at sample times.
#pragma once

#include <vector>

namespace trammel {

struct FixedStep {
  double time, end;
  double horizon;  // latest time before the next breakpoint
  bool is_sample;  // its end is a sample time
};

// `sample`: sampling interval, 0: only the end of the last step is a sample.
std::vector<FixedStep> fixed_steps(double start, double duration, double step, double sample,
                                   std::vector<double> breakpoints);

}  // namespace trammel
