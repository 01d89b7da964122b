// Selection of independent rows by pivoted QR, the inexpensive variant. Internal to the constraint
// module.
#pragma once

#include "trammel/constraint/rank/row_basis.hpp"

namespace trammel {

// The row basis of rank_with_singular_values without the singular values, which take most of its
// time and do not affect the selection.
RowBasis rank_by_qr(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M, const RowScales& scales);

}  // namespace trammel
