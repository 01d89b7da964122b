#include "trammel/simulate/audit.hpp"

#include <algorithm>
#include <cmath>

#include "trammel/constraint/closure_error.hpp"

namespace trammel {

bool keeps_energy(const Model& model, const Drives& drives) {
  const auto has_no_damping = [](const auto& list) {
    return std::ranges::all_of(list, [](const auto& one) { return one.damping == 0; });
  };
  const auto has_no_friction = [](const auto& list) {
    return std::ranges::all_of(list, [](const auto& one) { return one.friction == 0; });
  };
  const Numbers<double>& numbers = model.numbers();
  for (int f = 0; f < model.nv(); ++f)
    if (model.prescription(f) == Drive::motion) return false;
  return drives.are_idle() && has_no_damping(numbers.passive) &&
         has_no_damping(numbers.closure_passive) && has_no_damping(numbers.springs) &&
         has_no_friction(numbers.passive) && has_no_friction(numbers.closure_passive) &&
         std::ranges::all_of(numbers.contacts, [](const auto& contact) {
           return contact.dissipation == 0 && contact.friction == 0;
         });
}

Audit::Audit(const Model& model, const Drives& drives)
    : model_(model), keeps_energy_(keeps_energy(model, drives)) {}

Status Audit::see(const State& state, Workspace& workspace) {
  Energy now;
  if (Status status = energy(model_, state, workspace, now); !status) return status;
  if (!has_begun_) start_ = now.total();
  has_begun_ = true;
  change_ = std::max(change_, std::abs(now.total() - start_));
  kinetic_ = std::max(kinetic_, now.kinetic);
  const ClosureError error = closure_error(model_, state, workspace);
  gap_ = std::max(gap_, error.position);
  gap_rate_ = std::max(gap_rate_, error.velocity);
  return {};
}

}  // namespace trammel
