// Audit of a run: change of total energy and violation of loop constraints, over all samples.
#pragma once

#include <span>

#include "trammel/dynamics/energy.hpp"
#include "trammel/simulate/run_snapshot.hpp"
#include "trammel/simulate/simulate.hpp"

namespace trammel {

// Whether the total energy is conserved: no inputs, no prescribed motion, no damping, friction or
// contact dissipation, no events and no stops.
bool conserves_energy(const Model& model, const SimulationInputs& run_inputs);

// Extreme values over the samples so far.
struct AuditNumbers {
  bool has_begun = false;
  bool must_conserve_energy = false;
  double energy_at_start = 0;
  // The largest change of the total energy, and the largest kinetic energy as its reference.
  double energy_change = 0, largest_kinetic = 0;
  // Largest constraint violation of the loops, position [m] and velocity [m/s].
  double largest_violation = 0, largest_violation_rate = 0;
};

// Energy counts as conserved if it never differs from its initial value by more than this fraction
// of the largest kinetic energy: less is invisible in a plot, and runs at the default tolerance
// stay two to three digits below it.
inline constexpr double conserved_energy_share = 1e-3;
// Whether energy stayed within that fraction, for a run in which it must be conserved. Rounding of
// the initial energy is allowed for, since a mechanism at rest has no kinetic energy as reference.
bool energy_is_conserved(const AuditNumbers& numbers);

// Events that cast doubt on a result: joint limits passed without a stop, and wheels that would
// have lifted off or slipped, which the rolling constraints do not allow.
struct DoubtfulEvents {
  struct Kind {
    int count = 0;
    double first = 0;  // [s]
  };
  Kind limits, lifts, slips;
};
DoubtfulEvents doubtful_events(std::span<const EventRecord> events);

// Audit of one run: observe() takes each sample, numbers() has the extreme values so far (energy in
// J, violations in m and m/s). The model must outlive it.
class Audit {
 public:
  Audit(const Model& model, const SimulationInputs& run_inputs);

  [[nodiscard]] Status observe(const State& state, Workspace& workspace);
  // For a mechanism that may have changed since the start of the run.
  [[nodiscard]] Status observe(const RunSnapshot& snapshot);

  const AuditNumbers& numbers() const { return seen_; }
  // For a continued run: values of the run so far.
  void go_on_from(const AuditNumbers& seen) { seen_ = seen; }

  bool must_conserve_energy() const { return seen_.must_conserve_energy; }
  double energy_at_start() const { return seen_.energy_at_start; }
  double energy_change() const { return seen_.energy_change; }
  double largest_kinetic() const { return seen_.largest_kinetic; }
  double largest_violation() const { return seen_.largest_violation; }
  double largest_violation_rate() const { return seen_.largest_violation_rate; }

 private:
  Status see_of(const Model& model, const State& state, Workspace& workspace);
  const Model& model_;
  AuditNumbers seen_;
};

}  // namespace trammel
