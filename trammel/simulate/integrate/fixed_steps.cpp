#include "trammel/simulate/integrate/fixed_steps.hpp"

#include <algorithm>
#include <cmath>

namespace trammel {

std::vector<FixedStep> fixed_steps(double start, double duration, double step, double sample,
                                   std::vector<double> breakpoints) {
  const double last = start + duration;
  std::erase_if(breakpoints,
                [&](double breakpoint) { return !(breakpoint > start && breakpoint < last); });
  std::ranges::sort(breakpoints);
  breakpoints.push_back(last);
  const auto sample_time = [&](long k) {
    const double time = start + double(k) * sample;
    return sample == 0 || time > last - 1e-9 * sample ? last : time;
  };
  std::vector<FixedStep> steps;
  double time = start;
  long on_grid = 1, sampled = 1;
  for (const double breakpoint : breakpoints)
    while (time < breakpoint) {
      const double grid = start + double(on_grid) * step, wanted = sample_time(sampled);
      double end = std::min({grid, breakpoint, wanted});
      // times that differ by rounding are the same
      const auto meets = [&](double other) { return std::abs(other - end) < 1e-9 * step; };
      for (const double better : {grid, wanted, breakpoint})
        if (meets(better)) end = better;
      if (meets(grid)) ++on_grid;
      const bool is_sample = end == last || meets(wanted);
      if (is_sample) ++sampled;
      steps.push_back({time, end, std::nextafter(breakpoint, start), is_sample});
      time = end;
    }
  return steps;
}

}  // namespace trammel
