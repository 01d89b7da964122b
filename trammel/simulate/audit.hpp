// Did the motion behave? What must stay the same is watched at every sample.
#pragma once

#include "trammel/dynamics/energy.hpp"
#include "trammel/simulate/moment.hpp"

namespace trammel {

// Whether nothing takes energy out or puts it in: no drives, no dampers, no plans.
bool keeps_energy(const Model& model, const Drives& drives);

// What has been seen so far.
struct AuditNumbers {
  bool has_begun = false;
  bool must_keep_energy = false;
  double energy_at_start = 0;
  // The largest change of the total energy, and the largest kinetic energy to hold it against.
  double energy_change = 0, largest_kinetic = 0;
  // How far loops ever were open [m], and came apart [m/s].
  double largest_gap = 0, largest_gap_rate = 0;
};

class Audit {
 public:
  Audit(const Model& model, const Drives& drives);

  [[nodiscard]] Status see(const State& state, Workspace& workspace);
  // Of a mechanism that may have changed since.
  [[nodiscard]] Status see(const Moment& moment);

  const AuditNumbers& numbers() const { return seen_; }
  // Of a run that goes on: what had been seen before.
  void go_on_from(const AuditNumbers& seen) { seen_ = seen; }

  bool must_keep_energy() const { return seen_.must_keep_energy; }
  double energy_at_start() const { return seen_.energy_at_start; }
  double energy_change() const { return seen_.energy_change; }
  double largest_kinetic() const { return seen_.largest_kinetic; }
  double largest_gap() const { return seen_.largest_gap; }
  double largest_gap_rate() const { return seen_.largest_gap_rate; }

 private:
  Status see_of(const Model& model, const State& state, Workspace& workspace);
  const Model& model_;
  AuditNumbers seen_;
};

}  // namespace trammel
