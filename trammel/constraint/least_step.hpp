// The least step under equations and bounds: a small quadratic programme. For this room only.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace trammel {

struct Bound {
  int column;
  double lower, upper;  // lower <= step[column] <= upper
};

// The step with J step = rhs that comes nearest to `pull`, inside the bounds; where no step meets
// the equations, one that misses them least. By an active set: a bound that is met holds its column
// until the rest would rather leave it.
Eigen::VectorXd bounded_step(const Eigen::MatrixXd& J, const Eigen::VectorXd& rhs,
                             const Eigen::VectorXd& pull, const std::vector<Bound>& bounds);

}  // namespace trammel
