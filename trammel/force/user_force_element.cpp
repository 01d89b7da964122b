#include "trammel/force/user_force_element.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace trammel {

static_assert(StatefulForceElement<UserForceNumbers<double>>);

void check_numbers(const UserForceDescription& force, const Values<double>& /*value*/,
                   Diagnostics& diagnostics) {
  if (!force.element)
    diagnostics.error(force.place, fmt::format("user_force '{}' has no element", force.name),
                      "give it one, as in user_force_element(MyLaw{})");
  else if (force.element->nz() < 0)
    diagnostics.error(force.place,
                      fmt::format("user_force '{}' has {} states", force.name, force.element->nz()),
                      "it is zero or more");
}

void internal::refuse_symbols() {
  throw std::invalid_argument(
      "energy: a user force element is code, and its energy is no formula: take it out of the "
      "model, or evaluate with numbers");
}

}  // namespace trammel
