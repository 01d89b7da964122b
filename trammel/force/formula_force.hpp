// Force between two points by formulas of their distance and of its rate, a UserForceElement.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "trammel/force/user_force_element.hpp"
#include "trammel/scalar/expr_parser.hpp"

namespace trammel {

// The formulas as they are written. The tension, positive if it pulls the points together, is
//   force(length, rate) + d energy(length) / d length.
// `energy` is a potential, so this part is conservative; the power of `force` is dissipated, or
// added to the mechanism if it is negative. Each may be empty.
struct ForceFormulas {
  std::string force, energy;
  std::vector<std::pair<std::string, double>> with;  // values of the formulas' other names
};

struct ForceFormulaMistake {
  bool is_in_energy = false;
  ParseError error;
};

// The element of these formulas, or the first mistake in them.
std::variant<std::shared_ptr<const UserForceElement>, ForceFormulaMistake> formula_force(
    const ForceFormulas& formulas);
// The formulas of an element made by formula_force; null for any other.
const ForceFormulas* formulas_of(const UserForceElement& element);

}  // namespace trammel
