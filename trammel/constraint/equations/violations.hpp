// Constraint violation per constraint, and its text for messages. Internal to the constraint
// module.
#pragma once

#include <fmt/format.h>

#include "trammel/constraint/equations/constraint_rows.hpp"

namespace trammel {

// Norm of the residuals of each row owner, in meters and radians.
struct Gap {
  double length = 0, angle = 0;
};
// Of the owner of this row, its first one; `row` is moved on to the first row of the next owner.
inline Gap next_gap(const ConstraintRows& rows, const Eigen::VectorXd& errors, int& row) {
  Gap violation;
  for (const int owner = rows.owner(row); row < rows.count() && rows.owner(row) == owner; ++row)
    (rows.is_turn(row) ? violation.angle : violation.length) += errors[row] * errors[row];
  return {std::sqrt(violation.length), std::sqrt(violation.angle)};
}
inline std::vector<Gap> gaps(const ConstraintRows& rows, const Eigen::VectorXd& errors) {
  std::vector<Gap> found(rows.owner_names().size());
  for (int row = 0; row < rows.count();) {
    Gap& violation = found[std::size_t(rows.owner(row))];
    violation = next_gap(rows, errors, row);
  }
  return found;
}
inline std::string widest_gap(const Model& model, const ConstraintRows& rows) {
  const std::vector<Gap> all = gaps(rows, rows.error());
  std::size_t widest = 0;
  const auto size = [&](const Gap& violation) {
    return violation.length + violation.angle * model.characteristic_length();
  };
  for (std::size_t k = 0; k < all.size(); ++k)
    if (size(all[k]) > size(all[widest])) widest = k;
  return fmt::format("{} is violated by {:.3g} m and {:.3g} rad", rows.owner_names()[widest],
                     all[widest].length, all[widest].angle);
}

}  // namespace trammel
