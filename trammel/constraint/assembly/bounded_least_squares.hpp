// Bounded linear least squares for Newton steps: a small quadratic program (QP). Internal to the
// constraint module.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace trammel {

struct Bound {
  int column;
  double lower, upper;  // lower <= step[column] <= upper
};

// The step nearest to `pull` with J step = rhs inside the bounds; if no step satisfies the
// equations, one of least residual. Active-set method: a bound that is reached fixes its column
// until its multiplier changes sign.
Eigen::VectorXd bounded_step(const Eigen::MatrixXd& J, const Eigen::VectorXd& rhs,
                             const Eigen::VectorXd& pull, const std::vector<Bound>& bounds);

}  // namespace trammel
