#pragma once

#include <vector>

#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Multipliers of the wheels' rows for the accelerations that dynamics_on_manifold or
// dynamics_off_manifold computed last with this workspace, directly after that call. With the row
// basis of the solver. Allocates nothing after the first call.
struct WheelMultipliers {
  std::vector<double> of_rows;  // wheel after wheel; zero for rows outside the basis
  bool are_known = false;       // a recursive solver computed the accelerations
  bool are_unique = false;      // no row is redundant: they are the contact forces
};
void wheel_multipliers_of_last_dynamics(const Workspace& workspace, WheelMultipliers& out);

}  // namespace trammel
