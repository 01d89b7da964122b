// Derivatives by central differences of sixth order, an independent check of exact derivatives.
#pragma once

#include <Eigen/Core>

namespace trammel {

// Derivative at 0 of a function of one variable. Truncation error: step^6 / 140 times the seventh
// derivative; rounding error: rounding of the function divided by the step.
template <class Function> Eigen::VectorXd slope_at_zero(const Function& function, double step) {
  constexpr double weights[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
  Eigen::VectorXd slope = weights[0] / step * (function(step) - function(-step));
  for (const int k : {2, 3})
    slope += weights[k - 1] / step * (function(k * step) - function(-k * step));
  return slope;
}

}  // namespace trammel
