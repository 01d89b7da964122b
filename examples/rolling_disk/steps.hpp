// Steps in time for the schemes: Dormand and Prince, order 5(4), the method that `simulate` takes
// by default, so that a comparison compares equations.
#pragma once

#include <algorithm>
#include <cmath>

namespace rolling_disk {

struct Tolerance {
  double relative = 1e-5, absolute = 1e-8;
  double longest = 0.007;  // step [s]
};
struct Work {
  long slopes = 0, steps = 0;
};

// watch(time, x) at the start and after every step; what it returns tells whether to go on.
template <class Scheme, class Watch>
Work go(const Scheme& scheme, typename Scheme::State& x, double duration,
        const Tolerance& tolerance, const Watch& watch) {
  using State = typename Scheme::State;
  Work work;
  double time = 0, h = std::min(tolerance.longest, duration) / 10;
  State k1 = scheme.slope(x);
  work.slopes = 1;
  bool goes_on = watch(time, x);
  while (goes_on && duration - time > 1e-12 * duration) {
    h = std::min({h, tolerance.longest, duration - time});
    const State k2 = scheme.slope(x + h * (1.0 / 5 * k1));
    const State k3 = scheme.slope(x + h * (3.0 / 40 * k1 + 9.0 / 40 * k2));
    const State k4 = scheme.slope(x + h * (44.0 / 45 * k1 - 56.0 / 15 * k2 + 32.0 / 9 * k3));
    const State k5 = scheme.slope(x + h * (19372.0 / 6561 * k1 - 25360.0 / 2187 * k2 +
                                           64448.0 / 6561 * k3 - 212.0 / 729 * k4));
    const State k6 =
        scheme.slope(x + h * (9017.0 / 3168 * k1 - 355.0 / 33 * k2 + 46732.0 / 5247 * k3 +
                              49.0 / 176 * k4 - 5103.0 / 18656 * k5));
    const State next = x + h * (35.0 / 384 * k1 + 500.0 / 1113 * k3 + 125.0 / 192 * k4 -
                                2187.0 / 6784 * k5 + 11.0 / 84 * k6);
    const State k7 = scheme.slope(next);
    work.slopes += 6;
    const State miss = h * (71.0 / 57600 * k1 - 71.0 / 16695 * k3 + 71.0 / 1920 * k4 -
                            17253.0 / 339200 * k5 + 22.0 / 525 * k6 - 1.0 / 40 * k7);
    const State allowed = tolerance.relative * x.cwiseAbs().cwiseMax(next.cwiseAbs()) +
                          State::Constant(tolerance.absolute);
    const double size =
        miss.cwiseQuotient(allowed).norm() / std::sqrt(double(State::SizeAtCompileTime));
    if (size <= 1) {
      time += h;
      x = next;
      k1 = k7;
      ++work.steps;
      goes_on = watch(time, x);
    }
    if (!std::isfinite(size)) break;  // the equations are singular here
    h *= std::clamp(0.9 * std::pow(size, -0.2), 0.2, 10.0);
  }
  return work;
}
template <class Scheme>
Work go(const Scheme& scheme, typename Scheme::State& x, double duration,
        const Tolerance& tolerance) {
  return go(scheme, x, duration, tolerance, [](double, const auto&) { return true; });
}

}  // namespace rolling_disk
