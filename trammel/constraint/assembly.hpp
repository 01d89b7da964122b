#pragma once

#include <optional>
#include <span>
#include <vector>

#include "trammel/dynamics/inputs.hpp"
#include "trammel/dynamics/loop_plan.hpp"
#include "trammel/dynamics/workspace.hpp"

namespace trammel {

// Where a place is to come: its origin, or the way its axes point, or both. In world axes.
struct Target {
  At place;
  std::optional<Vec3<double>> position = {};  // [m]
  std::optional<Mat3<double>> rotation = {};  // its columns: the place's axes
};

struct AssemblyOptions {
  std::vector<JointId> keep = {};  // joints that stay where they are
  // Joints that stay as fast as they are; unless it is said, those that stay where they are.
  std::optional<std::vector<JointId>> keep_velocity = {};
  // Where planned joints that close loops come; without it, wherever the others put them.
  LoopPlan loops = {};
  std::vector<Target> targets = {};  // places that come somewhere, as exactly as loops close
  bool within_limits = false;        // joints stay inside their position limits, loop joints too
  bool nearest = false;              // of all ways to close, the least change from the guess
  int starts = 1;                    // guesses to try: the state, then seeded random ones
  // Seeded guesses beside the state, further and further, tried where it leads nowhere: stretched
  // out, a linkage does not know which way to fold. They come before random ones.
  int nudges = 8;
  int steps = 200;  // at most, from each
};

// Closes all loops from a rough guess, then makes the velocities keep them closed.
//
// By Newton's method on the position, the smallest step first (slides measured in the mechanism's
// length), halved while the gap would grow. What cannot be closed is told: which loop, how wide the
// gap stays, and whether it would close without joints that are kept, locked or planned, or without
// a coupling; `state` is then the nearest configuration found. Of velocities that cannot be kept,
// the nearest that can are told.
[[nodiscard]] Status assemble(const Model& model, State& state, Workspace& workspace,
                              const AssemblyOptions& options = {});

// Where the description says that motion starts, put together: what it says is kept. On a tree, its
// start_state.
[[nodiscard]] Status assembled_start(const Model& model, Workspace& workspace, State& out);

// One way to put a mechanism together, at rest.
struct Branch {
  State state;
  int met = 0;  // how many of the starts led here
};
// All ways to close the loops with the kept joints where they are (and the targets reached): a
// four-bar with its crank kept has two. Found from options.starts seeded random guesses (at least
// 100), the one nearest to `state` first. No search proves that it found all: trust one whose
// branches were all met many times. Fails where the joints that are kept leave it a way to move.
[[nodiscard]] Status assembly_branches(const Model& model, const State& state, Workspace& workspace,
                                       const AssemblyOptions& options, std::vector<Branch>& out);

}  // namespace trammel
