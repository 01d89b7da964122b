// The steps of a run whose steps are all of one length: cut where signals jump and where a sample
// is asked for.
#pragma once

#include <vector>

namespace trammel {

struct FixedStep {
  double time, end;
  double horizon;  // before which nothing jumps
  bool is_sample;  // its end is one
};

// `sample`: from one to the next, 0: only the last end is one. `corners`: where signals jump.
std::vector<FixedStep> fixed_steps(double start, double duration, double step, double sample,
                                   std::vector<double> corners);

}  // namespace trammel
