// State of the bodies after the last call of closed_dynamics(): poses, velocities, inertias and
// forces of all bodies, and their accelerations. For kernels that continue from there. Internal to
// this folder.
#pragma once

#include "trammel/dynamics/kernel/loops/closed_motion.hpp"

namespace trammel::kernel {

struct ClosedState {
  const ClosedMotion<double>& motion;          // at zero joint accelerations
  const std::vector<Motion<double>>& added_A;  // per body, by the joint accelerations
};
// `workspace`: of make_closed_workspace. Valid until the next call with it.
ClosedState closed_state(void* workspace);

}  // namespace trammel::kernel
