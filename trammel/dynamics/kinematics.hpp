#pragma once

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/stages.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Position kinematics: poses and joint axes of all bodies. Sufficient for pose() and jacobian(),
// and cheaper than kinematics(). Cost O(bodies); allocates nothing.
[[nodiscard]] Status positions(const Model& model, const State& state, Workspace& workspace,
                               Positions& out);

// Forward kinematics: poses, velocities and accelerations of all bodies, with the generalized
// accelerations inputs.a (zero unless given). Cost O(bodies); allocates nothing.
[[nodiscard]] Status kinematics(const Model& model, const State& state, const Inputs& inputs,
                                Workspace& workspace, Kinematics& out);

// X_WA: pose of frame A in the world.
Pose<double> pose(const Model& model, const Positions& positions, const FrameRef& place);
// Twist [omega; v] of the frame, v that of its origin.
Motion<double> velocity(const Model& model, const Kinematics& kinematics, const FrameRef& place,
                        Axes axes = Axes::world);
// [alpha; a] of the frame, a the acceleration of its origin as an observer measures it: the time
// derivative of its velocity (not the spatial acceleration).
Motion<double> acceleration(const Model& model, const Kinematics& kinematics, const FrameRef& place,
                            Axes axes = Axes::world);

}  // namespace trammel
