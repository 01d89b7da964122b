#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Coordinates and velocities of loop joints. They are not part of q and v but follow from them.
//
// An angle lies within half a turn of the rest position of the joint's spring, or of 0 without one.
// Cost: that of the kinematics.
struct LoopMotion {
  Eigen::VectorXd q;  // loop_nq
  Eigen::VectorXd v;  // loop_nv
};
[[nodiscard]] Status loop_motion(const Model& model, const State& state, Workspace& workspace,
                                 LoopMotion& out);
// Names of their entries: "foot", or "foot.slide" if the joint has several.
std::vector<std::string> loop_coordinate_names(const Model& model);
std::vector<std::string> loop_dof_names(const Model& model);

// Warnings for position and velocity limits of loop joints that are exceeded, by name, as
// check_limits.
Diagnostics check_loop_limits(const Model& model, const LoopMotion& motion);

}  // namespace trammel
