#pragma once

#include <Eigen/Core>

namespace trammel {

// Singular values, condition number and isotropy of a Jacobian K [Saha 1991, 5.1-5.3].
//
// The condition number is the ratio of the largest to the smallest singular value, one per column:
// 1 is isotropic, K^T K = sigma^2 1, infinite is singular. It characterizes a mechanism only
// together with the length that makes rotations comparable with translations: see scaled().
struct Conditioning {
  Eigen::VectorXd singular;  // one per column, largest first
  int rank = 0;
  double condition = 1;
  // Frobenius norm of (K^T K - sigma^2 1) / sigma^2, sigma^2 the mean of the squared singular
  // values: zero if isotropic.
  double anisotropy = 0;
  Eigen::VectorXd weakest;  // unit motion with the smallest image: last right singular vector

  bool is_singular() const { return rank < singular.size(); }
  bool is_isotropic() const { return anisotropy < 1e-9; }
};
Conditioning conditioning(const Eigen::MatrixXd& K);

// The Jacobian for motions whose rotations are expressed as displacements at a characteristic
// length: the first `turns` columns divided by it.
Eigen::MatrixXd scaled(const Eigen::MatrixXd& K, int turns, double length);

// The length in [shortest, longest] that minimizes the condition number (golden section). With a
// free choice of the length nearly every layout is isotropic, so report it.
double best_length(const Eigen::MatrixXd& K, int turns, double shortest, double longest);

}  // namespace trammel
