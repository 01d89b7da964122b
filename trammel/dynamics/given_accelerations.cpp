#include "trammel/dynamics/given_accelerations.hpp"

#include <fmt/format.h>

namespace trammel {

Status check_given_accelerations(const EvalContext& context) {
  const std::span<const double> a = context.inputs().a;
  for (std::size_t f = 0; f < a.size(); ++f) {
    const Drive drive = context.model().prescription(int(f));
    if (a[f] == 0 || drive == Drive::motion) continue;
    return Status::failure(fmt::format(
        "{}: joint '{}' {}: leave its entry of inputs.a zero", context.name(),
        context.model().dof_name(int(f)),
        drive == Drive::locked ? "is locked and does not accelerate"
                               : "is not driven by motion, and its acceleration is an answer"));
  }
  return {};
}

}  // namespace trammel
