#pragma once

#include "trammel/constraint/assembly/assembly.hpp"

namespace trammel {

// Options of inverse kinematics for positions: fixed joints, joint limits, choice of the solution.
struct InverseKinematicsOptions {
  std::vector<JointId> keep = {};  // joints that stay where they are
  bool within_limits = true;       // joints stay inside their position limits, loop joints too
  bool nearest = true;             // among all solutions, the least change from the guess
  int starts = 20;                 // guesses to try: the state, then seeded random ones
};

// Inverse kinematics: joint positions that bring places to target positions and rotations.
//
// Assembly with additional equations: loops and targets are satisfied exactly, joints stay inside
// their limits, and remaining redundancy is resolved by the least change from the guess (slides
// divided by the characteristic length). On failure the status names the target, its distance and
// the joint at its limit; `state` is then the nearest configuration found, with its loops closed
// if possible. All solutions: assembly_branches.
[[nodiscard]] Status inverse_kinematics(const Model& model, State& state,
                                        std::span<const Target> targets, Workspace& workspace,
                                        const InverseKinematicsOptions& options = {});

// Target motion of a place: angular, linear or both, in world axes. Accelerations are the time
// derivatives of velocities, not spatial accelerations.
struct MotionTarget {
  FrameRef place;
  std::optional<Vec3<double>> angular = {}, linear = {};
};
// Resolution of redundancy: joint motion that affects no target and no constraint.
enum class SelfMotion {
  none,  // minimum-norm joint motion (slides divided by the characteristic length)
  kept   // least change from the present joint motion
};

// Inverse velocity kinematics: joint velocities with which places have the target velocities and
// the constraints are satisfied [Rodriguez 1988, 3.1].
//
// Positions must satisfy the constraints. state.v is the prior of SelfMotion::kept and may violate
// them: without targets the result is the nearest consistent velocity. Prescribed joints keep their
// velocities. Fails if no joint velocities do this; the status names the place and its residual.
[[nodiscard]] Status inverse_kinematics_velocity(const Model& model, const State& state,
                                                 std::span<const MotionTarget> targets,
                                                 Workspace& workspace, std::span<double> v,
                                                 SelfMotion self_motion = SelfMotion::none);

// Inverse acceleration kinematics, at the state's velocities. inputs.a is the prior of
// SelfMotion::kept and has the accelerations of prescribed joints.
[[nodiscard]] Status inverse_kinematics_acceleration(const Model& model, const State& state,
                                                     std::span<const MotionTarget> targets,
                                                     const Inputs& inputs, Workspace& workspace,
                                                     std::span<double> a,
                                                     SelfMotion self_motion = SelfMotion::none);

}  // namespace trammel
