// Did the motion behave? What must stay the same is watched at every sample.
#pragma once

#include "trammel/dynamics/energy.hpp"
#include "trammel/simulate/drives.hpp"

namespace trammel {

// Whether nothing takes energy out or puts it in: no drives, no dampers, no plans.
bool keeps_energy(const Model& model, const Drives& drives);

class Audit {
 public:
  Audit(const Model& model, const Drives& drives);

  [[nodiscard]] Status see(const State& state, Workspace& workspace);

  bool must_keep_energy() const { return keeps_energy_; }
  double energy_at_start() const { return start_; }
  // The largest change of the total energy, and the largest kinetic energy to hold it against.
  double energy_change() const { return change_; }
  double largest_kinetic() const { return kinetic_; }
  // How far loops ever were open [m], and came apart [m/s].
  double largest_gap() const { return gap_; }
  double largest_gap_rate() const { return gap_rate_; }

 private:
  const Model& model_;
  bool keeps_energy_, has_begun_ = false;
  double start_ = 0, change_ = 0, kinetic_ = 0, gap_ = 0, gap_rate_ = 0;
};

}  // namespace trammel
