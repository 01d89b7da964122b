#include "trammel/simulate/checks/audit.hpp"

#include <algorithm>
#include <cmath>

#include "trammel/constraint/equations/closure_error.hpp"
#include "trammel/model/build/parameters.hpp"
#include "trammel/simulate/events/event_words.hpp"

namespace trammel {

bool conserves_energy(const Model& model, const SimulationInputs& run_inputs) {
  const auto has_no_damping = [](const auto& list) {
    return std::ranges::all_of(list, [](const auto& one) { return one.damping == 0; });
  };
  const auto has_no_friction = [](const auto& list) {
    return std::ranges::all_of(list, [](const auto& one) { return one.friction == 0; });
  };
  const ModelParameters<double>& numbers = model.numbers();
  bool are_conservative = true;
  each_force_element_list(numbers, [&](const auto& list) {
    for (const auto& element : list) are_conservative &= element.is_conservative();
  });
  for (int f = 0; f < model.nv(); ++f)
    if (model.prescription(f) == Drive::motion) return false;
  if (!model.description().events.empty()) return false;
  for (const NamedJoint& joint : model.joints())
    if (!joint.limits.restitution.empty()) return false;
  return run_inputs.are_idle() && has_no_damping(numbers.passive) &&
         has_no_damping(numbers.closure_passive) && has_no_friction(numbers.passive) &&
         has_no_friction(numbers.closure_passive) && are_conservative;
}

bool energy_is_conserved(const AuditNumbers& numbers) {
  constexpr double rounding = 1e-12;  // rounding of some thousand sums
  return numbers.energy_change <= std::max(conserved_energy_share * numbers.largest_kinetic,
                                           rounding * std::abs(numbers.energy_at_start));
}

DoubtfulEvents doubtful_events(std::span<const EventRecord> events) {
  DoubtfulEvents out;
  const auto count = [](DoubtfulEvents::Kind& kind, const EventRecord& event_record,
                        const char* words) {
    if (event_record.what.find(words) == std::string::npos) return;
    if (kind.count++ == 0) kind.first = event_record.time;
  };
  for (const EventRecord& event_record : events) {
    count(out.limits, event_record, event_words::limit_passed);
    count(out.lifts, event_record, event_words::would_lift);
    count(out.slips, event_record, event_words::would_slip);
  }
  return out;
}

Audit::Audit(const Model& model, const SimulationInputs& run_inputs) : model_(model) {
  seen_.must_conserve_energy = conserves_energy(model, run_inputs);
}

Status Audit::observe(const State& state, Workspace& workspace) {
  return see_of(model_, state, workspace);
}
Status Audit::observe(const RunSnapshot& snapshot) {
  if (&snapshot.model != &model_)
    seen_.must_conserve_energy = false;  // stops and grasps dissipate
                                         // energy
  return see_of(snapshot.model, snapshot.state, snapshot.workspace);
}
Status Audit::see_of(const Model& model, const State& state, Workspace& workspace) {
  Energy now;
  if (Status status = energy(model, state, workspace, now); !status) return status;
  if (!seen_.has_begun) seen_.energy_at_start = now.total();
  seen_.has_begun = true;
  const auto take = [](double& largest, double value) { largest = std::max(largest, value); };
  take(seen_.energy_change, std::abs(now.total() - seen_.energy_at_start));
  take(seen_.largest_kinetic, now.kinetic);
  const ClosureError error = closure_error(model, state, workspace);
  take(seen_.largest_violation, error.position);
  take(seen_.largest_violation_rate, error.velocity);
  return {};
}

}  // namespace trammel
