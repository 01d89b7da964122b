// How f changes with each number of y, by differences.
#pragma once

#include <Eigen/Core>

#include "trammel/simulate/flow.hpp"

namespace trammel {

// df/dy at y, where the slope is `y_dot`: asks f once for each number of y. `out` is size x size.
[[nodiscard]] Status slopes_of_flow(Flow& flow, double time, std::span<const double> y,
                                    std::span<const double> y_dot, Eigen::MatrixXd& out);

}  // namespace trammel
