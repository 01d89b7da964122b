// Minimum-norm contact loads of wheels whose loads are statically indeterminate. Internal to the
// constraint module.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "trammel/base/linear_algebra.hpp"

namespace trammel {

// Of all loads forces + Z z the one of least norm with nonnegative normal loads, if there is one;
// otherwise the one of least norm. `is_up`: the components that are normal loads, which a floor can
// only push.
//
// `margins`, if not null: per component a number that is negative where and only where the load is.
// Where a motion leaves the range of nonnegative loads, the loads jump; if they can be shared out
// in one pattern only (four wheels on a plane), the margins are continuous there.
Eigen::VectorXd min_norm_contact_loads(const Eigen::VectorXd& forces, const Eigen::MatrixXd& Z,
                                       const std::vector<bool>& is_up,
                                       Eigen::VectorXd* margins = nullptr);

// Whether the normal equations A^T A keep about half of the digits: the smallest pivot of their
// Cholesky factor exceeds 1e-3 of the largest. Otherwise QR is needed.
bool keep_digits(const Llt& products);

}  // namespace trammel
