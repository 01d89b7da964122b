// Wheels may press against each other in ways that do nothing together: which of these forces are
// told? For this room only.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "trammel/base/linear_algebra.hpp"

namespace trammel {

// Of all forces + Z z the least (their sum of squares) in which no floor pulls, if there are such;
// if there are none, the least of all. `is_up`: which of them a floor can only push.
Eigen::VectorXd least_share(const Eigen::VectorXd& forces, const Eigen::MatrixXd& Z,
                            const std::vector<bool>& is_up);

// Products of rows or columns with each other, A^T A, tell what A does, if these are so independent
// that half of the digits are left; QR has to tell it elsewhere.
bool keep_digits(const Llt& products);

}  // namespace trammel
