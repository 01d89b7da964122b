// Integrator of the schemes: Dormand-Prince, order 5(4), the default method of `simulate`, so that
// a comparison compares equations.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>

namespace rolling_disk {

using StateVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 16, 1>;  // at most 16, on the stack
using Rhs = std::function<StateVector(const StateVector&)>;

struct Tolerance {
  double relative = 1e-5, absolute = 1e-8;
  double longest = 0.007;  // step [s]
};
struct Work {
  long evaluations = 0, steps = 0;
};

// Integrates from x for a duration; stops early if the equations are singular. Calls `watch` with
// time and x at the start and after every step; its result tells whether to continue.
inline Work go(
    const Rhs& rhs, StateVector& x, double duration, const Tolerance& tolerance,
    const std::function<bool(double, const StateVector&)>& watch = [](double, const StateVector&) {
      return true;
    }) {
  Work work;
  double time = 0, h = std::min(tolerance.longest, duration) / 10;
  StateVector k1 = rhs(x);
  work.evaluations = 1;
  bool goes_on = watch(time, x);
  while (goes_on && duration - time > 1e-12 * duration) {
    h = std::min({h, tolerance.longest, duration - time});
    const StateVector k2 = rhs(x + h * (1.0 / 5 * k1));
    const StateVector k3 = rhs(x + h * (3.0 / 40 * k1 + 9.0 / 40 * k2));
    const StateVector k4 = rhs(x + h * (44.0 / 45 * k1 - 56.0 / 15 * k2 + 32.0 / 9 * k3));
    const StateVector k5 = rhs(x + h * (19372.0 / 6561 * k1 - 25360.0 / 2187 * k2 +
                                        64448.0 / 6561 * k3 - 212.0 / 729 * k4));
    const StateVector k6 = rhs(x + h * (9017.0 / 3168 * k1 - 355.0 / 33 * k2 + 46732.0 / 5247 * k3 +
                                        49.0 / 176 * k4 - 5103.0 / 18656 * k5));
    const StateVector next = x + h * (35.0 / 384 * k1 + 500.0 / 1113 * k3 + 125.0 / 192 * k4 -
                                      2187.0 / 6784 * k5 + 11.0 / 84 * k6);
    const StateVector k7 = rhs(next);
    work.evaluations += 6;
    const StateVector miss = h * (71.0 / 57600 * k1 - 71.0 / 16695 * k3 + 71.0 / 1920 * k4 -
                                  17253.0 / 339200 * k5 + 22.0 / 525 * k6 - 1.0 / 40 * k7);
    const StateVector allowed =
        (tolerance.relative * x.cwiseAbs().cwiseMax(next.cwiseAbs())).array() + tolerance.absolute;
    const double size = miss.cwiseQuotient(allowed).norm() / std::sqrt(double(x.size()));
    if (size <= 1) {
      time += h;
      x = next;
      k1 = k7;
      ++work.steps;
      goes_on = watch(time, x);
    }
    h *= std::clamp(0.9 * std::pow(size, -0.2), 0.2, 10.0);
    if (!(h > 1e-12 * duration)) break;
  }
  return work;
}

}  // namespace rolling_disk
