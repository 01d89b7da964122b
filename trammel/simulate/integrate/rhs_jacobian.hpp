// Jacobian df/dy of the right-hand side, by finite differences.
#pragma once

#include <Eigen/Core>

#include "trammel/simulate/integrate/ode_system.hpp"

namespace trammel {

// df/dy at y, where the derivative is `y_dot`: one evaluation of f per entry of y. `out` is size x
// size.
[[nodiscard]] Status rhs_jacobian(OdeSystem& ode, double time, std::span<const double> y,
                                  std::span<const double> y_dot, Eigen::MatrixXd& out);

}  // namespace trammel
