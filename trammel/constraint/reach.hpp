#pragma once

#include "trammel/constraint/assembly.hpp"

namespace trammel {

struct ReachOptions {
  std::vector<JointId> keep = {};  // joints that stay where they are
  bool within_limits = true;       // joints stay inside their position limits, loop joints too
  bool nearest = true;             // of all ways to get there, the least change from the guess
  int starts = 20;                 // guesses to try: the state, then seeded random ones
};

// Inverse kinematics: how must the joints stand so that places come where they are wanted?
//
// Assembly with more to close: loops and targets exactly, joints inside their limits, and of what
// is then still free the least change from the guess (slides measured in the mechanism's length).
// What cannot be reached is told: which place, how far from it, which joint is at its limit;
// `state` is then the nearest configuration found, with its loops closed if they can be. All ways
// to reach it: assembly_branches.
[[nodiscard]] Status reach(const Model& model, State& state, std::span<const Target> targets,
                           Workspace& workspace, const ReachOptions& options = {});

// How a place is to move: its turning, its travelling, or both. In world axes; accelerations are
// those people measure.
struct MotionTarget {
  At place;
  std::optional<Vec3<double>> angular = {}, linear = {};
};
// What is done with motions of the joints that no target and no loop sees.
enum class SelfMotion {
  none,  // the least joint motion that does it (slides measured in the mechanism's length)
  kept   // the least change from what the joints do already
};

// How fast must the joints go so that places go as wanted and loops stay closed? [seed 002, 3.1]
//
// Positions must be closed; state.v is what `kept` keeps, and need not fit the loops: without
// targets it is the nearest that does. Joints driven by motion keep theirs. Fails where no joint
// velocities do it, with the place and by how much it misses.
[[nodiscard]] Status reach_velocity(const Model& model, const State& state,
                                    std::span<const MotionTarget> targets, Workspace& workspace,
                                    std::span<double> v, SelfMotion self_motion = SelfMotion::none);

// The same of accelerations, at the state's velocities; inputs.a is what `kept` keeps, and what
// joints driven by motion do.
[[nodiscard]] Status reach_acceleration(const Model& model, const State& state,
                                        std::span<const MotionTarget> targets, const Inputs& inputs,
                                        Workspace& workspace, std::span<double> a,
                                        SelfMotion self_motion = SelfMotion::none);

}  // namespace trammel
