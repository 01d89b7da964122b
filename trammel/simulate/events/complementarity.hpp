// Linear complementarity problem (LCP) of unilateral contacts: each one pushes or separates, never
// both.
#pragma once

#include <Eigen/Core>

namespace trammel {

// The x >= 0 with w = G x + c >= 0 and x . w = 0, for a symmetric positive semidefinite G: x are
// contact forces or impulses, w the rates of separation. If x is not unique, returns one solution.
// Active-set method for the QP min x^T G x / 2 + c^T x, x >= 0, as in NNLS [Lawson, Hanson 1974,
// chapter 23].
Eigen::VectorXd complementary_pushes(const Eigen::MatrixXd& G, const Eigen::VectorXd& c);

}  // namespace trammel
