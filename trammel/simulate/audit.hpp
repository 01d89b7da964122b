// Did the motion behave? What must stay the same is watched at every sample.
#pragma once

#include <span>

#include "trammel/dynamics/energy.hpp"
#include "trammel/simulate/moment.hpp"
#include "trammel/simulate/simulate.hpp"

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

// Energy counts as kept if it never differs from that of the start by more than this share of the
// largest kinetic energy: less is not to be seen in a plot, and runs at the default tolerance stay
// two to three digits below it.
inline constexpr double kept_energy_share = 1e-3;
// Whether it did, where nothing takes energy out or puts it in. Rounding of the energy at the start
// is allowed for, since a mechanism at rest has no kinetic energy to compare with.
bool energy_is_kept(const AuditNumbers& numbers);

// Events that question a result: limits that were passed though nothing stops a joint there, wheels
// that would have lifted off or slipped, which the run did not let them.
struct DoubtfulEvents {
  struct Kind {
    int count = 0;
    double first = 0;  // [s]
  };
  Kind limits, lifts, slips;
};
DoubtfulEvents doubtful_events(std::span<const Happening> happenings);

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
