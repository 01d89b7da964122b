#include "trammel/constraint/equations/row_units.hpp"

#include "trammel/constraint/equations/constraint_rows.hpp"

namespace trammel {

std::vector<std::string> row_units(const Model& model) {
  const ConstraintRows rows(model);
  std::vector<std::string> units;
  for (int k = 0; k < rows.count(); ++k) units.emplace_back(rows.is_turn(k) ? "rad" : "m");
  return units;
}

}  // namespace trammel
