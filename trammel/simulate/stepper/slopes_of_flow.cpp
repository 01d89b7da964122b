#include "trammel/simulate/stepper/slopes_of_flow.hpp"

#include <algorithm>
#include <cmath>

namespace trammel {

Status slopes_of_flow(Flow& flow, double time, std::span<const double> y,
                      std::span<const double> y_dot, Eigen::MatrixXd& out) {
  std::vector<double> beside(y.begin(), y.end());
  const Eigen::Map<const Eigen::VectorXd> f(y_dot.data(), Eigen::Index(y_dot.size()));
  for (Eigen::Index k = 0; k < out.cols(); ++k) {
    double& number = beside[std::size_t(k)];
    const double before = number;
    // rounding and curvature take an equal share at the root of what a double resolves
    number += 1.5e-8 * std::max(std::abs(before), flow.unit(int(k)));
    const double by = number - before;
    if (Status status = flow.slope(time, beside, {&out(0, k), beside.size()}); !status)
      return status;
    number = before;
    out.col(k) = (out.col(k) - f) / by;
  }
  return {};
}

}  // namespace trammel
