#pragma once

#include <span>

namespace trammel {

// Prescribed positions and velocities of loop joints driven by motion (loop_nv each; entries of
// other joints are ignored). Spherical joints: rotation vector, axis times angle; free joints:
// rotation vector, then translation. Empty: present positions and velocities.
struct PrescribedLoopMotion {
  std::span<const double> q = {}, v = {};
};

}  // namespace trammel
