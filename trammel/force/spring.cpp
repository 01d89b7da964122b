#include "trammel/force/spring.hpp"

#include <fmt/format.h>

namespace trammel {

static_assert(ForceElement<SpringNumbers<double>>);

void check_numbers(const SpringDescription& spring, const Values<double>& value,
                   Diagnostics& diagnostics) {
  const auto check = [&](const char* key, const char* what, double x) {
    if (x < 0)
      diagnostics.error(spring.place.of(key),
                        fmt::format("spring '{}' has {} {}", spring.name, what, x),
                        "it is zero or more");
  };
  check("damping", "damping", value(spring.damping));
  check("length", "length", value(spring.length));
}

}  // namespace trammel
