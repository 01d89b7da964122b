// Contact forces of the wheels' rows. Internal to the constraint module.
#pragma once

#include <Eigen/Core>

#include "trammel/constraint/equations/constraint_rows.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"

namespace trammel {

// Forces of the wheels' rows for the multipliers of an answer, minimum norm where some rows are
// redundant (min_norm_contact_loads.hpp, also for `margins`); then `rows` has J. `idle`:
// self-stresses of the wheels' rows, rows x redundant rows.
Eigen::VectorXd wheel_row_forces(const ConstraintRows& rows, const ConstrainedAnswer& answer,
                                 Eigen::MatrixXd& idle, Eigen::VectorXd* margins = nullptr);

}  // namespace trammel
