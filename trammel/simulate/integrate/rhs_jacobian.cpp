#include "trammel/simulate/integrate/rhs_jacobian.hpp"

#include <algorithm>
#include <cmath>

namespace trammel {

Status rhs_jacobian(OdeSystem& ode, double time, std::span<const double> y,
                    std::span<const double> y_dot, Eigen::MatrixXd& out) {
  std::vector<double> y_near(y.begin(), y.end()), f_near(y_dot.begin(), y_dot.end());
  // An interpolated f costs twelve times as much. The Jacobian at a node is used instead: 0.05 rad
  // away, it is as good as that of an earlier step.
  struct Suspended {
    explicit Suspended(OdeSystem& of) : of_(of), crossing_(of.crossing()) {}
    ~Suspended() { of_.set_crossing(crossing_); }
    Suspended(const Suspended&) = delete;
    Suspended& operator=(const Suspended&) = delete;
    OdeSystem& of_;
    SingularCrossing* crossing_;
  };
  const Suspended suspended(ode);
  if (const std::optional<double> at_node = ode.leave_crossing(time, y, y_near)) {
    ode.set_crossing(nullptr);
    time = *at_node;
    if (Status status = ode.rhs(time, y_near, f_near); !status) return status;
  }
  const Eigen::Map<const Eigen::VectorXd> f(f_near.data(), Eigen::Index(f_near.size()));
  for (Eigen::Index k = 0; k < out.cols(); ++k) {
    double& number = y_near[std::size_t(k)];
    const double before = number;
    // rounding and truncation errors balance at the square root of the double precision
    number += 1.5e-8 * std::max(std::abs(before), ode.unit(int(k)));
    const double by = number - before;
    if (Status status = ode.rhs(time, y_near, {&out(0, k), y_near.size()}); !status) return status;
    number = before;
    out.col(k) = (out.col(k) - f) / by;
  }
  return {};
}

}  // namespace trammel
