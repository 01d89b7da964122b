// Slopes by differences of sixth order: the independent way where derivatives are exact.
#pragma once

#include <Eigen/Core>

namespace trammel {

// Of a function of one number at 0. The error is step^6 / 140 times its seventh derivative, and the
// function's own rounding over the step.
template <class Function> Eigen::VectorXd slope_at_zero(const Function& function, double step) {
  constexpr double weights[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
  Eigen::VectorXd slope = weights[0] / step * (function(step) - function(-step));
  for (const int k : {2, 3})
    slope += weights[k - 1] / step * (function(k * step) - function(-k * step));
  return slope;
}

}  // namespace trammel
