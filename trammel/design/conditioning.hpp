#pragma once

#include <Eigen/Core>

namespace trammel {

// How evenly does a Jacobian treat all motions? [seed 001, 5.1-5.3]
//
// Its condition number is the largest singular value to the smallest, for as many as it has
// columns: 1 is isotropic, K^T K = sigma^2 1, and infinite is singular. It is a number of a
// mechanism only together with the length that makes turns comparable with ways: see scaled().
struct Conditioning {
  Eigen::VectorXd singular;  // as many as columns, largest first
  int rank = 0;
  double condition = 1;
  // Of (K^T K - sigma^2 1) / sigma^2, sigma^2 the mean of the squares: zero if isotropic.
  double anisotropy = 0;
  Eigen::VectorXd weakest;  // the motion of length one that is felt least

  bool is_singular() const { return rank < singular.size(); }
  bool is_isotropic() const { return anisotropy < 1e-9; }
};
Conditioning conditioning(const Eigen::MatrixXd& K);

// The Jacobian for motions whose turns are told as ways at a characteristic length: the first
// `turns` columns divided by it.
Eigen::MatrixXd scaled(const Eigen::MatrixXd& K, int turns, double length);

// The length at which the condition number is least, found between the shortest and the longest
// that are given: whoever may choose it freely makes nearly everything isotropic, so tell it.
double best_length(const Eigen::MatrixXd& K, int turns, double shortest, double longest);

}  // namespace trammel
