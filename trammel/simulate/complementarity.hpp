// One-sided contacts: each pushes or parts, never both.
#pragma once

#include <Eigen/Core>

namespace trammel {

// The x >= 0 with w = G x + c >= 0 and x . w = 0, for a G that is symmetric and not negative: what
// pushes x, how fast the places part w. Where several x do the same, one of them. By the active set
// of the least x^T G x / 2 + c^T x [Lawson, Hanson 1974, chapter 23].
Eigen::VectorXd complementary_pushes(const Eigen::MatrixXd& G, const Eigen::VectorXd& c);

}  // namespace trammel
