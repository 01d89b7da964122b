#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Where do the joints that close loops stand, and how fast do they move? Their coordinates are no
// part of q: they follow from it.
//
// An angle is told within half a turn of where the joint's spring rests, of 0 if it has none. Cost:
// that of the kinematics.
struct LoopMotion {
  Eigen::VectorXd q;  // closure_nq
  Eigen::VectorXd v;  // closure_nv
};
[[nodiscard]] Status loop_motion(const Model& model, const State& state, Workspace& workspace,
                                 LoopMotion& out);
// Of their entries: "foot", or "foot[1]" where the joint has several.
std::vector<std::string> loop_coordinate_names(const Model& model);
std::vector<std::string> loop_freedom_names(const Model& model);

// What of it is outside the limits of its joint: one warning each, by name, as check_limits.
Diagnostics check_loop_limits(const Model& model, const LoopMotion& motion);

}  // namespace trammel
