// Which rows are independent, for those who ask often. For this room only.
#pragma once

#include "trammel/constraint/rank_plan.hpp"

namespace trammel {

// The plan of decide_rank without its singular values, which cost more than all the rest and decide
// nothing.
RankPlan choose_rows(const Eigen::MatrixXd& J, const Eigen::MatrixXd& M, const RowScales& scales);

}  // namespace trammel
