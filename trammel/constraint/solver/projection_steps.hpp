// Newton's method on the position constraints: what follows an evaluation of its step, for one
// state and for the states of a batch alike.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "trammel/dynamics/kernel/loops/closed_dynamics.hpp"

namespace trammel {

struct ProjectionSteps {
  double unit;       // length that residuals are compared with [m]
  double share;      // factor of the limits of residuals, which are sums over all constraints
  double violation;  // permitted violation, relative to `unit`
  bool has_given;    // some rows are evaluated by ConstraintRows: rolling, curves

  enum class Next { fail, closed, step, last_step };

  // The position violation (a sum of squares) at which no step is needed.
  double enough() const { return share * square(violation * unit); }

  // After evaluation number `step` (0, 1, ...). `before`: the violation at the evaluation before,
  // infinite at the first.
  Next next(const kernel::ConstraintResiduals& residuals, std::span<const double> correction,
            int step, double before) const {
    constexpr int most = 8;
    constexpr double rounding_of_places = 1e-11;
    // too far, not a number, or a joint turned over, which counts as 1: there the rows are zero,
    // and so is the correction, but the loop is open
    if (!(residuals.error < 1)) return Next::fail;
    if (residuals.error <= enough()) return Next::closed;
    // A weak pivot of a loop is usable: the violation of the loop is measured. With nearly
    // redundant wheel layouts a weak pivot amplifies rounding and would move or lock the vehicle.
    if (residuals.is_weak && has_given) return Next::fail;
    double largest = 0;
    for (const double d : correction) {
      if (!std::isfinite(d)) return Next::fail;
      largest = std::max(largest, std::abs(d));
    }
    // limit of double precision
    if (residuals.error <= share * square(rounding_of_places * unit) &&
        residuals.error > 0.25 * before)
      return Next::closed;
    if (step == most) return Next::fail;
    if (!(largest < 0.1)) return Next::fail;  // too far for Newton's method
    // Newton's method converges quadratically: no second evaluation within an integration step.
    // Ground and wheels may be curved more than joints
    const double bend = has_given ? 1000 : 10;
    if (!residuals.is_weak && violation > 1e-12 && bend * square(largest) <= violation)
      return Next::last_step;
    return Next::step;
  }

  static double square(double x) { return x * x; }
};

}  // namespace trammel
