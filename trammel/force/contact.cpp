#include "trammel/force/contact.hpp"

#include <fmt/format.h>

namespace trammel {

static_assert(ForceElement<ContactNumbers<double>>);

void check_numbers(const ContactDescription& contact, const Values<double>& value,
                   Diagnostics& diagnostics) {
  const auto check = [&](const char* key, const Expr& number, bool may_be_zero) {
    const double x = value(number);
    if (x < 0 || (x == 0 && !may_be_zero))
      diagnostics.error(contact.place.of(key),
                        fmt::format("contact '{}' has {} {}", contact.name, key, x),
                        may_be_zero ? "it is zero or more" : "it is more than zero");
  };
  check("radius", contact.radius, true);
  check("stiffness", contact.stiffness, true);  // 0: a contact law gives the force
  check("dissipation", contact.dissipation, true);
  check("friction", contact.friction, true);
  check("slip_speed", contact.slip_speed, false);
}

}  // namespace trammel
